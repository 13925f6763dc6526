/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The IR of a resharding plan: one op a step, on the tensor expanded as the plan asks. It knows
 * steps and how to say them; it must not know why they were chosen. */
#include "reshard/reshard.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "ir/element_types.h"
#include "sharding/notation.h"
#include "support/ir.h"

/* One resharding under way. */
typedef struct resharding {
  ts_emit *emit;
  MlirType global; /* of the expanded tensor */
  const ts_extents *extents;
  const ts_step *first;
} resharding;

/* ---- types and sizes ------------------------------------------------------------------------- */

static MlirType tensor_type(MlirType like, int rank, const int64_t *shape) {
  MlirAttribute encoding = rank == mlirShapedTypeGetRank(like)
                               ? mlirRankedTensorTypeGetEncoding(like)
                               : mlirAttributeGetNull();
  return mlirRankedTensorTypeGet(rank, shape, mlirShapedTypeGetElementType(like), encoding);
}

static MlirType expanded_global(ts_arena *arena, const ts_sharding *expanded, MlirType global) {
  int64_t *shape = TS_NEW(arena, int64_t, expanded->rank);
  for (int d = 0; d < expanded->rank; d++)
    shape[d] = ts_dim_size(&expanded->dims[d]);
  return tensor_type(global, expanded->rank, shape);
}

/* `expanded` with each run of pieces joined to one dimension. */
static MlirType joined_type(ts_arena *arena, MlirType expanded, int rank, const int *pieces) {
  int64_t *shape = TS_NEW(arena, int64_t, rank);
  for (int d = 0, e = 0; d < rank; d++) {
    shape[d] = 1;
    for (int i = 0; i < pieces[d]; i++, e++) {
      bool dynamic = shape[d] == TS_DYNAMIC || mlirShapedTypeIsDynamicDim(expanded, e);
      shape[d] = dynamic ? TS_DYNAMIC : shape[d] * mlirShapedTypeGetDimSize(expanded, e);
    }
  }
  return tensor_type(expanded, rank, shape);
}

/* The extent of dimension `e` of the expanded tensor, if it is one that only the launch knows: what
 * the other pieces leave of the dimension that it is cut from. Else null. */
static MlirValue run_time_extent(resharding *r, int e) {
  if (!mlirShapedTypeIsDynamicDim(r->global, e))
    return (MlirValue){NULL};
  int d = 0, first = 0;
  for (; first + r->first->pieces[d] <= e; d++)
    first += r->first->pieces[d];
  int64_t others = 1;
  for (int i = first; i < first + r->first->pieces[d]; i++)
    others *= i == e ? 1 : mlirShapedTypeGetDimSize(r->global, i);
  MlirValue whole = r->extents->get(r->extents->user, d);
  return ts_emit_div(r->emit, whole, ts_emit_index(r->emit, others));
}

static MlirValue extent_of(resharding *r, int e) {
  if (mlirShapedTypeIsDynamicDim(r->global, e))
    return run_time_extent(r, e);
  return ts_emit_index(r->emit, mlirShapedTypeGetDimSize(r->global, e));
}

static bool is_balanced_as_before(const ts_step *step, int d) {
  const ts_dim *after = &step->after->dims[d];
  return !after->offsets && !ts_dim_has_halo(after) && ts_dim_equal(&step->before->dims[d], after);
}

/* This device's extent of dimension `d` under `after`. Where the step leaves the dimension as it
 * is, `value` has it, and nobody need be asked. Null after an error. */
static MlirValue local_size(resharding *r, const ts_step *step, int d, MlirValue value) {
  if (mlirShapedTypeIsDynamicDim(r->global, d) && is_balanced_as_before(step, d))
    return ts_emit_tensor_size(r->emit, value, d);
  return ts_emit_local_size(r->emit, step->after, d, run_time_extent(r, d));
}

/* One size for each dynamic dimension of `type`, the local type under `after`; false after an
 * error. */
