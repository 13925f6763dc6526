/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The blocks of a region in an order in which every value is defined before it is used, however
 * they are listed. It knows edges; it must not know what is in a block. */
#include "support/blocks.h"

#include "support/ir.h"
#include "support/map.h"

typedef struct visited {
  MlirBlock block;
  intptr_t next; /* the successor to look at next */
  struct visited *from;
} visited;

static int count_blocks(MlirRegion region) {
  int num = 0;
  for (MlirBlock block = mlirRegionGetFirstBlock(region); block.ptr;
       block = mlirBlockGetNextInRegion(block))
    num++;
  return num;
}

/* Reverse postorder: a block comes after all that dominate it. */
MlirBlock *ts_blocks_in_order(ts_arena *arena, MlirRegion region, int *num) {
  int total = count_blocks(region), first = total;
  MlirBlock *order = TS_NEW(arena, MlirBlock, total);
  ts_map reached = {0};
  *num = 0;
  if (total == 0)
    return order;
  visited *at = TS_NEW(arena, visited, 1);
  at->block = mlirRegionGetFirstBlock(region);
  ts_map_set(&reached, arena, at->block.ptr, at);
  while (at) {
    if (at->next == mlirBlockGetNumSuccessors(at->block)) {
      order[--first] = at->block;
      at = at->from;
      continue;
    }
    MlirBlock successor = mlirBlockGetSuccessor(at->block, at->next++);
    if (ts_map_get(&reached, successor.ptr))
      continue;
    visited *to = TS_NEW(arena, visited, 1);
    *to = (visited){.block = successor, .from = at};
    ts_map_set(&reached, arena, successor.ptr, to);
    at = to;
  }
  *num = total - first;
  return order + first;
}

/* What is in these blocks never runs, and may use values before their definition: a region drops
 * all uses before it destroys what is in it. */
void ts_drop_unreached_blocks(ts_arena *arena, MlirRegion region) {
  int num;
  MlirBlock *blocks = ts_blocks_in_order(arena, region, &num);
  if (num == count_blocks(region))
    return;
  ts_map reached = {0};
  for (int i = 0; i < num; i++)
    ts_map_set(&reached, arena, blocks[i].ptr, &blocks[i]);
  MlirRegion dropped = mlirRegionCreate();
  for (MlirBlock block = mlirRegionGetFirstBlock(region), next; block.ptr; block = next) {
    next = mlirBlockGetNextInRegion(block);
    if (ts_map_get(&reached, block.ptr))
      continue;
    mlirBlockDetach(block);
    mlirRegionAppendOwnedBlock(dropped, block);
  }
  mlirRegionDestroy(dropped);
}

/* ---- what stands where ----------------------------------------------------------------------- */

MlirOperation *ts_ops_of(ts_arena *arena, MlirBlock block, int *num) {
  int max = 16;
  MlirOperation *ops = TS_NEW(arena, MlirOperation, max);
  *num = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    ops = ts_arena_grow(arena, ops, *num, &max, sizeof(*ops));
    ops[(*num)++] = op;
  }
  return ops;
}

MlirBlock ts_block_of(MlirValue value) {
  return mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value)
                                          : mlirOperationGetBlock(mlirOpResultGetOwner(value));
}

MlirOperation ts_ancestor_in(MlirBlock block, MlirOperation op) {
  while (op.ptr && !mlirBlockEqual(mlirOperationGetBlock(op), block)) {
    op = mlirOperationGetParentOperation(op);
    if (op.ptr && ts_op_is(op, "func.func"))
      return (MlirOperation){NULL};
  }
  return op;
}

bool ts_known_before(MlirValue value, MlirOperation op) {
  MlirOperation around = ts_ancestor_in(ts_block_of(value), op);
  if (!around.ptr)
    return false;
  return mlirValueIsABlockArgument(value) ||
         mlirOperationIsBeforeInBlock(mlirOpResultGetOwner(value), around);
}
