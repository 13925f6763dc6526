/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions to few elements in parts, so that they are enough work for a whole GPU. It knows maps
 * of linalg ops; it must not know kernels. */
#include "lowering/targets/cuda/parts.h"

#include "capi/capi.h"
#include "ir/generic.h"
#include "lowering/targets/cuda/combine.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum {
  MOST_LOOPS = TS_NEST_LOOPS - 4,
  MOST_OPERANDS = 16,
  LEAST_PARTS = 4, /* that are worth a kernel more */
  LEAST_ROWS = 8,
  ROWS = 1024,       /* that blocks combine, so that a GPU is full of them */
  ENOUGH_ROWS = 128, /* for a block on each multiprocessor */
  LEAST_ROW = 4096,  /* elements of a part of a row */
  THREADS = 1 << 17, /* that combine along columns, so that a GPU is full of them */
  ENOUGH_THREADS = 1 << 16,
  LEAST_COLUMN = 256, /* steps that take longer than a kernel more */
  LEAST_COLUMN_PART = 16
};

typedef struct reduction {
  MlirOperation op;
  ts_nest nest; /* body and numbers of operands alone */
  int num_loops, num_operands;
  int64_t extents[MOST_LOOPS];
  int64_t kept, combined;    /* steps of all parallel loops, of all reductions */
  bool along_rows;           /* neighbours in memory are combined */
  int loop;                  /* that is done in parts */
  int64_t parts, each, rest; /* extent = parts * each + rest */
} reduction;

/* ---- reading --------------------------------------------------------------------------------- */

static bool is_reduction(const reduction *r, int loop) {
  return ts_linalg_iterator(r->op, loop) != 0;
}

static int loop_of(MlirAffineMap map, intptr_t d) {
  MlirAffineExpr expression = mlirAffineMapGetResult(map, d);
  return mlirAffineExprIsADim(expression) ? (int)mlirAffineDimExprGetPosition(expression) : -1;
}

static bool is_plain_tensor(MlirType type) {
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeHasStaticShape(type) &&
         mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type));
}

static bool read_operand(reduction *r, int i) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(r->op, i));
  MlirAffineMap map = ts_linalg_map(r->op, i);
  intptr_t rank = mlirAffineMapGetNumResults(map);
  if (rank == 0 && i < r->nest.num_inputs)
    return true;
  if (!is_plain_tensor(type) || rank + 1 > TS_MAX_RANK)
    return false;
  for (intptr_t d = 0; d < rank; d++) {
    int loop = loop_of(map, d);
    if (loop < 0 || (i >= r->nest.num_inputs && is_reduction(r, loop)))
      return false;
    r->extents[loop] = mlirShapedTypeGetDimSize(type, d);
  }
  return true;
}

static MlirWalkResult note_index(MlirOperation op, void *user) {
  bool *found = user;
  *found |= ts_op_is(op, "linalg.index");
  return MlirWalkResultAdvance;
}

static bool read_loops(reduction *r) {
  r->kept = r->combined = 1;
  for (int l = 0; l < r->num_loops; l++) {
    int64_t *total = is_reduction(r, l) ? &r->combined : &r->kept;
    if (r->extents[l] < 1 || __builtin_mul_overflow(*total, r->extents[l], total))
      return false;
  }
  return true;
}

/* Is the largest input read in order by the reductions? */
static bool reads_along_rows(const reduction *r) {
  int64_t most = 0;
  bool along_rows = false;
  for (int i = 0; i < r->nest.num_inputs; i++) {
    MlirAffineMap map = ts_linalg_map(r->op, i);
    intptr_t rank = mlirAffineMapGetNumResults(map);
    int64_t elements = 1;
    for (intptr_t d = 0; d < rank; d++)
      elements *= r->extents[loop_of(map, d)];
    if (rank == 0 || elements <= most)
      continue;
    most = elements;
    along_rows = is_reduction(r, loop_of(map, rank - 1));
  }
  return along_rows;
}

static bool read(MlirOperation op, reduction *r) {
  if (!ts_op_is(op, "linalg.generic") || mlirOperationGetNumResults(op) == 0)
    return false;
  bool has_index = false;
  *r = (reduction){.op = op,
                   .nest = {.op = op,
                            .body = ts_linalg_body(op),
                            .num_inputs = (int)ts_linalg_num_inputs(op),
                            .num_outputs = (int)ts_linalg_num_inits(op)},
                   .num_loops = (int)ts_linalg_num_loops(op),
                   .num_operands = (int)mlirOperationGetNumOperands(op)};
  mlirOperationWalk(op, note_index, &has_index, MlirWalkPreOrder);
  if (has_index || r->num_loops >= MOST_LOOPS || r->num_operands > MOST_OPERANDS)
    return false;
  for (int i = 0; i < r->num_operands; i++)
    if (!read_operand(r, i))
      return false;
  for (int o = 0; o < r->nest.num_outputs; o++)
    if (!ts_combine_op(&r->nest, o))
      return false;
  if (!read_loops(r) || r->combined == 1)
    return false;
  r->along_rows = reads_along_rows(r);
  return true;
}

