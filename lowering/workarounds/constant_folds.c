/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around the folders of arith, which make dense constants of x ^ x and of comparisons of x
 * with itself even where the tensor's shape is known at run time only: no constant has such a type.
 * Can go when upstream folds these for static shapes alone. It knows single ops of arith. */
#include "lowering/workarounds/constant_folds.h"

#include "ir/build.h"
#include "mlir-c/BuiltinTypes.h"

/* eq, sle, sge, ule and uge, as arith numbers them. */
static bool holds_of_equals(int64_t predicate) {
  return predicate == 0 || (predicate > 2 && predicate % 2 == 1);
}

static void splat(MlirOperation op, void *user) {
  (void)user;
  bool compares = ts_op_is(op, "arith.cmpi");
  if (!compares && !ts_op_is(op, "arith.xori"))
    return;
  MlirValue same = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(result);
  if (!mlirValueEqual(same, mlirOperationGetOperand(op, 1)) || !mlirTypeIsARankedTensor(type) ||
      mlirShapedTypeHasStaticShape(type))
    return;
  MlirType element = mlirShapedTypeGetElementType(type);
  if (!mlirTypeIsAInteger(element) && !mlirTypeIsAIndex(element))
    return;
  ts_maker build = ts_make_before(op);
  int64_t number = compares && holds_of_equals(ts_op_int(op, "predicate", 0));
  MlirValue operands[1 + TS_MAX_RANK] = {
      ts_make_constant(&build, ts_int_attribute(element, number))};
  intptr_t num = 1 + ts_make_dynamic_sizes(&build, same, operands + 1);
  mlirValueReplaceAllUsesOfWith(
      result, ts_make_value(&build, "tensor.splat", num, operands, type, 0, NULL));
  mlirOperationDestroy(op);
}

void ts_folds_to_splats(MlirOperation module) {
  ts_each_op(module, splat, NULL);
}
