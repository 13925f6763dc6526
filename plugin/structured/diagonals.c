/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Diagonals: tensors of which a linalg.generic indexes two dimensions by one loop. No layout splits
 * both dimensions along that, so what is read so is read by the body, one dimension along with the
 * loop and the other one as a place; and what is written so becomes an elementwise op on all of the
 * tensor, which leaves what lies beside the diagonal as it is. It knows maps and scalar code; it
 * must not know layouts. */
#include "capi/capi.h"
#include "ir/generic.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "numbers/divisions.h"
#include "structured/parallel.h"
#include "structured/structured.h"

/* ---- maps ------------------------------------------------------------------------------------ */

static intptr_t loop_at(MlirAffineMap map, intptr_t d) {
  return mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, d));
}

/* The first dimension that has the same loop as `d`, which may be that itself. */
static intptr_t first_along(MlirAffineMap map, intptr_t d) {
  intptr_t first = 0;
  while (loop_at(map, first) != loop_at(map, d))
    first++;
  return first;
}

/* Each dimension is that of a loop, and some loop is that of several. */
static bool is_diagonal(MlirAffineMap map) {
  intptr_t num = mlirAffineMapGetNumResults(map);
  for (intptr_t d = 0; d < num; d++)
    if (!mlirAffineExprIsADim(mlirAffineMapGetResult(map, d)))
      return false;
  for (intptr_t d = 0; d < num; d++)
    if (first_along(map, d) != d)
      return num <= TS_MAX_RANK;
  return false;
}

static bool says_extent(MlirAffineMap map, intptr_t loop) {
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    if (mlirAffineExprIsADim(mlirAffineMapGetResult(map, d)) && loop_at(map, d) == loop)
      return true;
  return false;
}

/* The map with loops of its own, behind the `*num_loops` of the op, for all dimensions but the
 * first of a loop. */
static MlirAffineMap spread(MlirAffineMap map, intptr_t *num_loops) {
  MlirContext context = mlirAffineMapGetContext(map);
  MlirAffineExpr results[TS_MAX_RANK];
  intptr_t rank = mlirAffineMapGetNumResults(map);
  for (intptr_t d = 0; d < rank; d++)
    results[d] = first_along(map, d) == d ? mlirAffineMapGetResult(map, d)
                                          : mlirAffineDimExprGet(context, (*num_loops)++);
  return mlirAffineMapGet(context, *num_loops, 0, rank, results);
}

static MlirAffineMap of_more_loops(MlirAffineMap map, intptr_t num_loops) {
  MlirAffineExpr results[TS_MAX_RANK];
  intptr_t num = mlirAffineMapGetNumResults(map);
  for (intptr_t d = 0; d < num; d++)
    results[d] = mlirAffineMapGetResult(map, d);
  return mlirAffineMapGet(mlirAffineMapGetContext(map), num_loops, 0, num, results);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Each index is that of a loop. */
static bool is_indexed_by_loops(MlirOperation extract) {
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(extract); i++) {
    MlirOperation index = ts_defining_op(mlirOperationGetOperand(extract, i));
    if (!index.ptr || !ts_op_is(index, "linalg.index"))
      return false;
  }
  return true;
}

/* Beside the diagonal the body is computed in vain, of what lies there: as an index that may be
 * none. */
static bool may_fail(MlirBlock body) {
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (ts_division_may_fail(op) || ts_op_is(op, "cf.assert") || mlirOperationGetNumRegions(op) ||
        (ts_op_is(op, "tensor.extract") && !is_indexed_by_loops(op)))
      return true;
  return false;
}

/* One result, whose diagonal each step writes an element of. */
static bool writes_diagonal(MlirOperation op) {
  intptr_t num_loops = ts_linalg_num_loops(op), num = mlirOperationGetNumOperands(op);
  if (mlirOperationGetNumResults(op) != 1 || ts_linalg_num_inits(op) != 1 || num > TS_MAX_INPUTS ||
      !is_diagonal(ts_linalg_map(op, num - 1)) || may_fail(ts_linalg_body(op)))
    return false;
  MlirAffineMap map = ts_linalg_map(op, num - 1);
  for (intptr_t l = 0; l < num_loops; l++)
    if (ts_linalg_iterator(op, l) != 0 || !says_extent(map, l))
      return false;
  for (intptr_t i = 0; i < num; i++)
    if (mlirAffineMapGetNumResults(ts_linalg_map(op, i)) > TS_MAX_RANK)
      return false;
  return num_loops + mlirAffineMapGetNumResults(map) <= TS_MAX_RANK;
}

/* What the body yields, on the diagonal of `map` alone. */
static void keep_beside(MlirOperation op, MlirAffineMap map, MlirAffineMap all) {
  enum { EQUAL = 0 }; /* arith's number */
  MlirBlock body = ts_linalg_body(op);
  MlirOperation end = mlirBlockGetTerminator(body);
  ts_maker inside = ts_make_before(end);
  MlirValue given = mlirOperationGetOperand(end, 0);
  MlirValue kept = mlirBlockGetArgument(body, ts_linalg_num_inputs(op));
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
    if (first_along(map, d) == d)
      continue;
    MlirValue along = ts_make_loop_index(&inside, loop_at(map, d));
    MlirValue own = ts_make_loop_index(&inside, loop_at(all, d));
    MlirValue holds = ts_make_compare(&inside, "arith.cmpi", EQUAL, along, own);
    given = ts_make_select(&inside, holds, given, kept);
  }
  mlirOperationSetOperand(end, 0, given);
}