static bool dynamic_sizes(resharding *r, const ts_step *step, MlirType type, MlirValue value,
                          intptr_t *num, MlirValue *sizes) {
  *num = 0;
  for (int d = 0; d < step->after->rank; d++) {
    if (!mlirShapedTypeIsDynamicDim(type, d))
      continue;
    sizes[*num] = local_size(r, step, d, value);
    if (mlirValueIsNull(sizes[(*num)++]))
      return false;
  }
  return true;
}

/* ---- expanding and collapsing ---------------------------------------------------------------- */

static bool is_cut(int rank, const int *pieces) {
  for (int d = 0; d < rank; d++)
    if (pieces[d] != 1)
      return true;
  return false;
}

static MlirAttribute reassociation(ts_emit *emit, int rank, const int *pieces) {
  MlirType i64 = mlirIntegerTypeGet(emit->context, 64);
  MlirAttribute *groups = TS_NEW(emit->arena, MlirAttribute, rank);
  for (int d = 0, e = 0; d < rank; d++) {
    MlirAttribute *members = TS_NEW(emit->arena, MlirAttribute, pieces[d]);
    for (int i = 0; i < pieces[d]; i++, e++)
      members[i] = mlirIntegerAttrGet(i64, e);
    groups[d] = mlirArrayAttrGet(emit->context, pieces[d], members);
  }
  return mlirArrayAttrGet(emit->context, rank, groups);
}

/* `value`, laid out as `step` starts, with its dimensions cut. Null after an error. */
static MlirValue expand(resharding *r, const ts_step *step, MlirValue value) {
  ts_emit *emit = r->emit;
  MlirType type = ts_local_type(step->before, r->global);
  int rank = step->before->rank;
  if (!is_cut(step->rank, step->pieces))
    return ts_emit_cast(emit, value, type);
  value = ts_emit_cast(emit, value, joined_type(emit->arena, type, step->rank, step->pieces));
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, 1 + rank);
  int64_t *shape = TS_NEW(emit->arena, int64_t, rank);
  intptr_t num = 0;
  operands[num++] = value;
  for (int d = 0, e = 0; d < step->rank; d++)
    for (int i = 0; i < step->pieces[d]; i++, e++) {
      bool dynamic = mlirShapedTypeIsDynamicDim(type, e);
      shape[e] = dynamic ? TS_DYNAMIC : mlirShapedTypeGetDimSize(type, e);
      if (!dynamic)
        continue;
      operands[num] = step->pieces[d] == 1
                          ? ts_emit_tensor_size(emit, value, d)
                          : ts_emit_local_size(emit, step->before, e, run_time_extent(r, e));
      if (mlirValueIsNull(operands[num++]))
        return (MlirValue){NULL};
    }
  MlirNamedAttribute attributes[2] = {
      ts_named(emit->context, "reassociation", reassociation(emit, step->rank, step->pieces)),
      ts_named(emit->context, "static_output_shape",
               mlirDenseI64ArrayGet(emit->context, rank, shape))};
  return mlirOperationGetResult(
      ts_emit_op(emit, "tensor.expand_shape", num, operands, 1, &type, 2, attributes), 0);
}

static MlirValue collapse(ts_emit *emit, const ts_step *step, MlirValue value) {
  if (!is_cut(step->rank, step->pieces))
    return value;
  MlirType type = joined_type(emit->arena, mlirValueGetType(value), step->rank, step->pieces);
  MlirNamedAttribute groups =
      ts_named(emit->context, "reassociation", reassociation(emit, step->rank, step->pieces));
  return mlirOperationGetResult(
      ts_emit_op(emit, "tensor.collapse_shape", 1, &value, 1, &type, 1, &groups), 0);
}

/* ---- collectives ----------------------------------------------------------------------------- */

