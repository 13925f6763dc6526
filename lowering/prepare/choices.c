/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Choices between tensors that may differ in shape. Knows arith.select and scf.if. */
#include "lowering/prepare/choices.h"

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
  MlirRegion regions[2];
  for (int i = 0; i < 2; i++)
    regions[i] = ts_make_yielding(&build, mlirBlockCreate(0, NULL, NULL),
                                  mlirOperationGetOperand(op, 1 + i));
  MlirOperation choice = ts_make_op(&build, &(ts_op){.name = "scf.if",
                                                     .num_operands = 1,
                                                     .operands = &condition,
                                                     .num_results = 1,
                                                     .results = &type,
                                                     .region = regions[0],
                                                     .second = regions[1]});
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), mlirOperationGetResult(choice, 0));
  mlirOperationDestroy(op);
}

void ts_choices_branch(MlirOperation module) {
  ts_each_op(module, branch, NULL);
}
