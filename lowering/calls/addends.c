/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What is added to a product right behind it, which a library for products may add by itself. It
 * knows memory and sums; it must not know how products are computed. */
#include "lowering/calls/addends.h"

#include "capi/capi.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"
#include "rules/linalg.h"
#include "support/blocks.h"
#include "support/ir.h"

enum { PRODUCT_RESULT = 2 }; /* operand of a contraction */

/* ---- the sum --------------------------------------------------------------------------------- */

/* `value` adds up arguments of the block, each once; `seen` are those so far. */
static bool is_sum_of_arguments(MlirBlock block, MlirValue value, uint32_t *seen) {
  if (mlirValueIsABlockArgument(value)) {
    uint32_t bit = (uint32_t)1 << mlirBlockArgumentGetArgNumber(value);
    bool once = mlirBlockEqual(mlirBlockArgumentGetOwner(value), block) && !(*seen & bit);
    *seen |= bit;
    return once;
  }
  MlirOperation op = mlirOpResultGetOwner(value);
  return ts_op_is(op, "arith.addf") &&
         is_sum_of_arguments(block, mlirOperationGetOperand(op, 0), seen) &&
         is_sum_of_arguments(block, mlirOperationGetOperand(op, 1), seen);
}

/* The body adds up just all inputs. */
static bool adds_inputs(MlirOperation op, intptr_t num_inputs) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  MlirOperation yield = mlirBlockGetTerminator(body);
  uint32_t seen = 0;
  return is_sum_of_arguments(body, mlirOperationGetOperand(yield, 0), &seen) &&
         seen == ((uint32_t)1 << num_inputs) - 1;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Memory made in the block, of which nothing in front of `end` but `first` and `second` knows. */
static bool is_fresh(MlirValue memory, MlirOperation first, MlirOperation second,
                     MlirOperation end) {
  if (!mlirValueIsAOpResult(memory) || !ts_op_is(mlirOpResultGetOwner(memory), "memref.alloc") ||
      !mlirBlockEqual(mlirOperationGetBlock(mlirOpResultGetOwner(memory)),
                      mlirOperationGetBlock(end)))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(memory); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    MlirOperation place = ts_ancestor_in(mlirOperationGetBlock(end), user);
    bool is_known = mlirOperationEqual(user, first) || mlirOperationEqual(user, second) ||
                    mlirOperationEqual(user, end);
    if (!is_known && (!place.ptr || !mlirOperationIsBeforeInBlock(end, place)))
      return false;
  }
  return true;
}

/* After `end` the product is given back, and that is all. */
static bool only_freed(MlirValue memory, MlirOperation fill, MlirOperation product,
                       MlirOperation end) {
  for (MlirOpOperand use = mlirValueGetFirstUse(memory); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!mlirOperationEqual(user, fill) && !mlirOperationEqual(user, product) &&
        !mlirOperationEqual(user, end) && !ts_op_is(user, "memref.dealloc"))
      return false;
  }
  return true;
}

/* The loop nest behind `product`, if there is nothing between that looks at memory; or null. */
static MlirOperation nest_behind(MlirOperation product) {
  MlirOperation op = mlirOperationGetNextInBlock(product);
  while (op.ptr && (ts_op_is(op, "memref.alloc") || ts_op_is_memory_effect_free(op)))
    op = mlirOperationGetNextInBlock(op);
  return op.ptr && ts_op_is(op, "linalg.generic") ? op : (MlirOperation){NULL};
}

/* ---- the nest -------------------------------------------------------------------------------- */

/* One dimension, along the loop of the product's columns. */
static bool is_along_columns(MlirOperation op, intptr_t input, MlirOperation product,
                             const ts_contraction *contraction) {
  MlirAffineMap map = ts_linalg_map(op, input), to = ts_linalg_map(product, PRODUCT_RESULT);
  if (contraction->num[TS_ROLE_N] != 1 || mlirAffineMapGetNumResults(map) != 1)
    return false;
  MlirAffineExpr along = mlirAffineMapGetResult(map, 0);
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(to); d++)
    if (mlirAffineDimExprGetPosition(mlirAffineMapGetResult(to, d)) ==
        contraction->loops[TS_ROLE_N][0])
      return mlirAffineExprIsADim(along) && mlirAffineDimExprGetPosition(along) == d;
  return false;
}

/* Sorts out the inputs: the product itself, once, and at most one of each kind. */
static bool read_inputs(MlirOperation product, const ts_contraction *contraction,
                        ts_addends *addends) {
  MlirValue multiplied = mlirOperationGetOperand(product, PRODUCT_RESULT);
  MlirType type = mlirValueGetType(multiplied);
  bool found = false;
  for (intptr_t i = 0; i < ts_linalg_num_inputs(addends->op); i++) {
    MlirValue input = mlirOperationGetOperand(addends->op, i);
    bool is_whole = mlirAffineMapIsIdentity(ts_linalg_map(addends->op, i));
    bool is_product = mlirValueEqual(input, multiplied);
    if (is_product && is_whole && !found)
      found = true;
    else if (!is_product && is_whole && mlirTypeEqual(mlirValueGetType(input), type) &&
             !addends->residual.ptr)
      addends->residual = input;
    else if (!is_product && is_along_columns(addends->op, i, product, contraction) &&
             !addends->bias.ptr)
      addends->bias = input;
    else
      return false;
  }
  return found;
}

static bool is_plain(MlirOperation nest) {
  intptr_t num = ts_linalg_num_inputs(nest);
  return mlirOperationGetNumOperands(nest) == num + 1 && num >= 2 && num <= 3 &&
         mlirAffineMapIsIdentity(ts_linalg_map(nest, num)) && adds_inputs(nest, num);
}

ts_addends ts_addends_of(MlirOperation product, const ts_contraction *contraction,
                         MlirOperation fill) {
  const ts_addends none = {.op = {NULL}};
  MlirValue multiplied = mlirOperationGetOperand(product, PRODUCT_RESULT);
  MlirType type = mlirValueGetType(multiplied);
  ts_addends found = {.op = fill.ptr ? nest_behind(product) : (MlirOperation){NULL}};
  if (!found.op.ptr || !is_plain(found.op) || !ts_is_identity_memref(type))
    return none;
  found.result = mlirOperationGetOperand(found.op, ts_linalg_num_inputs(found.op));
  if (!mlirTypeEqual(mlirValueGetType(found.result), type) ||
      !read_inputs(product, contraction, &found) || !is_fresh(multiplied, fill, product, found.op))
    return none;
  bool in_place = mlirValueEqual(found.result, multiplied);
  MlirOperation nobody = {NULL};
  if (!in_place && (!only_freed(multiplied, fill, product, found.op) ||
                    !is_fresh(found.result, nobody, nobody, found.op)))
    return none;
  return found;
}

void ts_addends_drop(const ts_addends *addends, MlirValue product) {
  mlirOperationDestroy(addends->op);
  if (mlirValueEqual(addends->result, product))
    return;
  for (MlirOpOperand use = mlirValueGetFirstUse(product); !mlirOpOperandIsNull(use);
       use = mlirValueGetFirstUse(product))
    mlirOperationDestroy(mlirOpOperandGetOwner(use));
  mlirOperationDestroy(mlirOpResultGetOwner(product));
}
