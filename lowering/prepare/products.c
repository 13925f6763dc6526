/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Sums of products of two inputs, whatever their maps: bodies, element types, sizes. It knows
 * structured ops; it must not know which call computes them. */
#include "lowering/prepare/products.h"

#include "capi/capi.h"
#include "ir/build.h"
#include "lowering/records.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* Multiplications from which on a call is faster than loops (16x16x16 on current cores). */
enum { WORTHWHILE = 4096 };

/* ---- the body -------------------------------------------------------------------------------- */

static MlirOperation producer(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

/* `value` without a widening conversion that the runtime makes too. */
static MlirValue unwidened(MlirValue value) {
  MlirOperation op = producer(value);
  if (op.ptr && (ts_op_is(op, "arith.extf") || ts_op_is(op, "arith.extsi")))
    return mlirOperationGetOperand(op, 0);
  return value;
}

static bool is_argument(MlirValue value, MlirBlock body, intptr_t position) {
  return mlirValueIsABlockArgument(value) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(value), body) &&
         mlirBlockArgumentGetArgNumber(value) == position;
}

static bool is_product_of_inputs(MlirValue value, MlirBlock body) {
  MlirOperation op = producer(value);
  if (!op.ptr ||
      !(ts_op_is(op, "arith.mulf") || ts_op_is(op, "arith.muli") || ts_op_is(op, "complex.mul")))
    return false;
  MlirValue a = unwidened(mlirOperationGetOperand(op, 0));
  MlirValue b = unwidened(mlirOperationGetOperand(op, 1));
  return (is_argument(a, body, 0) && is_argument(b, body, 1)) ||
         (is_argument(a, body, 1) && is_argument(b, body, 0));
}

/* yield (acc + a * b), each widened at most once. */
static bool is_multiply_add(MlirBlock body) {
  MlirOperation sum = producer(mlirOperationGetOperand(mlirBlockGetTerminator(body), 0));
  if (!sum.ptr ||
      !(ts_op_is(sum, "arith.addf") || ts_op_is(sum, "arith.addi") || ts_op_is(sum, "complex.add")))
    return false;
  MlirValue a = mlirOperationGetOperand(sum, 0), b = mlirOperationGetOperand(sum, 1);
  return (is_argument(a, body, 2) && is_product_of_inputs(b, body)) ||
         (is_argument(b, body, 2) && is_product_of_inputs(a, body));
}

/* ---- sizes and types ------------------------------------------------------------------------- */

/* The extent of `loop` where some operand's type tells it, else the dynamic size. */
static int64_t loop_extent(MlirOperation op, int loop) {
  for (intptr_t operand = 0; operand < 3; operand++) {
    MlirAffineMap map = ts_linalg_map(op, operand);
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, operand));
    for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
      MlirAffineExpr result = mlirAffineMapGetResult(map, d);
      if (mlirAffineExprIsADim(result) && mlirAffineDimExprGetPosition(result) == loop &&
          !mlirShapedTypeIsDynamicDim(type, d))
        return mlirShapedTypeGetDimSize(type, d);
    }
  }
  return mlirShapedTypeGetDynamicSize();
}

bool ts_is_worthwhile(MlirOperation op) {
  int64_t products = 1;
  for (intptr_t loop = 0; loop < ts_linalg_num_loops(op); loop++) {
    int64_t extent = loop_extent(op, (int)loop);
    if (extent == mlirShapedTypeGetDynamicSize() || products >= WORTHWHILE)
      return true;
    products *= extent;
  }
  return products >= WORTHWHILE;
}

/* Element types that both linalg.contract and the runtime multiply as the body says. On one bit,
 * addition is exclusive or, which neither makes; four bits take a byte in memory; of an index,
 * linalg.contract can make no body. */
static bool is_gemm_type(MlirType type) {
  if (mlirTypeIsAInteger(type))
    return mlirIntegerTypeGetWidth(type) >= 8 && ts_dtype(type) != 0;
  if (mlirTypeIsAFloat(type))
    return mlirFloatTypeGetWidth(type) >= 16 && ts_dtype(type) != 0;
  return mlirTypeIsAComplex(type) && ts_dtype(type) != 0;
}

/* Both inputs alike. That the result is as wide or wider follows from the body. */
static bool has_gemm_types(MlirOperation op) {
  MlirType types[3];
  for (intptr_t i = 0; i < 3; i++) {
    types[i] = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (!mlirTypeIsAShaped(types[i]))
      return false;
    types[i] = mlirShapedTypeGetElementType(types[i]);
  }
  return mlirTypeEqual(types[0], types[1]) && is_gemm_type(types[0]) && is_gemm_type(types[2]);
}

bool ts_is_sum_of_products(MlirOperation op) {
  return ts_op_is_linalg(op) && ts_linalg_num_inputs(op) == 2 && ts_linalg_num_inits(op) == 1 &&
         has_gemm_types(op) && is_multiply_add(ts_linalg_body(op));
}
