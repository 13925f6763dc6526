/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What is done with a product right behind it, which a library for products may do by itself: what
 * is added, and an activation of the sum. It knows memory; it must not know how products are
 * computed. */
#include "lowering/calls/epilogues.h"

#include "capi/capi.h"
#include "ir/memory_views.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "rules/linalg.h"
#include "support/blocks.h"
#include "support/ir.h"

enum { PRODUCT_RESULT = 2 }; /* operand of a contraction */

/* ---- memory ---------------------------------------------------------------------------------- */

static bool is_one_of(MlirOperation op, const MlirOperation *ops, int num) {
  for (int i = 0; i < num; i++)
    if (mlirOperationEqual(op, ops[i]))
      return true;
  return false;
}

/* Nothing in front of `end` but those `known` looks at the memory. */
static bool is_unseen(MlirValue memory, const MlirOperation *known, int num, MlirOperation end) {
  for (MlirOpOperand use = mlirValueGetFirstUse(memory); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    MlirOperation place = ts_ancestor_in(mlirOperationGetBlock(end), user);
    if (!is_one_of(user, known, num) && (!place.ptr || !mlirOperationIsBeforeInBlock(end, place)))
      return false;
  }
  return true;
}

static bool is_made_beside(MlirValue memory, MlirOperation end) {
  MlirOperation op = ts_defining_op(memory);
  return op.ptr && ts_op_is(op, "memref.alloc") &&
         mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(end));
}

/* Those `known` use it, it is given back, and that is all. */
static bool only_freed(MlirValue memory, const MlirOperation *known, int num) {
  for (MlirOpOperand use = mlirValueGetFirstUse(memory); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!is_one_of(user, known, num) && !ts_op_is(user, "memref.dealloc"))
      return false;
  }
  return true;
}

static MlirValue whole_of(MlirValue memory) {
  for (MlirOperation op = ts_defining_op(memory); op.ptr && !mlirValueIsNull(ts_view_source(op));
       op = ts_defining_op(memory))
    memory = ts_view_source(op);
  return memory;
}

static bool is_allocated(MlirValue memory) {
  MlirOperation op = ts_defining_op(memory);
  return op.ptr && ts_op_is(op, "memref.alloc");
}

static bool is_argument(MlirValue memory) {
  return mlirValueIsABlockArgument(memory) &&
         ts_op_is(mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(memory)), "func.func");
}

/* What is allocated is part of no argument, nor of what is allocated elsewhere. */
static bool are_apart(MlirValue memory, MlirValue other) {
  MlirValue mine = whole_of(memory), its = whole_of(other);
  return is_allocated(mine) && (is_allocated(its) || is_argument(its)) &&
         !mlirValueEqual(mine, its);
}

static bool reshapes(MlirOperation op, MlirValue memory) {
  return op.ptr && (ts_op_is(op, "memref.expand_shape") || ts_op_is(op, "memref.collapse_shape")) &&
         mlirValueEqual(mlirOperationGetOperand(op, 0), memory);
}

/* Finds the loop nest behind `product`, and what it reads the product through, if there is nothing
 * between that looks at memory. */
static void find_nest(MlirOperation product, ts_epilogue *found) {
  MlirValue multiplied = mlirOperationGetOperand(product, PRODUCT_RESULT);
  MlirOperation op = mlirOperationGetNextInBlock(product);
  while (op.ptr && (ts_op_is(op, "memref.alloc") || ts_op_is_memory_effect_free(op)))
    op = mlirOperationGetNextInBlock(op);
  if (!op.ptr || !ts_op_is(op, "linalg.generic"))
    return;
  found->op = op;
  for (intptr_t i = 0; i < ts_linalg_num_inputs(op); i++) {
    MlirOperation made = ts_defining_op(mlirOperationGetOperand(op, i));
    if (reshapes(made, multiplied))
      found->reshape = made;
  }
}

/* What the nest reads for the product. */
static MlirValue seen_as(const ts_epilogue *epilogue, MlirValue multiplied) {
  return epilogue->reshape.ptr ? mlirOperationGetResult(epilogue->reshape, 0) : multiplied;
}

