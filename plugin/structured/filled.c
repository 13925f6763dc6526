/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What is looked up, with a number where there is nothing to be found: the number as an operand, so
 * that it counts once where what is found is in parts. It knows bodies; it must not know layouts.
 */
#include "capi/capi.h"
#include "ir/generic.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structured/structured.h"
#include "support/captured.h"

/* Ops that are looked through from what is found to where it is looked up. */
enum { MOST_BETWEEN = 8 };

/* The value is what a body reads where data says, moved at most. */
static bool is_looked_up(MlirValue value) {
  static const char *const moves[] = {"linalg.broadcast",      "linalg.transpose",    "shard.shard",
                                      "tensor.collapse_shape", "tensor.expand_shape", NULL};
  for (int i = 0; i < MOST_BETWEEN; i++) {
    MlirOperation op = ts_defining_op(value);
    if (!op.ptr)
      return false;
    if (ts_op_is(op, "linalg.generic")) {
      if (!mlirValueIsNull(ts_captured_tensor(op)))
        return true;
      MlirBlock body = ts_linalg_body(op);
      if (ts_linalg_num_inputs(op) != 1 || mlirOperationGetNumResults(op) != 1 ||
          !mlirValueEqual(mlirOperationGetOperand(mlirBlockGetTerminator(body), 0),
                          mlirBlockGetArgument(body, 0)))
        return false;
    } else if (!ts_op_is_any(op, moves)) {
      return false;
    }
    value = mlirOperationGetOperand(op, 0);
  }
  return false;
}

/* A constant scalar other than zero, which counts as often as one likes; null if it is none. */
static MlirAttribute number_of(MlirValue value) {
  MlirAttribute none = {NULL};
  MlirOperation op = ts_defining_op(value);
  MlirAttribute number =
      op.ptr && ts_op_is(op, "arith.constant") ? ts_attribute(op, "value") : none;
  if (mlirAttributeIsNull(number))
    return none;
  if (mlirAttributeIsAFloat(number))
    return mlirFloatAttrGetValueDouble(number) == 0 ? none : number;
  MlirType type = mlirAttributeGetType(number);
  return mlirAttributeIsAInteger(number) && !mlirAttributeEqual(number, mlirIntegerAttrGet(type, 0))
             ? number
             : none;
}

void ts_structure_filled(MlirOperation op) {
  if (mlirOperationGetNumResults(op) != 1 || !ts_all_loops_are_parallel(op) ||
      mlirOperationGetNumOperands(op) >= TS_MAX_RANK)
    return;
  MlirBlock body = ts_linalg_body(op);
  MlirOperation chosen = ts_defining_op(mlirOperationGetOperand(mlirBlockGetTerminator(body), 0));
  if (!chosen.ptr || !ts_op_is(chosen, "arith.select"))
    return;
  for (int side = 1; side <= 2; side++) {
    MlirValue found = mlirOperationGetOperand(chosen, side);
    MlirAttribute number = number_of(mlirOperationGetOperand(chosen, 3 - side));
    if (mlirAttributeIsNull(number) || !mlirValueIsABlockArgument(found) ||
        !mlirBlockEqual(mlirBlockArgumentGetOwner(found), body) ||
        mlirBlockArgumentGetArgNumber(found) >= ts_linalg_num_inputs(op) ||
        !is_looked_up(mlirOperationGetOperand(op, mlirBlockArgumentGetArgNumber(found))))
      continue;
    ts_maker build = ts_make_before(op);
    MlirType type =
        mlirRankedTensorTypeGet(0, NULL, mlirAttributeGetType(number), mlirAttributeGetNull());
    MlirValue tensor = ts_make_constant(&build, mlirDenseElementsAttrSplatGet(type, number));
    MlirAffineMap map = mlirAffineMapZeroResultGet(build.context, ts_linalg_num_loops(op), 0);
    mlirOperationSetOperand(chosen, 3 - side, ts_add_input(op, tensor, map));
    return;
  }
}
