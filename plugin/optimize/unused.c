/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What nobody uses, last ops first, so that what only they used goes too. It must not know what any
 * op does. */
#include "capi/capi.h"
#include "optimize/optimize.h"
#include "support/blocks.h"
#include "support/ir.h"

static bool is_unused(MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++)
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, r))))
      return false;
  return mlirOperationGetNumResults(op) > 0 && !ts_op_is_terminator(op) &&
         ts_is_free_of_effects(op);
}

static void visit_regions(MlirOperation op);

static void visit_block(MlirBlock block) {
  ts_arena arena = {0};
  int num;
  MlirOperation *ops = ts_ops_of(&arena, block, &num);
  while (num-- > 0)
    if (is_unused(ops[num]))
      mlirOperationDestroy(ops[num]);
    else if (!ts_op_is_linalg(ops[num]))
      visit_regions(ops[num]);
  ts_arena_free(&arena);
}

static void visit_regions(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i)); block.ptr;
         block = mlirBlockGetNextInRegion(block))
      visit_block(block);
}

void ts_drop_unused(ts_optimizer *optimizer, MlirOperation function) {
  (void)optimizer;
  visit_regions(function);
}
