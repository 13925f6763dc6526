/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A transpose of a product is the product of the transposed operands in the other order. It knows
 * structured ops; it must not know layouts. */
#include "propagate/transposed_products.h"

#include "capi/capi.h"
#include "ir/generic.h"
#include "ir/transposes.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Dialect/Linalg.h"

enum { A, B, C, NUM_OPERANDS };

/* What an op is told beside its own attributes is about its result as it is. */
static bool is_plain(MlirOperation op) {
  return mlirOperationGetNumDiscardableAttributes(op) == 0;
}

/* The contraction behind `transpose`, which starts from one value everywhere; else null. */
static MlirOperation product_behind(MlirOperation transpose) {
  MlirOperation none = {NULL}, product = ts_defining_op(mlirOperationGetOperand(transpose, 0));
  if (!product.ptr || !ts_op_is_linalg(product) || mlirOperationGetNumResults(product) != 1 ||
      ts_linalg_num_inputs(product) != 2 || !mlirLinalgIsAContractionOp(product) ||
      !ts_has_one_use(mlirOperationGetResult(product, 0)) ||
      !mlirBlockEqual(mlirOperationGetBlock(product), mlirOperationGetBlock(transpose)) ||
      !is_plain(product) || !is_plain(transpose))
    return none;
  MlirOperation fill = ts_defining_op(mlirOperationGetOperand(product, C));
  return fill.ptr && ts_op_is(fill, "linalg.fill") && is_plain(fill) ? product : none;
}

/* The loops in the order of the dimensions that `transpose` gives, then those of the sum, as other
 * products have them: the old loop at each new place. */
static void order_loops(MlirOperation product, int rank, const int *source,
                        int order[TS_MAX_RANK]) {
  MlirAffineMap map = ts_linalg_map(product, C);
  int num = 0;
  for (int d = 0; d < rank; d++)
    order[num++] = (int)mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, source[d]));
  for (intptr_t loop = 0; loop < ts_linalg_num_loops(product); loop++) {
    bool placed = false;
    for (int i = 0; i < rank; i++)
      placed |= order[i] == loop;
    if (!placed)
      order[num++] = (int)loop;
  }
}

/* Operand `i` of the product, or what it is a transpose of, and its map in loops of the new order.
 * So an operand that is used both ways is brought to its layout once. */
static MlirValue reordered(MlirOperation product, intptr_t i, const int *order,
                           MlirAttribute *reordered) {
  MlirAffineMap map = ts_linalg_map(product, i);
  MlirValue operand = ts_without_transposes(mlirOperationGetOperand(product, i), &map);
  MlirContext context = mlirAffineMapGetContext(map);
  MlirAffineExpr results[TS_MAX_RANK];
  intptr_t num = mlirAffineMapGetNumDims(map), rank = mlirAffineMapGetNumResults(map);
  for (intptr_t d = 0; d < rank; d++) {
    int place = 0;
    while (order[place] != mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, d)))
      place++;
    results[d] = mlirAffineDimExprGet(context, place);
  }
  *reordered = mlirAffineMapAttrGet(mlirAffineMapGet(context, num, 0, rank, results));
  return operand;
}

/* The result's map, as the transpose gives it. */
static MlirAttribute result_map(MlirOperation product, int rank) {
  MlirAffineMap all = mlirAffineMapMultiDimIdentityGet(mlirOperationGetContext(product),
                                                       ts_linalg_num_loops(product));
  return mlirAffineMapAttrGet(mlirAffineMapGetMajorSubMap(all, rank));
}

static void reordered_iterators(MlirOperation op, const int *order,
                                MlirAttribute iterators[TS_MAX_RANK]) {
  MlirContext context = mlirOperationGetContext(op);
  intptr_t num = ts_linalg_num_loops(op);
  ts_parallel_iterators(context, num, iterators);
  for (intptr_t i = 0; i < num; i++)
    if (ts_linalg_iterator(op, order[i]) != 0)
      iterators[i] = ts_reduction_iterator(context);
}

/* Moves the body out of `op`, which must go then; its first two arguments change places. */
static MlirRegion take_body(MlirOperation op) {
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(op, 0));
  MlirBlock body = mlirRegionGetFirstBlock(region);
  MlirValue first = mlirBlockGetArgument(body, A);
  MlirValue moved =
      mlirBlockInsertArgument(body, C, mlirValueGetType(first), mlirOperationGetLocation(op));
  mlirValueReplaceAllUsesOfWith(first, moved);
  mlirBlockEraseArgument(body, A);
  return region;
}

static MlirValue fill(const ts_maker *build, MlirOperation old, MlirValue destination) {
  MlirOperation made = mlirOperationClone(old);
  mlirOperationSetOperand(made, 1, destination);
  mlirValueSetType(mlirOperationGetResult(made, 0), mlirValueGetType(destination));
  mlirBlockInsertOwnedOperationBefore(build->block, build->before, made);
  return mlirOperationGetResult(made, 0);
}

static void rewrite(MlirOperation transpose, MlirOperation product, int rank, const int *source) {
  ts_maker build = ts_make_before(transpose);
  build.location = mlirOperationGetLocation(product);
  int order[TS_MAX_RANK];
  order_loops(product, rank, source, order);
  MlirAttribute maps[NUM_OPERANDS], iterators[TS_MAX_RANK];
  MlirValue operands[NUM_OPERANDS];
  operands[A] = reordered(product, B, order, &maps[A]);
  operands[B] = reordered(product, A, order, &maps[B]);
  maps[C] = result_map(product, rank);
  MlirOperation old_fill = ts_defining_op(mlirOperationGetOperand(product, C));
  MlirValue result = mlirOperationGetResult(transpose, 0);
  MlirType type = mlirValueGetType(result);
  operands[C] = fill(&build, old_fill, mlirOperationGetOperand(transpose, 1));
  intptr_t num_loops = ts_linalg_num_loops(product);
  reordered_iterators(product, order, iterators);
  MlirOperation made = ts_make_generic(&build, &(ts_new_generic){.num_inputs = 2,
                                                                 .num_outputs = 1,
                                                                 .operands = operands,
                                                                 .maps = maps,
                                                                 .num_loops = num_loops,
                                                                 .iterators = iterators,
                                                                 .results = &type,
                                                                 .body = take_body(product)});
  mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(made, 0));
  mlirOperationDestroy(transpose);
  mlirOperationDestroy(product);
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(old_fill, 0))))
    mlirOperationDestroy(old_fill);
}

static void visit(MlirOperation op, void *user) {
  bool *any = user;
  int source[TS_MAX_RANK], rank = ts_transpose_read(op, source);
  MlirOperation product = rank < 0 ? (MlirOperation){NULL} : product_behind(op);
  if (!product.ptr || ts_linalg_num_loops(product) > TS_MAX_RANK)
    return;
  rewrite(op, product, rank, source);
  *any = true;
}

void ts_transpose_products(MlirOperation module) {
  bool any = false;
  ts_each_op(module, visit, &any);
  if (any)
    ts_erase_unused_results(module); /* what products no longer start from, or transposes give */
}
