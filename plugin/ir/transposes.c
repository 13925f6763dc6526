/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Structured ops that give their input out with its dimensions in another order, however they are
 * spelt. It knows maps and bodies; it must not know why anybody asks. */
#include "ir/transposes.h"

#include "capi/capi.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"

static bool yields_input(MlirBlock body) {
  MlirValue value = mlirOperationGetOperand(mlirBlockGetTerminator(body), 0);
  return mlirValueIsABlockArgument(value) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(value), body) &&
         mlirBlockArgumentGetArgNumber(value) == 0;
}

static bool is_transpose(MlirOperation op) {
  if (!op.ptr || !ts_op_is_linalg(op) || ts_linalg_num_inputs(op) != 1 ||
      ts_linalg_num_inits(op) != 1 || mlirOperationGetNumResults(op) != 1 ||
      !mlirAffineMapIsPermutation(ts_linalg_map(op, 0)) ||
      !mlirAffineMapIsPermutation(ts_linalg_map(op, 1)))
    return false;
  for (intptr_t l = 0; l < ts_linalg_num_loops(op); l++)
    if (ts_linalg_iterator(op, l) != 0)
      return false;
  return yields_input(ts_linalg_body(op));
}

/* The dimension of a permutation's results that loop `loop` runs along. */
static int dimension_of(MlirAffineMap permutation, intptr_t loop) {
  int d = 0;
  while (mlirAffineDimExprGetPosition(mlirAffineMapGetResult(permutation, d)) != loop)
    d++;
  return d;
}

int ts_transpose_read(MlirOperation op, int source[TS_MAX_RANK]) {
  if (!is_transpose(op))
    return -1;
  MlirAffineMap from = ts_linalg_map(op, 0), to = ts_linalg_map(op, 1);
  intptr_t rank = mlirAffineMapGetNumResults(to);
  if (rank > TS_MAX_RANK)
    return -1;
  for (intptr_t d = 0; d < rank; d++)
    source[d] = dimension_of(from, mlirAffineDimExprGetPosition(mlirAffineMapGetResult(to, d)));
  return (int)rank;
}

MlirValue ts_without_transposes(MlirValue operand, MlirAffineMap *map) {
  int source[TS_MAX_RANK], rank;
  while ((rank = ts_transpose_read(ts_defining_op(operand), source)) >= 0) {
    MlirAffineExpr results[TS_MAX_RANK];
    for (int d = 0; d < rank; d++)
      results[source[d]] = mlirAffineMapGetResult(*map, d);
    *map = mlirAffineMapGet(mlirAffineMapGetContext(*map), mlirAffineMapGetNumDims(*map), 0, rank,
                            results);
    operand = mlirOperationGetOperand(ts_defining_op(operand), 0);
  }
  return operand;
}
