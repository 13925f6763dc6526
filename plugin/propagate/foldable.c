/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What of integer arithmetic folds to constants. It knows names; it must not know layouts. */
#include "propagate/foldable.h"

#include <string.h>

#include "mlir-c/BuiltinTypes.h"

#include "support/ir.h"

static bool is_one_of(MlirOperation op, const char *const *names) {
  for (; *names; names++)
    if (ts_op_is(op, *names))
      return true;
  return false;
}

static bool is_arith(MlirOperation op) {
  return strncmp(ts_op_name(op), "arith.", 6) == 0;
}

/* The op takes two values of integers, or compares them. */
static bool is_of_integers(MlirOperation op) {
  if (mlirOperationGetNumOperands(op) == 0)
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  type = mlirTypeIsAShaped(type) ? mlirShapedTypeGetElementType(type) : type;
  return mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type);
}

static bool may_fold(MlirValue value, int depth) {
  static const char *const of_equals[] = {"arith.subi", "arith.xori", "arith.cmpi", NULL};
  static const char *const constants[] = {"arith.constant", "tensor.splat", NULL};
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr)
    return false;
  if (is_one_of(op, constants))
    return true;
  if (depth == 0 || !is_arith(op) || !is_of_integers(op))
    return false;
  if (is_one_of(op, of_equals))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (may_fold(mlirOperationGetOperand(op, i), depth - 1))
      return true;
  return false;
}

bool ts_may_fold_to_constant(MlirValue value) {
  const int most_ops = 6;
  return may_fold(value, most_ops);
}
