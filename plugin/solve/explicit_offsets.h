/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that run on shards of explicit offsets as they are. It knows loops and layouts; it must
 * not know what ops compute. */
#ifndef TESSERA_PLUGIN_SOLVE_EXPLICIT_OFFSETS_H
#define TESSERA_PLUGIN_SOLVE_EXPLICIT_OFFSETS_H

#include "model/model.h"

/* Lets an elementwise op run on the explicit offsets that all its operands share. */
void ts_run_on_offsets(ts_model *model, ts_op *op);

#endif /* TESSERA_PLUGIN_SOLVE_EXPLICIT_OFFSETS_H */
