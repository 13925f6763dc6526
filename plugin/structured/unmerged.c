/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A last loop over dimensions that reshapes merged, as a loop for each of these: what it says of
 * each (the batch of an update) is seen. It knows maps and reshapes; it must not know what the body
 * computes. */
#include "capi/capi.h"
#include "ir/build.h"
#include "ir/generic.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structured/structured.h"

/* The dimensions that the last loop was, as the first input that has it says. */
typedef struct merged {
  MlirOperation op;
  bool drops_ones; /* no loop for dimensions of one element, of which inputs may differ */
  intptr_t last, num;
  int64_t sizes[TS_MAX_RANK];
} merged;

/* The dimension that `loop` counts, or -1. False if it counts several, or a map computes. */
static bool find_loop(MlirAffineMap map, intptr_t loop, intptr_t *dim) {
  *dim = -1;
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
    MlirAffineExpr expr = mlirAffineMapGetResult(map, d);
    if (mlirAffineExprIsAConstant(expr))
      continue;
    if (!mlirAffineExprIsADim(expr))
      return false;
    if (mlirAffineDimExprGetPosition(expr) != loop)
      continue;
    if (*dim >= 0)
      return false;
    *dim = d;
  }
  return true;
}

/* The reshape before an input, where it merges dimension `dim` of that alone; else null. */
static MlirOperation reshape_of(MlirValue input, intptr_t dim) {
  const MlirOperation none = {NULL};
  MlirOperation reshape = ts_defining_op(input);
  if (!reshape.ptr || !ts_op_is(reshape, "tensor.collapse_shape"))
    return none;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(reshape, 0));
  MlirAttribute groups = ts_attribute(reshape, "reassociation");
  intptr_t rank = mlirArrayAttrGetNumElements(groups), num = mlirShapedTypeGetRank(from) - rank + 1;
  if (dim >= rank || num < 2 || !mlirShapedTypeHasStaticShape(from) ||
      mlirArrayAttrGetNumElements(mlirArrayAttrGetElement(groups, dim)) != num)
    return none;
  return reshape;
}

static MlirType source_type(MlirOperation reshape) {
  return mlirValueGetType(mlirOperationGetOperand(reshape, 0));
}

/* How many dimensions the reshape merges to one. */
static intptr_t num_merged(MlirOperation reshape) {
  return mlirShapedTypeGetRank(source_type(reshape)) -
         mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(reshape, 0))) + 1;
}

/* A loop counts dimension `dim` of what the reshape is of. */
static bool has_loop(const merged *m, MlirOperation reshape, intptr_t dim) {
  return !m->drops_ones || mlirShapedTypeGetDimSize(source_type(reshape), dim) != 1;
}

/* The reshape before an input, where it merges dimension `dim` of that alone, of the same sizes as
 * those of the other inputs. */
static bool is_merged(merged *m, MlirValue input, intptr_t dim) {
  MlirOperation reshape = reshape_of(input, dim);
  if (!reshape.ptr)
    return false;
  intptr_t num = 0;
  bool is_first = m->num == 0;
  for (intptr_t i = 0; i < num_merged(reshape); i++) {
    int64_t size = mlirShapedTypeGetDimSize(source_type(reshape), dim + i);
    if (!has_loop(m, reshape, dim + i))
      continue;
    if (m->last + num >= TS_MAX_RANK || (!is_first && (num >= m->num || size != m->sizes[num])))
      return false;
    m->sizes[num++] = size;
  }
  bool alike = is_first || num == m->num;
  m->num = num;
  return alike && num > 1;
}

static bool asks_for_loop(MlirBlock body, intptr_t loop) {
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (mlirOperationGetNumRegions(op) ||
        (ts_op_is(op, "linalg.index") && ts_op_int(op, "dim", -1) == loop))
      return true;
  return false;
}

static bool read_merged(merged *m) {
  m->num = 0;
  for (intptr_t i = 0; i < ts_linalg_num_inputs(m->op); i++) {
    intptr_t dim;
    if (!find_loop(ts_linalg_map(m->op, i), m->last, &dim) ||
        (dim >= 0 && !is_merged(m, mlirOperationGetOperand(m->op, i), dim)))
      return false;
  }
  return m->num > 0 && !asks_for_loop(ts_linalg_body(m->op), m->last);
}

/* Map `map` with the new loops in place of the last one, of what `reshape` merged, if anything. */
static MlirAttribute split_map(const merged *m, MlirAffineMap map, MlirOperation reshape) {
  MlirContext context = mlirAffineMapGetContext(map);
  MlirAffineExpr results[2 * TS_MAX_RANK];
  intptr_t num = 0, loop = m->last, dim;
  find_loop(map, m->last, &dim);
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
    if (d != dim)
      results[num++] = mlirAffineMapGetResult(map, d);
    for (intptr_t i = 0; d == dim && i < num_merged(reshape); i++)
      results[num++] = has_loop(m, reshape, dim + i) ? mlirAffineDimExprGet(context, loop++)
                                                     : mlirAffineConstantExprGet(context, 0);
  }
  return mlirAffineMapAttrGet(mlirAffineMapGet(context, m->last + m->num, 0, num, results));
}

MlirOperation ts_unmerge_last_loop(MlirOperation op) {
  const MlirOperation none = {NULL};
  merged m = {.op = op, .last = ts_linalg_num_loops(op) - 1};
  intptr_t num = mlirOperationGetNumOperands(op), inputs = ts_linalg_num_inputs(op);
  if (mlirOperationGetNumResults(op) != 1 || num > TS_MAX_RANK || m.last < 0)
    return none;
  if (!read_merged(&m)) {
    m.drops_ones = true;
    if (!read_merged(&m))
      return none;
  }
  MlirContext context = mlirOperationGetContext(op);
  MlirValue operands[TS_MAX_RANK];
  MlirAttribute maps[TS_MAX_RANK], iterators[TS_MAX_RANK];
  for (intptr_t i = 0; i < num; i++) {
    intptr_t dim;
    MlirAffineMap map = ts_linalg_map(op, i);
    find_loop(map, m.last, &dim);
    operands[i] = mlirOperationGetOperand(op, i);
    MlirOperation reshape = dim >= 0 ? ts_defining_op(operands[i]) : none;
    if (reshape.ptr)
      operands[i] = mlirOperationGetOperand(reshape, 0);
    maps[i] = split_map(&m, map, reshape);
  }
  ts_parallel_iterators(context, m.last + m.num, iterators);
  for (intptr_t l = 0; l < m.last + m.num; l++)
    if (ts_linalg_iterator(op, l < m.last ? l : m.last) != 0)
      iterators[l] = ts_reduction_iterator(context);
  MlirOperation copy = mlirOperationClone(op);
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(copy, 0));
  mlirOperationDestroy(copy);
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  ts_maker build = ts_make_before(op);
  return ts_make_generic(&build, &(ts_new_generic){.num_inputs = inputs,
                                                   .num_outputs = num - inputs,
                                                   .operands = operands,
                                                   .maps = maps,
                                                   .num_loops = m.last + m.num,
                                                   .iterators = iterators,
                                                   .results = &type,
                                                   .body = region});
}