/* ---- choosing -------------------------------------------------------------------------------- */

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static int64_t wanted_parts(const reduction *r) {
  if (r->along_rows)
    return r->kept > ENOUGH_ROWS || r->combined < LEAST_ROWS * LEAST_ROW
               ? 0
               : least(ROWS / r->kept, r->combined / LEAST_ROW);
  if (r->kept > ENOUGH_THREADS || r->combined < LEAST_COLUMN)
    return 0;
  return least(THREADS / r->kept, r->combined / LEAST_COLUMN_PART);
}

/* Parts of the longest reduction, rather some fewer than parts that leave a rest. */
static bool choose(reduction *r) {
  r->loop = -1;
  for (int l = 0; l < r->num_loops; l++)
    if (is_reduction(r, l) && (r->loop < 0 || r->extents[l] > r->extents[r->loop]))
      r->loop = l;
  int64_t extent = r->extents[r->loop];
  r->parts = least(wanted_parts(r), extent / 2);
  if (r->parts < LEAST_PARTS)
    return false;
  for (int64_t fewer = r->parts; fewer > r->parts / 2; fewer--)
    if (extent % fewer == 0) {
      r->parts = fewer;
      break;
    }
  r->each = extent / r->parts;
  r->rest = extent % r->parts;
  return true;
}

/* ---- tensors --------------------------------------------------------------------------------- */

static MlirType tensor_type(MlirType like, intptr_t rank, const int64_t *sizes) {
  return mlirRankedTensorTypeGet(rank, sizes, mlirShapedTypeGetElementType(like),
                                 mlirAttributeGetNull());
}

static bool follows(const reduction *r, int i) {
  MlirAffineMap map = ts_linalg_map(r->op, i);
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    if (loop_of(map, d) == r->loop)
      return true;
  return false;
}

/* Input `i` at `size` steps of the loop from `first` on. */
static MlirValue slice(const reduction *r, const ts_maker *build, int i, int64_t first,
                       int64_t size) {
  MlirValue whole = mlirOperationGetOperand(r->op, i);
  MlirAffineMap map = ts_linalg_map(r->op, i);
  intptr_t rank = mlirAffineMapGetNumResults(map);
  int64_t offsets[TS_MAX_RANK], sizes[TS_MAX_RANK], ones[TS_MAX_RANK];
  if (!follows(r, i) || size == r->extents[r->loop])
    return whole;
  for (intptr_t d = 0; d < rank; d++) {
    bool is_cut = loop_of(map, d) == r->loop;
    offsets[d] = is_cut ? first : 0;
    sizes[d] = is_cut ? size : r->extents[loop_of(map, d)];
    ones[d] = 1;
  }
  const int32_t segments[] = {1, 0, 0, 0};
  MlirNamedAttribute attributes[] = {
      ts_named(build->context, "static_offsets",
               mlirDenseI64ArrayGet(build->context, rank, offsets)),
      ts_named(build->context, "static_sizes", mlirDenseI64ArrayGet(build->context, rank, sizes)),
      ts_named(build->context, "static_strides", mlirDenseI64ArrayGet(build->context, rank, ones)),
      ts_named(build->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(build->context, 4, segments)),
  };
  return ts_make_value(build, "tensor.extract_slice", 1, &whole,
                       tensor_type(mlirValueGetType(whole), rank, sizes), 4, attributes);
}

/* The part comes first where rows are combined: each is a row. Along columns neighbouring parts
 * take neighbouring steps in turn, so that threads read in order. */
static int64_t size_of_half(const reduction *r, int half) {
  return (half == 0) == r->along_rows ? r->parts : r->each;
}

