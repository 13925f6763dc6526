/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Concatenations as insertions. It knows tensor.concat; it must not know who reads it. */
#include "lowering/prepare/concats.h"

#include "lowering/prepare/pieces.h"
#include "mlir-c/BuiltinTypes.h"

/* Known, and not without elements. */
static bool has_known_size(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!mlirShapedTypeHasStaticShape(type) || mlirShapedTypeGetRank(type) > TS_BOX_RANK)
    return false;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    if (mlirShapedTypeGetDimSize(type, d) == 0)
      return false;
  return true;
}

static bool has_known_sizes(MlirOperation concat) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(concat); i++)
    if (!has_known_size(mlirOperationGetOperand(concat, i)))
      return false;
  return has_known_size(mlirOperationGetResult(concat, 0));
}

static void visit(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "tensor.concat") || !has_known_sizes(op))
    return;
  ts_maker build = ts_make_before(op);
  MlirValue result = mlirOperationGetResult(op, 0);
  int64_t dim = ts_op_int(op, "dim", 0), at = 0;
  MlirValue joined =
      ts_make_value(&build, "tensor.empty", 0, NULL, mlirValueGetType(result), 0, NULL);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue piece = mlirOperationGetOperand(op, i);
    ts_box part = ts_box_of(piece);
    part.from[dim] = at;
    part.to[dim] += at;
    at = part.to[dim];
    joined = ts_box_insert(&build, piece, joined, &part);
  }
  mlirValueReplaceAllUsesOfWith(result, joined);
  mlirOperationDestroy(op);
}

void ts_concats_to_insertions(MlirOperation module) {
  ts_each_op(module, visit, NULL);
}
