/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The order of a region's blocks, and what stands before what in them. It knows edges and order; it
 * must not know what is in a block. */
#ifndef TESSERA_PLUGIN_SUPPORT_BLOCKS_H
#define TESSERA_PLUGIN_SUPPORT_BLOCKS_H

#include <stdbool.h>

#include "mlir-c/IR.h"

#include "support/arena.h"

/* The `*num` blocks of `region` that can be reached, dominating ones first. */
MlirBlock *ts_blocks_in_order(ts_arena *arena, MlirRegion region, int *num);
/* Erases the other blocks. */
void ts_drop_unreached_blocks(ts_arena *arena, MlirRegion region);

/* The `*num` ops of `block`, in order. */
MlirOperation *ts_ops_of(ts_arena *arena, MlirBlock block, int *num);
/* The block that `value` is defined in, or an argument of. */
MlirBlock ts_block_of(MlirValue value);
/* `op` or the op around it that is in `block`; null if there is none in its function. */
MlirOperation ts_ancestor_in(MlirBlock block, MlirOperation op);
/* `value` is known just before `op`, looking at the blocks around `op` alone. */
bool ts_known_before(MlirValue value, MlirOperation op);

#endif /* TESSERA_PLUGIN_SUPPORT_BLOCKS_H */