static intptr_t group_attributes(ts_emit *emit, const ts_step *step, const ts_collective *row,
                                 MlirNamedAttribute *out) {
  MlirContext context = emit->context;
  int16_t axes[TS_MAX_AXES];
  for (int i = 0; i < step->num_axes; i++)
    axes[i] = step->axes[i];
  MlirType index = mlirIndexTypeGet(context);
  MlirStringRef grid = mlirStringRefCreateFromCString(step->before->grid->name);
  intptr_t num = 0;
  out[num++] = ts_named(context, "grid", mlirFlatSymbolRefAttrGet(context, grid));
  out[num++] = ts_named(context, "grid_axes", ts_dense_i16_create(context, step->num_axes, axes));
  if (row->joins)
    out[num++] = ts_named(context, row->joins, mlirIntegerAttrGet(index, step->joined));
  if (row->cuts)
    out[num++] = ts_named(context, row->cuts, mlirIntegerAttrGet(index, step->cut));
  if (!row->reduces)
    return num;
  out[num++] = ts_named(context, "reduction",
                        ts_partial_create(context, ts_reduction_shard_kind(step->reduction)));
  const char *flavour = ts_reduction_flavour(step->reduction);
  if (flavour)
    out[num++] = ts_named(context, "tessera.reduction",
                          mlirStringAttrGet(context, mlirStringRefCreateFromCString(flavour)));
  return num;
}

/* All devices' pieces agree on the sizes of the dimensions that the step changes. */
static bool is_even(const ts_step *step, MlirType before, MlirType after) {
  int dims[2] = {step->joined, step->cut};
  for (int i = 0; i < 2; i++)
    if (dims[i] >= 0 &&
        (mlirShapedTypeIsDynamicDim(before, dims[i]) || mlirShapedTypeIsDynamicDim(after, dims[i])))
      return false;
  return true;
}

static bool can_reduce(const ts_step *step, MlirType element) {
  return step->reduction == TS_REDUCTION_NONE ||
         ts_reduction_has_meaning((int32_t)step->reduction, ts_dtype(element));
}

static MlirValue emit_collective(resharding *r, const ts_step *step, MlirType type,
                                 MlirValue value) {
  ts_emit *emit = r->emit;
  tessera_site_kind kind = (tessera_site_kind)step->kind;
  const ts_collective *row = ts_collective_find(kind, TS_EXTENTS_GIVEN);
  if (!row || is_even(step, mlirValueGetType(value), type))
    row = ts_collective_find(kind, TS_EXTENTS_OF_INPUT);
  MlirNamedAttribute attributes[6];
  intptr_t num_attributes = group_attributes(emit, step, row, attributes);
  intptr_t num_sizes = 0;
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, 1 + step->after->rank);
  operands[0] = value;
  if (row->extents == TS_EXTENTS_GIVEN &&
      !dynamic_sizes(r, step, type, value, &num_sizes, operands + 1))
    return (MlirValue){NULL};
  MlirOperation op =
      ts_emit_op(emit, row->op, 1 + num_sizes, operands, 1, &type, num_attributes, attributes);
  return mlirOperationGetResult(op, 0);
}

/* Where the shards of `finer` begin in those of `coarser` that contain them, along dimension `d`.
 */
static MlirValue offset_within(resharding *r, int d, const ts_sharding *finer,
                               const ts_sharding *coarser) {
  MlirValue extent = extent_of(r, d);
  const ts_grid *grid = finer->grid;
  return ts_emit_sub(r->emit,
                     ts_emit_factor_offset(r->emit, grid, &finer->dims[d].factors[0], extent),
                     ts_emit_factor_offset(r->emit, grid, &coarser->dims[d].factors[0], extent));
}

