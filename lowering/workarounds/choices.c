/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around convert-elementwise-to-linalg, which takes an arith.select between whole tensors for
 * an elementwise op, though its operands of run-time shape may differ in shape. Can go when
 * upstream converts only selects of tensors by tensors. It knows arith.select and scf.if. */
#include "lowering/workarounds/choices.h"

#include "ir/build.h"
#include "mlir-c/BuiltinTypes.h"

static void branch(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "arith.select"))
    return;
  MlirValue condition = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!mlirTypeIsAInteger(mlirValueGetType(condition)) || !mlirTypeIsARankedTensor(type) ||
      mlirShapedTypeHasStaticShape(type))
    return;
  ts_maker build = ts_make_before(op);
  ts_arm arms[2];
  for (int i = 0; i < 2; i++)
    arms[i] = (ts_arm){mlirBlockCreate(0, NULL, NULL), mlirOperationGetOperand(op, 1 + i)};
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                ts_make_branch(&build, condition, &arms[0], &arms[1]));
  mlirOperationDestroy(op);
}

void ts_choices_branch(MlirOperation module) {
  ts_each_op(module, branch, NULL);
}