/* The product may be added to its residual: nothing that it reads lies there. */
static bool may_accumulate(MlirOperation product, const ts_epilogue *epilogue) {
  return are_apart(epilogue->result, mlirOperationGetOperand(product, 0)) &&
         are_apart(epilogue->result, mlirOperationGetOperand(product, 1)) &&
         (!epilogue->bias.ptr || are_apart(epilogue->result, epilogue->bias));
}

/* The product's memory may go, or is the result's. */
static bool may_replace(MlirOperation product, MlirOperation fill, const ts_epilogue *epilogue) {
  MlirValue multiplied = mlirOperationGetOperand(product, PRODUCT_RESULT);
  MlirValue seen = seen_as(epilogue, multiplied);
  const MlirOperation known[] = {fill, product, epilogue->op, epilogue->reshape};
  int num = epilogue->reshape.ptr ? 4 : 3;
  if (!is_made_beside(multiplied, epilogue->op) ||
      !is_unseen(multiplied, known, num, epilogue->op) ||
      !is_unseen(seen, known, num, epilogue->op))
    return false;
  if (mlirValueEqual(epilogue->result, seen))
    return true;
  return only_freed(multiplied, known, num) && only_freed(seen, known, num) &&
         (epilogue->accumulates ? may_accumulate(product, epilogue)
                                : is_made_beside(epilogue->result, epilogue->op) &&
                                      is_unseen(epilogue->result, &epilogue->op, 1, epilogue->op));
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* The dimension that dimension `d` of the product is by itself in what the nest reads; or -1. */
static intptr_t dimension_seen(const ts_epilogue *epilogue, intptr_t d) {
  if (!epilogue->reshape.ptr)
    return d;
  MlirAttribute groups = ts_attribute(epilogue->reshape, "reassociation");
  bool expands = ts_op_is(epilogue->reshape, "memref.expand_shape");
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(groups); g++) {
    MlirAttribute group = mlirArrayAttrGetElement(groups, g);
    if (mlirArrayAttrGetNumElements(group) != 1)
      continue;
    intptr_t only = mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(group, 0));
    if ((expands ? g : only) == d)
      return expands ? only : g;
  }
  return -1;
}

MlirValue ts_epilogue_in_shape(const ts_maker *build, const ts_epilogue *epilogue, MlirValue memory,
                               MlirValue product) {
  if (!epilogue->reshape.ptr)
    return memory;
  if (mlirValueEqual(memory, seen_as(epilogue, product)))
    return product;
  MlirType type = mlirValueGetType(product);
  int64_t sizes[TS_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t d = 0; d < rank; d++)
    sizes[d] = mlirShapedTypeGetDimSize(type, d);
  MlirNamedAttribute attributes[] = {
      ts_named(build->context, "reassociation", ts_attribute(epilogue->reshape, "reassociation")),
      ts_named(build->context, "static_output_shape",
               mlirDenseI64ArrayGet(build->context, rank, sizes))};
  bool expands = ts_op_is(epilogue->reshape, "memref.expand_shape");
  return expands ? ts_make_value(build, "memref.collapse_shape", 1, &memory, type, 1, attributes)
                 : ts_make_value(build, "memref.expand_shape", 1, &memory, type, 2, attributes);
}

/* Contiguous; behind reshapes, of sizes that are known. */
static bool has_shape(const ts_epilogue *epilogue, MlirType type) {
  return ts_is_identity_memref(type) &&
         (!epilogue->reshape.ptr ||
          (mlirShapedTypeHasStaticShape(type) && mlirShapedTypeGetRank(type) <= TS_MAX_RANK));
}

/* ---- the nest -------------------------------------------------------------------------------- */

/* One dimension of the product's type, along the loop of the product's columns. */
static bool is_along_columns(MlirOperation product, const ts_contraction *contraction,
                             const ts_epilogue *epilogue, intptr_t input) {
  MlirAffineMap map = ts_linalg_map(epilogue->op, input);
  MlirAffineMap to = ts_linalg_map(product, PRODUCT_RESULT);
  MlirType type = mlirValueGetType(mlirOperationGetOperand(epilogue->op, input));
  MlirType multiplied = mlirValueGetType(mlirOperationGetOperand(product, PRODUCT_RESULT));
  if (contraction->num[TS_ROLE_N] != 1 || mlirAffineMapGetNumResults(map) != 1 ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(type), mlirShapedTypeGetElementType(multiplied)))
    return false;
  MlirAffineExpr along = mlirAffineMapGetResult(map, 0);
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(to); d++)
    if (mlirAffineDimExprGetPosition(mlirAffineMapGetResult(to, d)) ==
        contraction->loops[TS_ROLE_N][0])
      return mlirAffineExprIsADim(along) &&
             mlirAffineDimExprGetPosition(along) == dimension_seen(epilogue, d);
  return false;
}