/* What of input `i` the parts take, with two dimensions for the loop. */
static MlirValue expand(const reduction *r, const ts_maker *build, int i) {
  MlirContext context = build->context;
  MlirValue whole = slice(r, build, i, 0, r->parts * r->each);
  MlirAffineMap map = ts_linalg_map(r->op, i);
  MlirAttribute groups[TS_MAX_RANK];
  int64_t sizes[TS_MAX_RANK];
  intptr_t rank = 0, before = mlirAffineMapGetNumResults(map);
  if (!follows(r, i))
    return whole;
  for (intptr_t d = 0; d < before; d++) {
    int loop = loop_of(map, d);
    MlirAttribute members[2];
    int num = loop == r->loop ? 2 : 1;
    for (int half = 0; half < num; half++) {
      if (rank == TS_MAX_RANK)
        return (MlirValue){NULL};
      members[half] = ts_int_attribute(ts_i64_type(context), rank);
      sizes[rank++] = num == 2 ? size_of_half(r, half) : r->extents[loop];
    }
    groups[d] = mlirArrayAttrGet(context, num, members);
  }
  MlirNamedAttribute attributes[] = {
      ts_named(context, "reassociation", mlirArrayAttrGet(context, before, groups)),
      ts_named(context, "static_output_shape", mlirDenseI64ArrayGet(context, rank, sizes)),
  };
  return ts_make_value(build, "tensor.expand_shape", 1, &whole,
                       tensor_type(mlirValueGetType(whole), rank, sizes), 2, attributes);
}

/* A tensor of parts of result `o`: nothing yet is combined. */
static MlirValue make_parts(const reduction *r, const ts_maker *build, int o) {
  MlirType whole = mlirValueGetType(mlirOperationGetResult(r->op, o));
  int64_t sizes[TS_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(whole), first = r->along_rows ? 0 : 1;
  sizes[r->along_rows ? rank : 0] = r->parts;
  for (intptr_t d = 0; d < rank; d++)
    sizes[first + d] = mlirShapedTypeGetDimSize(whole, d);
  MlirType type = tensor_type(whole, rank + 1, sizes);
  return ts_make_fill(
      build,
      ts_combine_neutral(build, ts_combine_op(&r->nest, o), mlirShapedTypeGetElementType(whole)),
      type);
}

/* ---- maps ------------------------------------------------------------------------------------ */

/* The map of operand `i` where the loop is two; results also have a dimension for the part. */
static MlirAffineMap map_of_parts(const reduction *r, int i) {
  MlirAffineMap map = ts_linalg_map(r->op, i);
  MlirContext context = mlirAffineMapGetContext(map);
  MlirAffineExpr results[TS_MAX_RANK + 1];
  bool is_result = i >= r->nest.num_inputs;
  MlirAffineExpr part = mlirAffineDimExprGet(context, r->loop + (r->along_rows ? 0 : 1));
  intptr_t num = 0;
  if (is_result && !r->along_rows)
    results[num++] = part;
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
    int loop = loop_of(map, d);
    for (int half = 0; half < (loop == r->loop ? 2 : 1); half++)
      results[num++] = mlirAffineDimExprGet(context, loop + (loop > r->loop ? 1 : half));
  }
  if (is_result && r->along_rows)
    results[num++] = part;
  return mlirAffineMapGet(context, r->num_loops + 1, 0, num, results);
}

/* ---- ops ------------------------------------------------------------------------------------- */

static MlirRegion copy_body(const reduction *r) {
  MlirOperation copy = mlirOperationClone(r->op);
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(copy, 0));
  mlirOperationDestroy(copy);
  return region;
}

/* The reduction of each part. Null if it cannot be said. */
static MlirOperation reduce_parts(const reduction *r, const ts_maker *build) {
  MlirValue operands[MOST_OPERANDS];
  MlirAttribute maps[MOST_OPERANDS], iterators[MOST_LOOPS + 1];
  MlirType types[MOST_OPERANDS];
  for (int i = 0; i < r->nest.num_inputs; i++) {
    operands[i] = expand(r, build, i);
    if (mlirValueIsNull(operands[i]))
      return (MlirOperation){NULL};
  }
  for (int o = 0; o < r->nest.num_outputs; o++) {
    MlirValue parts = make_parts(r, build, o);
    operands[r->nest.num_inputs + o] = parts;
    types[o] = mlirValueGetType(parts);
  }
  for (int i = 0; i < r->num_operands; i++)
    maps[i] = mlirAffineMapAttrGet(map_of_parts(r, i));
  ts_parallel_iterators(build->context, r->num_loops + 1, iterators);
  for (int l = 0; l < r->num_loops; l++)
    if (is_reduction(r, l))
      iterators[l == r->loop ? l + r->along_rows : l + (l > r->loop)] =
          ts_reduction_iterator(build->context);
  return ts_make_generic(build, &(ts_new_generic){.num_inputs = r->nest.num_inputs,
                                                  .num_outputs = r->nest.num_outputs,
                                                  .operands = operands,
                                                  .maps = maps,
                                                  .num_loops = r->num_loops + 1,
                                                  .iterators = iterators,
                                                  .results = types,
                                                  .body = copy_body(r)});
}

