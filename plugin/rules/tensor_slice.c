/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tensor.extract_slice and insert_slice: a loop for each dimension; what they cut is read through a
 * window, if its numbers are known, and else stays whole. It knows extents and ranges; it must not
 * know layouts. */
#include "rules/tensor_slice.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "rules/build_loops.h"
#include "rules/late_windows.h"
#include "rules/rows.h"

/* ---- slices ---------------------------------------------------------------------------------- */

/* Dimensions that a slice of fewer dimensions lacks have size 1. Which of several it lacks does not
 * matter, so none of them is split. */
static const int *match_dims(ts_arena *arena, const ts_slice *s) {
  int *dims = TS_NEW(arena, int, s->rank);
  int small_rank = (int)mlirShapedTypeGetRank(s->small), next = 0;
  const int64_t *shape = ts_shape_of(arena, s->small);
  for (int d = 0; d < s->rank; d++) {
    dims[d] = d;
    if (small_rank == s->rank)
      continue;
    bool is_one = s->sizes[d].operand < 0 && s->sizes[d].value == 1;
    while (!is_one && next < small_rank && shape[next] == 1)
      next++;
    dims[d] = is_one || next == small_rank ? -1 : next++;
  }
  return dims;
}

ts_slice ts_slice_read(ts_arena *arena, MlirOperation op) {
  ts_slice s = {.op = op, .extracts = ts_op_is(op, "tensor.extract_slice")};
  intptr_t next = s.extracts ? 1 : 2;
  s.large = mlirOperationGetOperand(op, next - 1);
  MlirValue small = s.extracts ? mlirOperationGetResult(op, 0) : mlirOperationGetOperand(op, 0);
  s.small = mlirValueGetType(small);
  s.rank = (int)mlirShapedTypeGetRank(mlirValueGetType(s.large));
  s.offsets = ts_numbers_read(arena, op, "static_offsets", &next);
  s.sizes = ts_numbers_read(arena, op, "static_sizes", &next);
  s.strides = ts_numbers_read(arena, op, "static_strides", &next);
  s.small_dims = match_dims(arena, &s);
  return s;
}

bool ts_slice_takes_all(ts_arena *arena, const ts_slice *s, int d) {
  if (s->offsets[d].value != 0 || s->strides[d].value != 1)
    return false;
  const ts_list_number *size = &s->sizes[d];
  if (size->operand < 0)
    return ts_extent_is_number(arena, s->large, d, size->value);
  return ts_extent_is_value(arena, s->large, d, mlirOperationGetOperand(s->op, size->operand));
}

/* What a slice does along a dimension. */
typedef enum cut {
  CUT_NOTHING, /* it takes all */
  CUT_KNOWN,   /* a part, from a place that is known on */
  CUT_UNKNOWN
} cut;

/* What is inserted with a stride into an unknown extent is read at places that nobody knows. */
static cut cut_of(ts_arena *arena, const ts_slice *s, int d) {
  if (ts_slice_takes_all(arena, s, d))
    return CUT_NOTHING;
  bool late = s->sizes[d].operand >= 0 || mlirShapedTypeIsDynamicDim(mlirValueGetType(s->large), d);
  bool known =
      s->offsets[d].value >= 0 && s->strides[d].value > 0 &&
      (!late || ((s->extracts || s->strides[d].value == 1) && s->strides[d].value <= TS_MOST_LATE &&
                 s->offsets[d].value <= TS_MOST_LATE));
  return known ? CUT_KNOWN : CUT_UNKNOWN;
}

void ts_slice_keep_whole(ts_arena *arena, const ts_slice *s, int d, const char **remark) {
  ts_numbers_keep_whole(arena, s->op, d, "the slice is not known to be all of it", remark);
}

bool ts_extract_slice_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out,
                            const char **reason, const char **remark) {
  ts_slice s = ts_slice_read(arena, op);
  if (!ts_ports_init(arena, op, s.rank, out, reason))
    return false;
  const int64_t *shape = ts_shape_of(arena, mlirValueGetType(s.large));
  const int64_t *small_shape = ts_shape_of(arena, s.small);
  for (int d = 0; d < s.rank; d++) {
    int small = s.small_dims[d];
    cut cut = cut_of(arena, &s, d);
    if (cut == CUT_UNKNOWN)
      ts_slice_keep_whole(arena, &s, d, remark);
    if (cut == CUT_UNKNOWN || (cut == CUT_NOTHING && small < 0))
      continue;
    int64_t size = cut == CUT_NOTHING ? shape[d] : small < 0 ? 1 : small_shape[small];
    int loop = ts_ports_add_loop(out, small < 0 ? TS_LOOP_WHOLE : TS_LOOP_PARALLEL, size);
    if (cut == CUT_NOTHING)
      ts_ports_follow(arena, out, &out->operands[0], d, loop, shape[d]);
    else
      ts_ports_read_along(arena, &out->operands[0], d, loop, s.strides[d].value, s.offsets[d].value,
                          1);
    if (small >= 0)
      ts_ports_follow(arena, out, &out->results[0], small, loop, small_shape[small]);
  }
  ts_terms_copy(out, 0, 0);
  ts_late_need_complete(arena, op, out);
  return true;
}

