/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What folds to a constant. It knows names; it must not know layouts. */
#include "propagate/foldable.h"

#include <string.h>

#include "numbers/scalar_code.h"
#include "support/ir.h"

static bool is_one_of(MlirOperation op, const char *const *names) {
  for (; *names; names++)
    if (ts_op_is(op, *names))
      return true;
  return false;
}

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

static bool folds(MlirValue value, int depth) {
  static const char *const of_equals[] = {"arith.subi", "arith.xori", "arith.cmpi", NULL};
  static const char *const constants[] = {"arith.constant", "tensor.splat", NULL};
  MlirOperation op = ts_defining_op(ts_without_annotations(value));
  if (!op.ptr)
    return false;
  if (is_one_of(op, constants))
    return true;
  if (depth == 0 || strncmp(ts_op_name(op), "arith.", 6) != 0)
    return false;
  if (is_one_of(op, of_equals) &&
      are_equal(mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1), depth))
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!folds(mlirOperationGetOperand(op, i), depth - 1))
      return false;
  return mlirOperationGetNumOperands(op) > 0;
}

bool ts_folds_to_constant(MlirValue value) {
  const int most_ops = 4;
  return folds(value, most_ops);
}
