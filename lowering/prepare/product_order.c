/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The order of a product's dimensions in memory. It knows linalg.contract and maps; it must not
 * know how a product is computed. */
#include "lowering/prepare/product_order.h"

#include "capi/capi.h"
#include "ir/build.h"
#include "ir/merged_dims.h"
#include "ir/transposes.h"
#include "lowering/prepare/contractions.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* A product that input `input` of the linalg.generic `op` alone reads. */
typedef struct reader {
  MlirOperation product, split; /* split: tensor.expand_shape between them; null: none */
  MlirOperation op;
  intptr_t input;
} reader;

/* The dimensions of the tensor that is read, in the order of the loops along them. */
typedef struct order {
  int rank;
  int dims[TS_MAX_RANK];
} order;

static int loop_of(MlirAffineMap map, intptr_t d) {
  MlirAffineExpr expression = mlirAffineMapGetResult(map, d);
  return mlirAffineExprIsADim(expression) ? (int)mlirAffineDimExprGetPosition(expression) : -1;
}

static bool read_reader(MlirOperation op, intptr_t input, reader *found) {
  MlirValue value = mlirOperationGetOperand(op, input);
  *found = (reader){.op = op, .input = input, .product = ts_defining_op(value)};
  if (!found->product.ptr || !ts_has_one_use(value))
    return false;
  if (ts_op_is(found->product, "tensor.expand_shape")) {
    found->split = found->product;
    value = mlirOperationGetOperand(found->split, 0);
    found->product = ts_defining_op(value);
  }
  return found->product.ptr && ts_op_is(found->product, "linalg.contract") &&
         mlirOperationGetNumResults(found->product) == 1 && ts_has_one_use(value);
}

/* False where they are in order, or where a dimension has no loop of its own. */
static bool read_order(MlirAffineMap map, order *found) {
  bool changes = false;
  *found = (order){.rank = (int)mlirAffineMapGetNumResults(map)};
  if (found->rank > TS_MAX_RANK)
    return false;
  for (int d = 0; d < found->rank; d++) {
    int loop = loop_of(map, d), at = d;
    if (loop < 0)
      return false;
    for (; at > 0 && loop_of(map, found->dims[at - 1]) >= loop; at--) {
      if (loop_of(map, found->dims[at - 1]) == loop)
        return false;
      found->dims[at] = found->dims[at - 1];
      changes = true;
    }
    found->dims[at] = d;
  }
  return changes;
}

/* `split` with its groups in another order, and that order; false where it parts a group. */
static bool order_groups(const order *parts, ts_merged_dims *split, order *groups) {
  ts_merged_dims before = *split;
  *groups = (order){0};
  for (int at = 0; at < parts->rank;) {
    int g = 0;
    while (parts->dims[at] >= before.first[g] + before.num[g])
      g++;
    for (int i = 0; i < before.num[g]; i++)
      if (at + i >= parts->rank || parts->dims[at + i] != before.first[g] + i)
        return false;
    split->first[groups->rank] = at;
    split->num[groups->rank] = before.num[g];
    groups->dims[groups->rank++] = g;
    at += before.num[g];
  }
  return true;
}

/* Of the matrix, and not of its batch, is what runs fastest in memory. */
static bool is_in_order(MlirOperation product, const order *wanted) {
  int last = loop_of(ts_linalg_map(product, 2), wanted->dims[wanted->rank - 1]), inputs = 0;
  for (int i = 0; i < 2; i++)
    for (intptr_t d = 0; d < mlirAffineMapGetNumResults(ts_linalg_map(product, i)); d++)
      inputs += loop_of(ts_linalg_map(product, i), d) == last;
  return inputs == 1;
}

static void permute_sizes(MlirValue value, const order *order, int64_t *sizes) {
  for (int d = 0; d < order->rank; d++)
    sizes[d] = mlirShapedTypeGetDimSize(mlirValueGetType(value), order->dims[d]);
}

static MlirAffineMap permute_map(MlirAffineMap map, const order *order) {
  MlirAffineExpr results[TS_MAX_RANK];
  for (int d = 0; d < order->rank; d++)
    results[d] = mlirAffineMapGetResult(map, order->dims[d]);
  return mlirAffineMapGet(mlirAffineMapGetContext(map), mlirAffineMapGetNumDims(map), 0,
                          order->rank, results);
}

