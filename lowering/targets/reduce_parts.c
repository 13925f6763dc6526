/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions in parts. It knows maps of linalg ops; it must not know which reductions are worth it,
 * nor kernels. */
#include "lowering/targets/reduce_parts.h"

#include "capi/capi.h"
#include "ir/generic.h"
#include "lowering/targets/combine.h"
#include "lowering/targets/parted.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* ---- tensors --------------------------------------------------------------------------------- */

static MlirType tensor_type(MlirType like, intptr_t rank, const int64_t *sizes) {
  return mlirRankedTensorTypeGet(rank, sizes, mlirShapedTypeGetElementType(like),
                                 mlirAttributeGetNull());
}

static bool follows(const ts_parted *r, int i) {
  MlirAffineMap map = ts_linalg_map(r->op, i);
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    if (ts_parted_loop(map, d) == r->loop)
      return true;
  return false;
}

/* Input `i` at `size` steps of the loop from `first` on. */
static MlirValue slice(const ts_parted *r, const ts_maker *build, int i, int64_t first,
                       int64_t size) {
  MlirValue whole = mlirOperationGetOperand(r->op, i);
  MlirAffineMap map = ts_linalg_map(r->op, i);
  intptr_t rank = mlirAffineMapGetNumResults(map);
  int64_t offsets[TS_MAX_RANK], sizes[TS_MAX_RANK], ones[TS_MAX_RANK];
  if (!follows(r, i) || size == r->extents[r->loop])
    return whole;
  for (intptr_t d = 0; d < rank; d++) {
    bool is_cut = ts_parted_loop(map, d) == r->loop;
    offsets[d] = is_cut ? first : 0;
    sizes[d] = is_cut ? size : r->extents[ts_parted_loop(map, d)];
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

/* The loop becomes two: parts and the steps of each, or the other way around where neighbouring
 * steps are different parts'. */
static int64_t size_of_half(const ts_parted *r, int half) {
  return (half == 0) == !r->in_turn ? r->parts : r->each;
}

/* What of input `i` the parts take, with two dimensions for the loop. */
static MlirValue expand(const ts_parted *r, const ts_maker *build, int i) {
  MlirContext context = build->context;
  MlirValue whole = slice(r, build, i, 0, r->parts * r->each);
  MlirAffineMap map = ts_linalg_map(r->op, i);
  MlirAttribute groups[TS_MAX_RANK];
  int64_t sizes[TS_MAX_RANK];
  intptr_t rank = 0, before = mlirAffineMapGetNumResults(map);
  if (!follows(r, i))
    return whole;
  for (intptr_t d = 0; d < before; d++) {
    int loop = ts_parted_loop(map, d);
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
static MlirValue make_parts(const ts_parted *r, const ts_maker *build, int o) {
  MlirType whole = mlirValueGetType(mlirOperationGetResult(r->op, o));
  int64_t sizes[TS_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(whole);
  sizes[r->place] = r->parts;
  for (intptr_t d = 0; d < rank; d++)
    sizes[d + (d >= r->place)] = mlirShapedTypeGetDimSize(whole, d);
  MlirType type = tensor_type(whole, rank + 1, sizes);
  return ts_make_fill(
      build,
      ts_combine_neutral(build, ts_combine_op(&r->nest, o), mlirShapedTypeGetElementType(whole)),
      type);
}

/* ---- maps ------------------------------------------------------------------------------------ */

/* The map of operand `i` where the loop is two; results also have a dimension for the part. */
static MlirAffineMap map_of_parts(const ts_parted *r, int i) {
  MlirAffineMap map = ts_linalg_map(r->op, i);
  MlirContext context = mlirAffineMapGetContext(map);
  MlirAffineExpr results[TS_MAX_RANK + 1];
  bool is_result = i >= r->nest.num_inputs;
  MlirAffineExpr part = mlirAffineDimExprGet(context, r->loop + (r->in_turn ? 1 : 0));
  intptr_t num = 0, rank = mlirAffineMapGetNumResults(map);
  for (intptr_t d = 0; d < rank; d++) {
    int loop = ts_parted_loop(map, d);
    if (is_result && d == r->place)
      results[num++] = part;
    for (int half = 0; half < (loop == r->loop ? 2 : 1); half++)
      results[num++] = mlirAffineDimExprGet(context, loop + (loop > r->loop ? 1 : half));
  }
  if (is_result && r->place == rank)
    results[num++] = part;
  return mlirAffineMapGet(context, r->num_loops + 1, 0, num, results);
}

/* ---- ops ------------------------------------------------------------------------------------- */

static MlirRegion copy_body(const ts_parted *r) {
  MlirOperation copy = mlirOperationClone(r->op);
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(copy, 0));
  mlirOperationDestroy(copy);
  return region;
}

/* The reduction of each part. Null if it cannot be said. */
static MlirOperation reduce_parts(const ts_parted *r, const ts_maker *build) {
  MlirValue operands[TS_PART_OPERANDS];
  MlirAttribute maps[TS_PART_OPERANDS], iterators[TS_PART_LOOPS + 1];
  MlirType types[TS_PART_OPERANDS];
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
    if (ts_parted_combines(r, l))
      iterators[l == r->loop ? l + !r->in_turn : l + (l > r->loop)] =
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
static MlirOperation reduce_rest(const ts_parted *r, const ts_maker *build) {
  MlirOperation made = mlirOperationClone(r->op);
  mlirBlockInsertOwnedOperationBefore(build->block, build->before, made);
  ts_maker before = ts_make_before(made);
  for (int i = 0; i < r->nest.num_inputs; i++)
    mlirOperationSetOperand(made, i, slice(r, &before, i, r->parts * r->each, r->rest));
  return made;
}

/* Each result's own op, of what there is and a part. */
static MlirRegion combining_body(const ts_parted *r, const ts_maker *build) {
  MlirType types[2 * TS_PART_OPERANDS];
  MlirLocation locations[2 * TS_PART_OPERANDS];
  MlirValue yielded[TS_PART_OPERANDS];
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
static MlirOperation combine_parts(const ts_parted *r, const ts_maker *build, MlirOperation parts,
                                   MlirOperation start) {
  MlirContext context = build->context;
  MlirValue operands[2 * TS_PART_OPERANDS];
  MlirAttribute maps[2 * TS_PART_OPERANDS], iterators[TS_MAX_RANK + 1];
  MlirType types[TS_PART_OPERANDS];
  int num = r->nest.num_outputs;
  int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(r->op, 0)));
  MlirAffineExpr results[TS_MAX_RANK];
  for (int d = 0; d < rank; d++)
    results[d] = mlirAffineDimExprGet(context, d + (d >= r->place));
  ts_parallel_iterators(context, rank + 1, iterators);
  iterators[r->place] = ts_reduction_iterator(context);
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

/* What comes of it may be large again. */
static void split(MlirOperation op, void *user) {
  ts_parted_choose *const *choose = user;
  ts_parted r;
  MlirOperation rest = {NULL};
  if (!ts_parted_read(op, &r) || !(*choose)(&r))
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
  if (rest.ptr)
    split(rest, user);
  split(all, user);
}

void ts_reduce_in_parts(MlirOperation module, ts_parted_choose *choose) {
  ts_each_op(module, split, &choose);
}