bool ts_insert_slice_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                           const char **remark) {
  ts_slice s = ts_slice_read(arena, op);
  if (!ts_ports_init(arena, op, s.rank, out, reason))
    return false;
  const int64_t *shape = ts_shape_of(arena, mlirValueGetType(s.large));
  const int64_t *small_shape = ts_shape_of(arena, s.small);
  bool covers = true;
  for (int d = 0; d < s.rank; d++) {
    int small = s.small_dims[d];
    cut cut = small < 0 && !ts_slice_takes_all(arena, &s, d) ? CUT_UNKNOWN : cut_of(arena, &s, d);
    if (cut == CUT_UNKNOWN)
      ts_slice_keep_whole(arena, &s, d, remark);
    covers &= cut == CUT_NOTHING;
    bool splits = cut != CUT_UNKNOWN && small >= 0;
    int loop = ts_ports_add_loop(out, splits ? TS_LOOP_PARALLEL : TS_LOOP_WHOLE, shape[d]);
    ts_ports_follow(arena, out, &out->operands[1], d, loop, shape[d]);
    ts_ports_follow(arena, out, &out->results[0], d, loop, shape[d]);
    if (splits && cut == CUT_NOTHING)
      ts_ports_follow(arena, out, &out->operands[0], small, loop, small_shape[small]);
    else if (splits)
      ts_ports_read_along(arena, &out->operands[0], small, loop, 1, -s.offsets[d].value,
                          s.strides[d].value);
  }
  out->result_init[0] = 1;
  out->init_is_read[0] = !covers;
  ts_terms_of_parts(out, covers ? 1 : 2);
  ts_late_need_complete(arena, op, out);
  return true;
}

/* The dimension of the slice that goes along the loop that `large`, one of the tensor, does, or -1.
 * Shapes do not tell here: pieces may have more sizes 1 than the whole. */
static int split_dim(const ts_localize *context, const ts_dim_loops *large) {
  int loop = ts_numbers_loop_of(large);
  if (loop < 0 || context->loops->loops[loop].kind == TS_LOOP_WHOLE)
    return -1;
  bool extracts = ts_op_is(context->op, "tensor.extract_slice");
  const ts_port *small = extracts ? &context->loops->results[0] : &context->loops->operands[0];
  for (int d = 0; d < small->rank; d++)
    if (ts_numbers_loop_of(&small->dims[d]) == loop)
      return d;
  return -1;
}

/* Where the local slice begins. Of an operand that was cut to what is read, at its start; what is
 * inserted, where it lies in the piece of the destination. */
static void say_offset(const ts_localize *context, const ts_slice *s, ts_number_list *list, int d) {
  int dim = s->extracts ? d : s->small_dims[d];
  if (dim < 0 || !ts_is_cut_to_reads(context, 0, dim)) {
    ts_numbers_say_again(context, list, d, &s->offsets[d]);
    return;
  }
  if (s->extracts) {
    list->values[d] = 0;
    return;
  }
  const ts_ranges *read = &context->reads[0][dim];
  int loop = context->loops->results[0].dims[d].loops[0];
  const ts_dim *dest = &context->loop_sharding->loops[loop];
  if (!read->of) {
    MlirValue own =
        ts_late_piece(context->emit, context->loop_sharding, &context->loop_extents, loop).first;
    MlirValue at = ts_emit_add(context->emit, context->late[0][dim].first,
                               ts_emit_index(context->emit, s->offsets[d].value));
    at = ts_emit_max(context->emit, ts_emit_sub(context->emit, at, own),
                     ts_emit_index(context->emit, 0)); /* if nothing is inserted here */
    ts_numbers_say(list, d, at);
    return;
  }
  ts_ranges held = ts_dim_ranges(context->emit->arena, context->loop_sharding->grid, dest);
  int64_t *starts = TS_NEW(context->emit->arena, int64_t, read->num);
  for (int64_t i = 0; i < read->num; i++)
    if (read->of[i].first < read->of[i].end)
      starts[i] = s->offsets[d].value + s->strides[d].value * read->of[i].first - held.of[i].first;
  ts_numbers_say(list, d,
                 ts_emit_by_shard(context->emit, context->loop_sharding->grid, dest, starts));
}