/* The product anew, with its result's dimensions in that order. */
static MlirValue make_ordered(MlirOperation product, MlirValue scalar, const order *order) {
  ts_maker build = ts_make_before(product);
  MlirType type = mlirValueGetType(mlirOperationGetResult(product, 0));
  int64_t sizes[TS_MAX_RANK];
  permute_sizes(mlirOperationGetResult(product, 0), order, sizes);
  MlirType made = mlirRankedTensorTypeGet(order->rank, sizes, mlirShapedTypeGetElementType(type),
                                          mlirAttributeGetNull());
  MlirValue operands[] = {mlirOperationGetOperand(product, 0), mlirOperationGetOperand(product, 1),
                          ts_make_fill(&build, scalar, made)};
  MlirAffineMap maps[] = {ts_linalg_map(product, 0), ts_linalg_map(product, 1),
                          permute_map(ts_linalg_map(product, 2), order)};
  return ts_make_contract(&build, operands, maps);
}

static MlirValue split_ordered(MlirOperation split, MlirValue product, const order *parts,
                               const ts_merged_dims *merged) {
  ts_maker build = ts_make_before(split);
  int64_t sizes[TS_MAX_RANK];
  permute_sizes(mlirOperationGetResult(split, 0), parts, sizes);
  return ts_make_expand(&build, product, merged, parts->rank, sizes);
}

/* A transpose has nothing left to do; another reader goes through `value` in order. */
static void read_ordered(const reader *reader, MlirValue value, const order *parts) {
  int source[TS_MAX_RANK];
  MlirValue result = mlirOperationGetResult(reader->op, 0);
  if (ts_transpose_read(reader->op, source) >= 0 &&
      mlirTypeEqual(mlirValueGetType(result), mlirValueGetType(value)) &&
      mlirAffineMapIsIdentity(ts_linalg_map(reader->op, 1))) {
    mlirValueReplaceAllUsesOfWith(result, value);
    mlirOperationDestroy(reader->op);
    return;
  }
  MlirAttribute list = ts_attribute(reader->op, "indexing_maps"), maps[TS_MAX_RANK];
  intptr_t num = mlirArrayAttrGetNumElements(list);
  for (intptr_t i = 0; i < num; i++)
    maps[i] = mlirArrayAttrGetElement(list, i);
  maps[reader->input] =
      mlirAffineMapAttrGet(permute_map(ts_linalg_map(reader->op, reader->input), parts));
  mlirOperationSetAttributeByName(reader->op, mlirStringRefCreateFromCString("indexing_maps"),
                                  mlirArrayAttrGet(mlirOperationGetContext(reader->op), num, maps));
  mlirOperationSetOperand(reader->op, reader->input, value);
}

/* What the product starts from everywhere; null if its sizes are not known or it starts from
 * anything else. */
static MlirValue start_of(MlirOperation product) {
  MlirOperation fill = ts_defining_op(mlirOperationGetOperand(product, 2));
  MlirType type = mlirValueGetType(mlirOperationGetResult(product, 0));
  if (!fill.ptr || !ts_op_is(fill, "linalg.fill") || !mlirShapedTypeHasStaticShape(type) ||
      mlirShapedTypeGetRank(type) > TS_MAX_RANK)
    return (MlirValue){NULL};
  return mlirOperationGetOperand(fill, 0);
}

static void order_input(const reader *reader) {
  order parts, whole;
  ts_merged_dims merged;
  MlirValue scalar = start_of(reader->product);
  if (mlirValueIsNull(scalar) || !read_order(ts_linalg_map(reader->op, reader->input), &parts))
    return;
  whole = parts;
  if (reader->split.ptr) {
    ts_merged_dims_read(reader->split, &merged);
    if (!order_groups(&parts, &merged, &whole))
      return;
  }
  if (!is_in_order(reader->product, &whole))
    return;
  MlirValue value = make_ordered(reader->product, scalar, &whole);
  if (reader->split.ptr)
    value = split_ordered(reader->split, value, &parts, &merged);
  read_ordered(reader, value, &parts);
  if (reader->split.ptr)
    mlirOperationDestroy(reader->split);
  mlirOperationDestroy(reader->product);
}

/* The op itself may go when its only input is in order. */
static void order_inputs(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "linalg.generic") || mlirOperationGetNumOperands(op) > TS_MAX_RANK)
    return;
  reader reader;
  for (intptr_t i = 0, num = ts_linalg_num_inputs(op); i < num; i++)
    if (read_reader(op, i, &reader))
      order_input(&reader);
}

void ts_products_order(MlirOperation module) {
  ts_each_op(module, order_inputs, NULL);
}
