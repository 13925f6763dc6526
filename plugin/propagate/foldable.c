/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What folds to a constant. It knows names; it must not know layouts. */
#include "propagate/foldable.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "numbers/scalar_code.h"
#include "support/ir.h"

/* Whether both are one after common subexpressions are; looks through so many ops. */
static bool are_equal(MlirValue a, MlirValue b, int depth) {
  a = ts_without_annotations(a);
  b = ts_without_annotations(b);
  MlirOperation x = ts_defining_op(a), y = ts_defining_op(b);
  if (mlirValueEqual(a, b))
    return true;
  if (!x.ptr || !y.ptr || depth == 0 || !ts_op_is(y, ts_op_name(x)) ||
      mlirOperationGetNumRegions(x) || mlirOperationGetNumRegions(y) ||
      mlirOperationGetNumResults(x) != 1 ||
      mlirOperationGetNumOperands(x) != mlirOperationGetNumOperands(y) ||
      !mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b)) || !ts_same_attributes(x, y))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(x); i++)
    if (!are_equal(mlirOperationGetOperand(x, i), mlirOperationGetOperand(y, i), depth - 1))
      return false;
  return true;
}

/* ---- what is left of a value ----------------------------------------------------------------- */

/* A constant: all its elements are `element`, sign-extended, if `is_known`. */
typedef struct folded {
  bool is_constant, is_known;
  int64_t element;
} folded;

/* The element that makes a result of itself, whatever the other operands are. */
typedef struct absorber {
  const char *name;
  int64_t element;
  bool is_divisor; /* only as operand 1, and the result is 0 */
} absorber;

static const absorber absorbers[] = {
    {"arith.andi", 0, false}, {"arith.muli", 0, false},   {"arith.minui", 0, false},
    {"arith.ori", -1, false}, {"arith.maxui", -1, false}, {"arith.remsi", 1, true},
    {"arith.remui", 1, true},
};

static folded all(int64_t element) {
  return (folded){true, true, element};
}

static folded of_attribute(MlirAttribute value) {
  if (mlirAttributeIsADenseElements(value) && mlirDenseElementsAttrIsSplat(value) &&
      !mlirTypeIsAComplex(mlirShapedTypeGetElementType(mlirAttributeGetType(value))))
    value = mlirDenseElementsAttrGetSplatValue(value);
  bool is_known = mlirAttributeIsAInteger(value);
  MlirType type = is_known ? mlirAttributeGetType(value) : (MlirType){NULL};
  if (is_known && mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 64)
    is_known = false;
  return is_known ? all(mlirIntegerAttrGetValueInt(value)) : (folded){.is_constant = true};
}

/* What two equal operands make of each other. */
static folded of_equals(MlirOperation op) {
  /* arith's numbers of eq, sle, sge, ule and uge */
  const int holds = 1 << 0 | 1 << 3 | 1 << 5 | 1 << 7 | 1 << 9;
  if (ts_op_is(op, "arith.cmpi"))
    return all(holds >> ts_op_int(op, "predicate", 0) & 1 ? -1 : 0);
  return ts_op_is(op, "arith.subi") || ts_op_is(op, "arith.xori") ? all(0) : (folded){0};
}

static folded absorbed(MlirOperation op, int operand, folded at) {
  for (size_t i = 0; i < sizeof(absorbers) / sizeof(absorbers[0]); i++) {
    const absorber *by = &absorbers[i];
    if (ts_op_is(op, by->name) && at.is_known && at.element == by->element &&
        (!by->is_divisor || operand == 1))
      return all(by->is_divisor ? 0 : by->element);
  }
  return (folded){0};
}

static folded fold(MlirValue value, int depth) {
  MlirOperation op = ts_defining_op(ts_without_annotations(value));
  if (!op.ptr)
    return (folded){0};
  if (ts_op_is(op, "arith.constant"))
    return of_attribute(ts_attribute(op, "value"));
  if (ts_op_is(op, "tensor.splat")) {
    folded at = fold(mlirOperationGetOperand(op, 0), depth);
    return at.is_constant ? at : (folded){.is_constant = true};
  }
  intptr_t num = mlirOperationGetNumOperands(op);
  if (depth == 0 || num == 0 || strncmp(ts_op_name(op), "arith.", 6) != 0)
    return (folded){0};
  if (num == 2 &&
      are_equal(mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1), depth)) {
    folded equals = of_equals(op);
    if (equals.is_constant)
      return equals;
  }
  bool are_constant = true, are_zero = !ts_op_is(op, "arith.cmpi");
  folded operands[3] = {0};
  for (int i = 0; i < num; i++) {
    folded at = fold(mlirOperationGetOperand(op, i), depth - 1);
    folded instead = absorbed(op, i, at);
    if (instead.is_constant)
      return instead;
    if (i < 3)
      operands[i] = at;
    are_constant &= at.is_constant;
    are_zero &= at.is_known && at.element == 0;
  }
  if (ts_op_is(op, "arith.select") && operands[0].is_known)
    return operands[operands[0].element ? 1 : 2];
  return (folded){are_constant, are_constant && are_zero, 0};
}

bool ts_folds_to_constant(MlirValue value) {
  const int most_ops = 4;
  return fold(value, most_ops).is_constant;
}
