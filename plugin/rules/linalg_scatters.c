/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Scatters written as comparisons: bodies that add to an element only where the index of a loop
 * equals a number that data says (gradients of embeddings, segment sums). It knows scalar code; it
 * must not know indexing maps. */
#include "capi/capi.h"
#include "rules/linalg.h"
#include "support/ir.h"

static MlirValue without_casts(MlirValue value) {
  static const char *const casts[] = {"arith.index_cast", "arith.index_castui", "arith.extsi",
                                      "arith.extui", "arith.trunci"};
  MlirOperation op = ts_defining_op(value);
  for (size_t i = 0; op.ptr && i < sizeof(casts) / sizeof(casts[0]); i++)
    if (ts_op_is(op, casts[i]))
      return without_casts(mlirOperationGetOperand(op, 0));
  return value;
}

static bool is_index_of_parallel_loop(MlirOperation op, MlirValue value) {
  MlirOperation index = ts_defining_op(value);
  return index.ptr && ts_op_is(index, "linalg.index") &&
         ts_linalg_iterator(op, ts_op_int(index, "dim", 0)) == 0;
}

/* An element of a tensor, as it is. */
static bool is_data(MlirValue value) {
  MlirOperation made = ts_defining_op(value);
  return !made.ptr || ts_op_is(made, "tensor.extract");
}

static bool compares_index_with_data(MlirOperation op, MlirOperation inner) {
  enum { EQUAL = 0 }; /* arith's number */
  if (!ts_op_is(inner, "arith.cmpi") || ts_op_int(inner, "predicate", -1) != EQUAL)
    return false;
  MlirValue a = without_casts(mlirOperationGetOperand(inner, 0));
  MlirValue b = without_casts(mlirOperationGetOperand(inner, 1));
  return (is_index_of_parallel_loop(op, a) && is_data(b)) ||
         (is_index_of_parallel_loop(op, b) && is_data(a));
}

bool ts_linalg_scatters(MlirOperation op) {
  for (MlirOperation inner = mlirBlockGetFirstOperation(ts_linalg_body(op)); inner.ptr;
       inner = mlirOperationGetNextInBlock(inner))
    if (compares_index_with_data(op, inner))
      return true;
  return false;
}
