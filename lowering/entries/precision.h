/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How precisely a function's results are computed. It knows which ops round; it must not know
 * layouts. */
#ifndef TESSERA_LOWERING_ENTRIES_PRECISION_H
#define TESSERA_LOWERING_ENTRIES_PRECISION_H

#include "support/arena.h"
#include "support/ir.h"

/* computed_in[i]: the tessera_dtype of the narrowest float type that anything that result `i` of
 * the func.func depends on is rounded to, beside its own; 0 if that is none. Calls count with all
 * that they compute. On tensors. */
void ts_precision_of_results(ts_arena *arena, MlirOperation module, MlirOperation function,
                             intptr_t num, int32_t *computed_in);

#endif /* TESSERA_LOWERING_ENTRIES_PRECISION_H */
