/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops of tosa that have no rule become linalg, which has them. It knows which ops have rules; it
 * must not know layouts. */
#ifndef TESSERA_PLUGIN_PROPAGATE_TOSA_H
#define TESSERA_PLUGIN_PROPAGATE_TOSA_H

#include "mlir-c/IR.h"

#include "capi/capi.h"

/* Has upstream turn tosa into linalg, tensor, arith and scf in a module that has annotations and
 * tosa ops without a rule. Where tensors of tosa ops have extents that only the run knows, it does
 * so op by op, with those that lack a rule: of reshapes and the like of unknown extents, what
 * upstream writes is harder to split than the ops are, and they stay (structured.h has some of
 * them). False after diagnostics. */
bool ts_tosa_to_linalg(ts_active_pass *pass, MlirOperation module);

/* Inserts what that needs, before the pass runs. */
void ts_tosa_insert_dialects(MlirDialectRegistry registry);

#endif /* TESSERA_PLUGIN_PROPAGATE_TOSA_H */
