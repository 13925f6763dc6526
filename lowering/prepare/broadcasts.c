/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Values that stand in for smaller ones. It knows linalg.generic. */
#include "lowering/prepare/broadcasts.h"

#include "capi/capi.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "support/ir.h"

static int num_loops_read(MlirAffineMap map) {
  int num = 0;
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    num += mlirAffineExprIsADim(mlirAffineMapGetResult(map, d));
  return num;
}

/* All loops are the result's dimensions, in order, and the body gives what the one input, which has
 * fewer of them, has at their place. */
static bool is_broadcast(MlirOperation op) {
  if (!ts_op_is(op, "linalg.generic") || mlirOperationGetNumResults(op) != 1 ||
      ts_linalg_num_inputs(op) != 1)
    return false;
  MlirAffineMap from = ts_linalg_map(op, 0);
  MlirBlock body = ts_linalg_body(op);
  MlirOperation yield = mlirBlockGetTerminator(body);
  return mlirAffineMapIsIdentity(ts_linalg_map(op, 1)) &&
         num_loops_read(from) < ts_linalg_num_loops(op) &&
         mlirOperationEqual(mlirBlockGetFirstOperation(body), yield) &&
         mlirValueEqual(mlirOperationGetOperand(yield, 0), mlirBlockGetArgument(body, 0));
}

static bool is_read(MlirOpOperand use) {
  MlirOperation user = mlirOpOperandGetOwner(use);
  return ts_op_is(user, "linalg.generic") &&
         mlirOpOperandGetOperandNumber(use) < ts_linalg_num_inputs(user);
}

/* The broadcast itself is left to the last of its uses. */
static void split(MlirOperation op, void *user) {
  (void)user;
  if (!is_broadcast(op))
    return;
  MlirValue value = mlirOperationGetResult(op, 0);
  MlirOpOperand use = mlirValueGetFirstUse(value), next;
  for (; !mlirOpOperandIsNull(use) && !ts_has_one_use(value); use = next) {
    MlirOperation reader = mlirOpOperandGetOwner(use);
    next = mlirOpOperandGetNextUse(use);
    if (!is_read(use))
      continue;
    MlirOperation copy = mlirOperationClone(op);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(reader), reader, copy);
    mlirOperationSetOperand(reader, mlirOpOperandGetOperandNumber(use),
                            mlirOperationGetResult(copy, 0));
  }
}

void ts_broadcasts_split(MlirOperation module) {
  ts_each_op(module, split, NULL);
}