/* A slice of uneven shards: where the finer shard starts in the one that contains it. */
static MlirValue emit_uneven_slice(resharding *r, const ts_step *step, MlirType type,
                                   MlirValue value) {
  ts_emit *emit = r->emit;
  int rank = step->after->rank;
  MlirValue *offsets = TS_NEW(emit->arena, MlirValue, rank);
  MlirValue *sizes = TS_NEW(emit->arena, MlirValue, rank);
  for (int d = 0; d < rank; d++) {
    offsets[d] = ts_emit_index(emit, 0);
    sizes[d] = d == step->cut ? local_size(r, step, d, value) : ts_emit_tensor_size(emit, value, d);
    if (mlirValueIsNull(sizes[d]))
      return sizes[d];
  }
  offsets[step->cut] = offset_within(r, step->cut, step->after, step->before);
  return ts_emit_extract_slice(emit, value, type, offsets, sizes);
}

/* The halo sizes and offsets of `layout` that only the launch knows; false after an error. */
static bool append_numbers(resharding *r, const ts_sharding *layout, MlirValue *operands,
                           intptr_t *num) {
  ts_number *numbers = TS_NEW(r->emit->arena, ts_number, ts_sharding_run_time(layout, NULL));
  int64_t count = ts_sharding_run_time(layout, numbers);
  for (int64_t i = 0; i < count; i++) {
    operands[*num] = ts_emit_number(r->emit, numbers[i]);
    if (mlirValueIsNull(operands[(*num)++]))
      return false;
  }
  return true;
}

static MlirValue emit_exchange(resharding *r, const ts_step *step, MlirType type, MlirValue value) {
  ts_emit *emit = r->emit;
  int rank = step->after->rank;
  int64_t most_numbers =
      ts_sharding_run_time(step->before, NULL) + ts_sharding_run_time(step->after, NULL);
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, 1 + 2 * rank + most_numbers);
  intptr_t num_sizes, num;
  operands[0] = value;
  if (!dynamic_sizes(r, step, type, value, &num_sizes, operands + 1))
    return (MlirValue){NULL};
  num = 1 + num_sizes;
  for (int d = 0; d < rank; d++)
    if (mlirShapedTypeIsDynamicDim(r->global, d)) {
      operands[num] = run_time_extent(r, d);
      if (mlirValueIsNull(operands[num++]))
        return (MlirValue){NULL};
    }
  intptr_t num_extents = num - 1 - num_sizes;
  if (!append_numbers(r, step->before, operands, &num) ||
      !append_numbers(r, step->after, operands, &num))
    return (MlirValue){NULL};
  const int32_t segments[4] = {1, (int32_t)num_sizes, (int32_t)num_extents,
                               (int32_t)(num - 1 - num_sizes - num_extents)};
  MlirNamedAttribute attributes[3] = {
      ts_named(emit->context, "from",
               ts_layout_to_attribute(emit->arena, emit->context, step->before, r->global)),
      ts_named(emit->context, "to",
               ts_layout_to_attribute(emit->arena, emit->context, step->after, r->global)),
      ts_named(emit->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(emit->context, 4, segments))};
  return mlirOperationGetResult(
      ts_emit_op(emit, "tessera.exchange", num, operands, 1, &type, 3, attributes), 0);
}

/* ---- partial values -------------------------------------------------------------------------- */

static MlirValue cannot_reduce(ts_emit *emit, const ts_step *step) {
  ts_diagnose(emit->location, TS_ERROR,
              ts_arena_format(emit->arena,
                              "elements of this type cannot be combined across devices by %s",
                              ts_reduction_text(step->reduction)),
              emit->location, NULL);
  return (MlirValue){NULL};
}