/* What no part has taken, behind the initial values. */
static MlirOperation reduce_rest(const reduction *r, const ts_maker *build) {
  MlirOperation made = mlirOperationClone(r->op);
  mlirBlockInsertOwnedOperationBefore(build->block, build->before, made);
  ts_maker before = ts_make_before(made);
  for (int i = 0; i < r->nest.num_inputs; i++)
    mlirOperationSetOperand(made, i, slice(r, &before, i, r->parts * r->each, r->rest));
  return made;
}

/* Each result's own op, of what there is and a part. */
static MlirRegion combining_body(const reduction *r, const ts_maker *build) {
  MlirType types[2 * MOST_OPERANDS];
  MlirLocation locations[2 * MOST_OPERANDS];
  MlirValue yielded[MOST_OPERANDS];
  int num = r->nest.num_outputs;
  for (int o = 0; o < 2 * num; o++) {
    types[o] = mlirValueGetType(mlirBlockGetArgument(r->nest.body, r->nest.num_inputs + o % num));
    locations[o] = build->location;
  }
  MlirBlock block = mlirBlockCreate(2 * num, types, locations);
  MlirOperation end = mlirBlockGetTerminator(r->nest.body);
  for (int o = 0; o < num; o++) {
    MlirOperation copy = mlirOperationClone(ts_defining_op(mlirOperationGetOperand(end, o)));
    mlirOperationSetOperand(copy, 0, mlirBlockGetArgument(block, num + o));
    mlirOperationSetOperand(copy, 1, mlirBlockGetArgument(block, o));
    mlirBlockAppendOwnedOperation(block, copy);
    yielded[o] = mlirOperationGetResult(copy, 0);
  }
  return ts_end_body(block, build->location, num, yielded);
}

/* All parts behind what `start` has: the initial values, or the rest behind them. */
static MlirOperation combine_parts(const reduction *r, const ts_maker *build, MlirOperation parts,
                                   MlirOperation start) {
  MlirContext context = build->context;
  MlirValue operands[2 * MOST_OPERANDS];
  MlirAttribute maps[2 * MOST_OPERANDS], iterators[TS_MAX_RANK + 1];
  MlirType types[MOST_OPERANDS];
  int num = r->nest.num_outputs;
  int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(r->op, 0)));
  int part = r->along_rows ? rank : 0, first = r->along_rows ? 0 : 1;
  MlirAffineExpr results[TS_MAX_RANK];
  for (int d = 0; d < rank; d++)
    results[d] = mlirAffineDimExprGet(context, first + d);
  ts_parallel_iterators(context, rank + 1, iterators);
  iterators[part] = ts_reduction_iterator(context);
  for (int o = 0; o < num; o++) {
    operands[o] = mlirOperationGetResult(parts, o);
    operands[num + o] = start.ptr ? mlirOperationGetResult(start, o)
                                  : mlirOperationGetOperand(r->op, r->nest.num_inputs + o);
    types[o] = mlirValueGetType(operands[num + o]);
    maps[o] = mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(context, rank + 1));
    maps[num + o] = mlirAffineMapAttrGet(mlirAffineMapGet(context, rank + 1, 0, rank, results));
  }
  return ts_make_generic(build, &(ts_new_generic){.num_inputs = num,
                                                  .num_outputs = num,
                                                  .operands = operands,
                                                  .maps = maps,
                                                  .num_loops = rank + 1,
                                                  .iterators = iterators,
                                                  .results = types,
                                                  .body = combining_body(r, build)});
}

/* All results are of one shape: their parts are combined by one op. */
static bool have_one_shape(const reduction *r) {
  MlirType first = mlirValueGetType(mlirOperationGetResult(r->op, 0));
  for (int o = 1; o < r->nest.num_outputs; o++) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(r->op, o));
    if (mlirShapedTypeGetRank(type) != mlirShapedTypeGetRank(first))
      return false;
    for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
      if (mlirShapedTypeGetDimSize(type, d) != mlirShapedTypeGetDimSize(first, d))
        return false;
  }
  return 2 * r->nest.num_outputs <= MOST_OPERANDS;
}

/* What comes of it may be large again. */
static void split(MlirOperation op, void *user) {
  reduction r;
  MlirOperation rest = {NULL};
  if (!read(op, &r) || !choose(&r) || !have_one_shape(&r))
    return;
  ts_maker build = ts_make_before(op);
  MlirOperation parts = reduce_parts(&r, &build);
  if (!parts.ptr)
    return;
  if (r.rest > 0)
    rest = reduce_rest(&r, &build);
  MlirOperation all = combine_parts(&r, &build, parts, rest);
  for (int o = 0; o < r.nest.num_outputs; o++)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, o), mlirOperationGetResult(all, o));
  mlirOperationDestroy(op);
  split(parts, user);
  split(all, user);
}

void ts_cuda_reduce_in_parts(MlirOperation module) {
  ts_each_op(module, split, NULL);
}
