/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The order of a function's blocks. */
#ifndef TESSERA_PLUGIN_SOLVE_BLOCKS_H
#define TESSERA_PLUGIN_SOLVE_BLOCKS_H

#include "mlir-c/IR.h"

#include "support/arena.h"

/* The `*num` blocks of `region` that can be reached, dominating ones first; the others are erased.
 */
MlirBlock *ts_blocks_in_order(ts_arena *arena, MlirRegion region, int *num);

#endif /* TESSERA_PLUGIN_SOLVE_BLOCKS_H */
