/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Products that are added to a value whose last use that is. It knows linalg.contract and sums; it
 * must not know buffers, nor how a product is computed. */
#include "lowering/memory/accumulated.h"

#include "capi/capi.h"
#include "ir/build.h"
#include "lowering/memory/reuse.h"
#include "lowering/prepare/contractions.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { NUM_INPUTS = 2 }; /* of a sum and of a product; behind them is what these start from */

/* ---- sums ------------------------------------------------------------------------------------ */

static bool is_argument(MlirOperation op, MlirValue value, intptr_t number) {
  return mlirValueEqual(value, mlirBlockGetArgument(ts_linalg_body(op), number));
}

/* The body adds up the two inputs, and does nothing else. */
static bool adds_inputs(MlirOperation op) {
  MlirOperation yield = mlirBlockGetTerminator(ts_linalg_body(op));
  MlirOperation sum = ts_defining_op(mlirOperationGetOperand(yield, 0));
  if (!sum.ptr || !ts_op_is(sum, "arith.addf"))
    return false;
  MlirValue left = mlirOperationGetOperand(sum, 0), right = mlirOperationGetOperand(sum, 1);
  return (is_argument(op, left, 0) && is_argument(op, right, 1)) ||
         (is_argument(op, left, 1) && is_argument(op, right, 0));
}

/* Types in which a product's sum is rounded no earlier than its result is. */
static bool is_wide(MlirType type) {
  MlirType element = mlirShapedTypeGetElementType(type);
  return mlirTypeIsAF32(element) || mlirTypeIsAF64(element);
}

static bool is_empty(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  return op.ptr && ts_op_is(op, "tensor.empty");
}

/* An elementwise sum of two tensors of one type, into memory of its own: what an insertion, say,
 * wants elsewhere would have to be copied. */
static bool is_sum(MlirOperation op) {
  if (!ts_op_is(op, "linalg.generic") || mlirOperationGetNumResults(op) != 1 ||
      ts_linalg_num_inputs(op) != NUM_INPUTS ||
      !is_empty(mlirOperationGetOperand(op, NUM_INPUTS)) || !adds_inputs(op))
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  for (intptr_t i = 0; i <= NUM_INPUTS; i++)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, i)), type) ||
        !mlirAffineMapIsIdentity(ts_linalg_map(op, i)))
      return false;
  return is_wide(type);
}

/* ---- products -------------------------------------------------------------------------------- */

static bool is_zero_fill(MlirValue value) {
  MlirOperation fill = ts_defining_op(value);
  if (!fill.ptr || !ts_op_is(fill, "linalg.fill"))
    return false;
  MlirOperation constant = ts_defining_op(mlirOperationGetOperand(fill, 0));
  MlirAttribute number = constant.ptr && ts_op_is(constant, "arith.constant")
                             ? ts_attribute(constant, "value")
                             : mlirAttributeGetNull();
  return !mlirAttributeIsNull(number) && mlirAttributeIsAFloat(number) &&
         mlirFloatAttrGetValueDouble(number) == 0.0;
}

/* The product, made by a call, that `sum` alone reads as its input number `input`; or null. */
static MlirOperation product_of(MlirOperation sum, intptr_t input) {
  MlirValue value = mlirOperationGetOperand(sum, input);
  MlirOperation product = ts_defining_op(value), none = {NULL};
  ts_contraction contraction;
  if (!product.ptr || !ts_op_is(product, "linalg.contract") || !ts_has_one_use(value) ||
      !mlirBlockEqual(mlirOperationGetBlock(product), mlirOperationGetBlock(sum)) ||
      !is_zero_fill(mlirOperationGetOperand(product, NUM_INPUTS)) ||
      !ts_contraction_read(product, &contraction))
    return none;
  return product;
}

/* The product in the place of the sum, where the value that it starts from is there, and read no
 * more. */
static void accumulate(MlirOperation sum, MlirOperation product, MlirValue start) {
  ts_maker build = ts_make_before(sum);
  build.location = mlirOperationGetLocation(product);
  MlirValue operands[] = {mlirOperationGetOperand(product, 0), mlirOperationGetOperand(product, 1),
                          start};
  MlirAffineMap maps[] = {ts_linalg_map(product, 0), ts_linalg_map(product, 1),
                          ts_linalg_map(product, NUM_INPUTS)};
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(sum, 0),
                                ts_make_contract(&build, operands, maps));
  mlirOperationDestroy(sum);
  mlirOperationDestroy(product);
}

/* Of two products the later one starts from the other's result. */
static void visit(MlirOperation op, void *user) {
  (void)user;
  if (!is_sum(op))
    return;
  MlirOperation products[NUM_INPUTS] = {product_of(op, 0), product_of(op, 1)};
  bool second = products[1].ptr &&
                !(products[0].ptr && mlirOperationIsBeforeInBlock(products[1], products[0]));
  MlirValue start = mlirOperationGetOperand(op, second ? 0 : 1);
  if (products[second].ptr && ts_memory_ends_at(start, op, 0, ts_linalg_map(op, NUM_INPUTS)))
    accumulate(op, products[second], start);
}

void ts_products_accumulate(MlirOperation module) {
  ts_each_op(module, visit, NULL);
}