/* Sizes of the local slice: of a dimension with a loop what its piece has. What the piece's type
 * does not say stays an operand: dimensions that are lacking are told by what is 1. */
static void say_size(const ts_localize *context, const ts_slice *s, ts_number_list *list, int d) {
  ts_emit *emit = context->emit;
  bool extracts = s->extracts;
  int small = split_dim(context, &context->loops->operands[extracts ? 0 : 1].dims[d]);
  MlirType type = extracts ? context->result_types[0] : mlirValueGetType(context->operands[0]);
  if (small < 0) {
    ts_numbers_say_again(context, list, d, &s->sizes[d]);
    return;
  }
  if (!mlirShapedTypeIsDynamicDim(type, small)) {
    list->values[d] = mlirShapedTypeGetDimSize(type, small);
    return;
  }
  const ts_sharding *layout = extracts ? context->result_layouts[0] : context->operand_layouts[0];
  bool is_said = s->sizes[d].operand >= 0;
  MlirValue said = is_said ? context->operands[s->sizes[d].operand] : (MlirValue){NULL};
  list->values[d] = TS_DYNAMIC;
  list->operands[list->num++] = !extracts && ts_is_cut_to_reads(context, 0, small)
                                    ? ts_emit_tensor_size(emit, context->operands[0], small)
                                    : ts_emit_local_size(emit, layout, small, said);
}

static intptr_t num_dynamic(MlirType type) {
  intptr_t num = 0;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    num += mlirShapedTypeIsDynamicDim(type, d);
  return num;
}

/* What is left of a slice without elements, whose offset upstream takes for one out of bounds; null
 * if there are some, or a size is not said. */
static MlirValue slice_nothing(const ts_localize *context, const ts_number_list *sizes) {
  MlirType result = context->result_types[0];
  bool extracts = ts_op_is(context->op, "tensor.extract_slice");
  if (!extracts && ts_has_no_elements(mlirValueGetType(context->operands[0])) &&
      mlirTypeEqual(mlirValueGetType(context->operands[1]), result))
    return context->operands[1];
  if (extracts && ts_has_no_elements(result) && num_dynamic(result) == sizes->num)
    return ts_emit_empty(context->emit, result, sizes->num, sizes->operands);
  return (MlirValue){NULL};
}

bool ts_slice_localize(const ts_localize *context, MlirValue *results) {
  ts_emit *emit = context->emit;
  ts_slice s = ts_slice_read(emit->arena, context->op);
  int32_t segments[5], num_tensors = s.extracts ? 1 : 2, num = 0, part = 0;
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, 2 + 3 * s.rank);
  for (; num < num_tensors; num++) {
    operands[num] = context->operands[num];
    segments[part++] = 1;
  }
  ts_number_list offsets = ts_numbers_start(emit->arena, s.rank, operands + num);
  for (int d = 0; d < s.rank; d++)
    say_offset(context, &s, &offsets, d);
  num += segments[part++] = offsets.num;
  ts_number_list sizes = ts_numbers_start(emit->arena, s.rank, operands + num);
  for (int d = 0; d < s.rank; d++)
    say_size(context, &s, &sizes, d);
  num += segments[part++] = sizes.num;
  results[0] = slice_nothing(context, &sizes);
  if (!mlirValueIsNull(results[0]))
    return true;
  ts_number_list strides = ts_numbers_start(emit->arena, s.rank, operands + num);
  for (int d = 0; d < s.rank; d++)
    ts_numbers_say_again(context, &strides, d, &s.strides[d]);
  num += segments[part++] = strides.num;
  MlirContext c = emit->context;
  MlirNamedAttribute attributes[4] = {
      ts_named(c, "static_offsets", mlirDenseI64ArrayGet(c, s.rank, offsets.values)),
      ts_named(c, "static_sizes", mlirDenseI64ArrayGet(c, s.rank, sizes.values)),
      ts_named(c, "static_strides", mlirDenseI64ArrayGet(c, s.rank, strides.values)),
      ts_named(c, "operandSegmentSizes", mlirDenseI32ArrayGet(c, part, segments))};
  MlirOperation local =
      ts_emit_op(emit, ts_op_name(s.op), num, operands, 1, context->result_types, 4, attributes);
  results[0] = mlirOperationGetResult(local, 0);
  return true;
}