/* The same op on all elements of its result, in its place. What it reads along the same diagonal it
 * reads in the same place. */
static MlirOperation write_all(MlirOperation op) {
  ts_maker build = ts_make_before(op);
  intptr_t num = mlirOperationGetNumOperands(op), num_loops = ts_linalg_num_loops(op);
  MlirAffineMap written = ts_linalg_map(op, num - 1), all = spread(written, &num_loops);
  keep_beside(op, written, all);
  MlirValue operands[TS_MAX_INPUTS];
  MlirAttribute maps[TS_MAX_INPUTS], iterators[TS_MAX_RANK];
  for (intptr_t i = 0; i < num; i++) {
    MlirAffineMap map = ts_linalg_map(op, i);
    operands[i] = mlirOperationGetOperand(op, i);
    maps[i] = mlirAffineMapAttrGet(
        mlirAffineMapEqual(map, written) ? all : of_more_loops(map, num_loops));
  }
  ts_parallel_iterators(build.context, num_loops, iterators);
  MlirRegion body = mlirRegionCreate();
  mlirRegionTakeBody(body, mlirOperationGetRegion(op, 0));
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirOperation made = ts_make_generic(&build, &(ts_new_generic){.num_inputs = num - 1,
                                                                 .num_outputs = 1,
                                                                 .operands = operands,
                                                                 .maps = maps,
                                                                 .num_loops = num_loops,
                                                                 .iterators = iterators,
                                                                 .results = &type,
                                                                 .body = body});
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), mlirOperationGetResult(made, 0));
  mlirOperationDestroy(op);
  return made;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Lets the body read input `i` where the indices of the loops are. */
static void read_in_body(MlirOperation op, intptr_t i) {
  MlirBlock body = ts_linalg_body(op);
  MlirAffineMap map = ts_linalg_map(op, i);
  intptr_t rank = mlirAffineMapGetNumResults(map);
  ts_maker inside = ts_make_before(mlirBlockGetFirstOperation(body));
  MlirValue read[1 + TS_MAX_RANK] = {mlirOperationGetOperand(op, i)};
  for (intptr_t d = 0; d < rank; d++)
    read[1 + d] = ts_make_loop_index(&inside, loop_at(map, d));
  MlirValue element = mlirBlockGetArgument(body, i);
  mlirValueReplaceAllUsesOfWith(element, ts_make_value(&inside, "tensor.extract", 1 + rank, read,
                                                       mlirValueGetType(element), 0, NULL));
}

/* In place of input `i`, which says the extents of its loops and is not read any more: a tensor of
 * nothing but these. */
static void keep_extents(MlirOperation op, intptr_t i) {
  ts_maker build = ts_make_before(op);
  MlirAffineMap map = ts_linalg_map(op, i);
  MlirValue input = mlirOperationGetOperand(op, i), sizes[TS_MAX_RANK];
  MlirType type = mlirValueGetType(input);
  MlirAffineExpr loops[TS_MAX_RANK];
  int64_t shape[TS_MAX_RANK];
  intptr_t rank = 0, num_sizes = 0, num = mlirOperationGetNumOperands(op);
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
    if (first_along(map, d) != d)
      continue;
    if (mlirShapedTypeIsDynamicDim(type, d))
      sizes[num_sizes++] = ts_make_size(&build, input, d);
    shape[rank] = mlirShapedTypeGetDimSize(type, d);
    loops[rank++] = mlirAffineMapGetResult(map, d);
  }
  type = mlirRankedTensorTypeGet(rank, shape, mlirShapedTypeGetElementType(type),
                                 mlirAttributeGetNull());
  mlirOperationSetOperand(op, i,
                          ts_make_value(&build, "tensor.empty", num_sizes, sizes, type, 0, NULL));
  MlirAttribute maps[TS_MAX_INPUTS];
  for (intptr_t o = 0; o < num; o++)
    maps[o] = mlirAffineMapAttrGet(ts_linalg_map(op, o));
  maps[i] = mlirAffineMapAttrGet(
      mlirAffineMapGet(build.context, ts_linalg_num_loops(op), 0, rank, loops));
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("indexing_maps"),
                                  mlirArrayAttrGet(build.context, num, maps));
}

static bool reads_diagonal(MlirOperation op, intptr_t i) {
  return is_diagonal(ts_linalg_map(op, i)) &&
         mlirTypeIsARankedTensor(mlirValueGetType(mlirOperationGetOperand(op, i)));
}

MlirOperation ts_structure_diagonals(MlirOperation op) {
  if (mlirOperationGetNumResults(op) == 0 || mlirOperationGetNumOperands(op) > TS_MAX_INPUTS)
    return op;
  if (writes_diagonal(op))
    op = write_all(op);
  for (intptr_t i = 0; i < ts_linalg_num_inputs(op); i++)
    if (reads_diagonal(op, i)) {
      read_in_body(op, i);
      keep_extents(op, i);
    }
  return op;
}

/* One operand's diagonal goes to that of another, and nothing is computed. */
static bool copies_diagonal(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!mlirAffineMapEqual(ts_linalg_map(op, i), ts_linalg_map(op, 0)))
      return false;
  return writes_diagonal(op);
}

static void write_copied(MlirOperation op, void *user) {
  (void)user;
  if (ts_op_is(op, "linalg.generic") && copies_diagonal(op))
    write_all(op);
}

void ts_structure_copied_diagonals(MlirOperation module) {
  ts_each_op(module, write_copied, NULL);
}