/* The shard in its place, and neutral elements around it. */
static MlirValue emit_place(resharding *r, const ts_step *step, MlirType type, MlirValue value) {
  ts_emit *emit = r->emit;
  int rank = step->after->rank;
  MlirValue *offsets = TS_NEW(emit->arena, MlirValue, rank);
  MlirValue *sizes = TS_NEW(emit->arena, MlirValue, rank);
  MlirValue *around = TS_NEW(emit->arena, MlirValue, rank);
  intptr_t num = 0;
  for (int d = 0; d < rank; d++) {
    offsets[d] = ts_emit_index(emit, 0);
    sizes[d] = ts_emit_tensor_size(emit, value, d);
    if (mlirShapedTypeIsDynamicDim(type, d)) {
      around[num] = d == step->joined ? local_size(r, step, d, value) : sizes[d];
      if (mlirValueIsNull(around[num++]))
        return (MlirValue){NULL};
    }
  }
  MlirValue neutral = ts_emit_neutral(emit, step->reduction, type, num, around);
  if (mlirValueIsNull(neutral))
    return cannot_reduce(emit, step);
  if (ts_has_no_elements(type)) /* slices that begin at the end of a tensor do not verify */
    return neutral;
  offsets[step->joined] = offset_within(r, step->joined, step->before, step->after);
  return ts_emit_insert_slice(emit, value, neutral, offsets, sizes);
}

static MlirValue emit_make_partial(resharding *r, const ts_step *step, MlirType local,
                                   MlirValue value) {
  ts_emit *emit = r->emit;
  if (step->joined >= 0)
    return emit_place(r, step, local, value);
  if (step->reduction == TS_AVERAGE) /* the average of equal values is that value */
    return value;
  MlirType type = mlirValueGetType(value);
  MlirValue *sizes = TS_NEW(emit->arena, MlirValue, step->after->rank);
  intptr_t num = 0;
  for (int d = 0; d < step->after->rank; d++)
    if (mlirShapedTypeIsDynamicDim(type, d))
      sizes[num++] = ts_emit_tensor_size(emit, value, d);
  MlirValue neutral = ts_emit_neutral(emit, step->reduction, type, num, sizes);
  if (mlirValueIsNull(neutral))
    return cannot_reduce(emit, step);
  ts_axes axes = 0;
  for (int i = 0; i < step->num_axes; i++)
    axes |= (ts_axes)1 << step->axes[i];
  MlirValue operands[3] = {ts_emit_is_first(emit, step->before->grid, axes), value, neutral};
  return mlirOperationGetResult(ts_emit_op(emit, "arith.select", 3, operands, 1, &type, 0, NULL),
                                0);
}

/* ---- plans ----------------------------------------------------------------------------------- */

static MlirValue emit_step(resharding *r, const ts_step *step, MlirValue value) {
  MlirType type = ts_local_type(step->after, r->global);
  if (step->kind == TS_STEP_MAKE_PARTIAL)
    return emit_make_partial(r, step, type, value);
  if (!can_reduce(step, mlirShapedTypeGetElementType(type)))
    return cannot_reduce(r->emit, step);
  if (step->kind == TS_STEP_EXCHANGE)
    return emit_exchange(r, step, type, value);
  if (step->kind == TS_STEP_ALL_SLICE && !is_even(step, mlirValueGetType(value), type))
    return emit_uneven_slice(r, step, type, value);
  return emit_collective(r, step, type, value);
}

MlirValue ts_reshard(ts_emit *emit, MlirValue value, const ts_sharding *from, const ts_sharding *to,
                     MlirType global, const ts_extents *extents) {
  ts_plan plan = ts_reshard_plan(emit->arena, from, to);
  MlirType type = ts_local_type(to, global);
  if (plan.num_steps == 0)
    return ts_emit_cast(emit, value, type);
  const ts_step *first = &plan.steps[0], *last = &plan.steps[plan.num_steps - 1];
  resharding r = {.emit = emit,
                  .global = expanded_global(emit->arena, first->before, global),
                  .extents = extents,
                  .first = first};
  value = expand(&r, first, value);
  for (int i = 0; i < plan.num_steps && !mlirValueIsNull(value); i++)
    value = emit_step(&r, &plan.steps[i], value);
  if (mlirValueIsNull(value))
    return value;
  return ts_emit_cast(emit, collapse(emit, last, value), type);
}