/* Sorts out the inputs: the product itself, once, and at most one of each kind. */
static bool read_inputs(MlirOperation product, const ts_contraction *contraction,
                        ts_epilogue *epilogue) {
  MlirValue seen = seen_as(epilogue, mlirOperationGetOperand(product, PRODUCT_RESULT));
  MlirType type = mlirValueGetType(seen);
  bool found = false;
  for (intptr_t i = 0; i < ts_linalg_num_inputs(epilogue->op); i++) {
    MlirValue input = mlirOperationGetOperand(epilogue->op, i);
    bool is_whole = mlirAffineMapIsIdentity(ts_linalg_map(epilogue->op, i));
    bool is_product = mlirValueEqual(input, seen);
    if (is_product && is_whole && !found)
      found = true;
    else if (!is_product && is_whole && mlirTypeEqual(mlirValueGetType(input), type) &&
             !epilogue->residual.ptr)
      epilogue->residual = input;
    else if (!is_product && is_along_columns(product, contraction, epilogue, i) &&
             !epilogue->bias.ptr)
      epilogue->bias = input;
    else
      return false;
  }
  if (epilogue->residual.ptr && mlirValueEqual(epilogue->residual, epilogue->result)) {
    epilogue->residual = (MlirValue){NULL};
    epilogue->accumulates = true;
  }
  return found;
}

/* Libraries have activations of these. */
static bool is_activated(MlirType element) {
  return mlirTypeIsAF32(element) || mlirTypeIsAF16(element) || mlirTypeIsABF16(element);
}

static bool is_plain(const ts_epilogue *epilogue, const ts_activations *allowed) {
  intptr_t num = ts_linalg_num_inputs(epilogue->op);
  MlirType type = mlirValueGetType(mlirOperationGetOperand(epilogue->op, num));
  const bool known[] = {
      [TS_NO_ACTIVATION] = num > 1, [TS_RELU] = allowed->relu, [TS_GELU] = allowed->gelu};
  return mlirAffineMapIsIdentity(ts_linalg_map(epilogue->op, num)) && known[epilogue->activation] &&
         (epilogue->activation == TS_NO_ACTIVATION ||
          is_activated(mlirShapedTypeGetElementType(type)));
}

ts_epilogue ts_epilogue_of(MlirOperation product, const ts_contraction *contraction,
                           MlirOperation fill, const ts_activations *allowed) {
  const ts_epilogue none = {.op = {NULL}};
  MlirValue multiplied = mlirOperationGetOperand(product, PRODUCT_RESULT);
  ts_epilogue found = none;
  if (fill.ptr)
    find_nest(product, &found);
  intptr_t num = found.op.ptr ? ts_linalg_num_inputs(found.op) : 0;
  if (num < 1 || num > 3 || mlirOperationGetNumOperands(found.op) != num + 1)
    return none;
  MlirType type = mlirValueGetType(seen_as(&found, multiplied));
  found.activation = ts_activation_of(found.op, num);
  found.result = mlirOperationGetOperand(found.op, num);
  bool fits = is_plain(&found, allowed) && has_shape(&found, mlirValueGetType(multiplied)) &&
              has_shape(&found, type) && mlirTypeEqual(mlirValueGetType(found.result), type) &&
              read_inputs(product, contraction, &found) && may_replace(product, fill, &found);
  return fits ? found : none;
}

void ts_epilogue_drop(const ts_epilogue *epilogue, MlirValue product) {
  MlirValue seen = seen_as(epilogue, product);
  mlirOperationDestroy(epilogue->op);
  if (mlirValueEqual(epilogue->result, seen))
    return;
  if (epilogue->reshape.ptr)
    mlirOperationDestroy(epilogue->reshape);
  for (MlirOpOperand use = mlirValueGetFirstUse(product); !mlirOpOperandIsNull(use);
       use = mlirValueGetFirstUse(product))
    mlirOperationDestroy(mlirOpOperandGetOwner(use));
  mlirOperationDestroy(mlirOpResultGetOwner(product));
}
