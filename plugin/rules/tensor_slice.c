/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tensor.extract_slice, insert_slice, pad and concat: a loop for each dimension; what they cut, pad
 * or join is read through a window, if its numbers are known, and else stays whole. It knows
 * extents and ranges; it must not know layouts. */
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "rules/build_loops.h"
#include "rules/linalg.h"
#include "rules/linear_terms.h"
#include "rules/rows.h"
#include "support/captured.h"

/* ---- numbers of an op ------------------------------------------------------------------------ */

/* An offset, a size, a stride, or a width of padding. */
typedef struct number {
  int64_t value;    /* TS_DYNAMIC if it is not known now */
  intptr_t operand; /* that says it; -1: an attribute does */
} number;

/* The list `name` of `op`, whose operands begin at `*next`, which then is behind them. */
static const number *read_list(ts_arena *arena, MlirOperation op, const char *name,
                               intptr_t *next) {
  MlirAttribute list = ts_attribute(op, name);
  intptr_t num = mlirDenseArrayGetNumElements(list);
  number *numbers = TS_NEW(arena, number, num);
  for (intptr_t d = 0; d < num; d++) {
    numbers[d] = (number){mlirDenseI64ArrayGetElement(list, d), -1};
    if (numbers[d].value != TS_DYNAMIC)
      continue;
    numbers[d].operand = (*next)++;
    numbers[d].value = ts_index_value(mlirOperationGetOperand(op, numbers[d].operand));
  }
  return numbers;
}

/* Remarks on every dimension that is kept whole: which of them is split is not known here. */
static void keep_whole(ts_arena *arena, MlirOperation op, int d, const char *why,
                       const char **remark) {
  if (*remark)
    *remark = ts_arena_format(arena, "%s; so does dimension %d", *remark, d);
  else
    *remark = ts_arena_format(arena, "dimension %d of '%s' stays whole on every device: %s", d,
                              ts_op_name(op), why);
}

/* The result is put together of operands 0 to `num` - 1: their sum, if each had zeros where it does
 * not reach. */
static void terms_of_parts(ts_op_loops *out, int num) {
  if (num == 1) {
    ts_terms_copy(out, 0, 0);
    return;
  }
  if (num > TS_MAX_TERMS)
    return;
  out->terms[0] = (ts_terms){.kind = TS_SUM, .num_terms = num};
  for (int i = 0; i < num; i++)
    out->terms[0].sets[i] = UINT32_C(1) << i;
}

/* Dimension `d` of `port` is read at `stride` times loop `loop`, plus `offset`, divided by `every`.
 */
static void read_along(ts_arena *arena, ts_port *port, int d, int loop, int64_t stride,
                       int64_t offset, int64_t every) {
  ts_window_step *step = TS_NEW(arena, ts_window_step, 1);
  *step = (ts_window_step){loop, stride};
  ts_window *window = TS_NEW(arena, ts_window, 1);
  *window = (ts_window){
      .num_steps = 1, .steps = step, .offset = offset, .every = every, .leader = loop + 1};
  ts_ports_window(arena, port, d, window);
}

/* ---- slices ---------------------------------------------------------------------------------- */

/* What extract_slice takes out of operand 0, or insert_slice writes operand 0 to in operand 1. */
typedef struct slice {
  MlirOperation op;
  MlirValue large; /* the tensor that has the slice in it */
  int rank;        /* of it */
  MlirType small;  /* the type of the slice, maybe of fewer dimensions */
  const number *offsets, *sizes, *strides;
  const int *small_dims; /* the dimension of the slice for each of the large tensor; -1: none */
} slice;

/* Dimensions that a slice of fewer dimensions lacks have size 1. Which of several it lacks does not
 * matter, so none of them is split. */
static const int *match_dims(ts_arena *arena, const slice *s) {
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

static slice read_slice(ts_arena *arena, MlirOperation op) {
  bool extracts = ts_op_is(op, "tensor.extract_slice");
  intptr_t next = extracts ? 1 : 2;
  slice s = {.op = op, .large = mlirOperationGetOperand(op, next - 1)};
  MlirValue small = extracts ? mlirOperationGetResult(op, 0) : mlirOperationGetOperand(op, 0);
  s.small = mlirValueGetType(small);
  s.rank = (int)mlirShapedTypeGetRank(mlirValueGetType(s.large));
  s.offsets = read_list(arena, op, "static_offsets", &next);
  s.sizes = read_list(arena, op, "static_sizes", &next);
  s.strides = read_list(arena, op, "static_strides", &next);
  s.small_dims = match_dims(arena, &s);
  return s;
}

/* The slice is all of dimension `d`. */
static bool takes_all(ts_arena *arena, const slice *s, int d) {
  if (s->offsets[d].value != 0 || s->strides[d].value != 1)
    return false;
  const number *size = &s->sizes[d];
  if (size->operand < 0)
    return ts_extent_is_number(arena, s->large, d, size->value);
  return ts_extent_is_value(arena, s->large, d, mlirOperationGetOperand(s->op, size->operand));
}

/* What a slice does along a dimension. */
typedef enum cut {
  CUT_NOTHING, /* it takes all */
  CUT_KNOWN,   /* a part, by numbers that are known */
  CUT_UNKNOWN
} cut;

static cut cut_of(ts_arena *arena, const slice *s, int d) {
  if (takes_all(arena, s, d))
    return CUT_NOTHING;
  bool known = s->offsets[d].value >= 0 && s->sizes[d].operand < 0 && s->strides[d].value > 0 &&
               !mlirShapedTypeIsDynamicDim(mlirValueGetType(s->large), d);
  return known ? CUT_KNOWN : CUT_UNKNOWN;
}

static void keep_cut(ts_arena *arena, const slice *s, int d, const char **remark) {
  keep_whole(arena, s->op, d, "the slice is not known to be all of it", remark);
}

bool ts_extract_slice_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out,
                            const char **reason, const char **remark) {
  slice s = read_slice(arena, op);
  if (!ts_ports_init(arena, op, s.rank, out, reason))
    return false;
  const int64_t *shape = ts_shape_of(arena, mlirValueGetType(s.large));
  const int64_t *small_shape = ts_shape_of(arena, s.small);
  for (int d = 0; d < s.rank; d++) {
    int small = s.small_dims[d];
    cut cut = cut_of(arena, &s, d);
    if (cut == CUT_UNKNOWN)
      keep_cut(arena, &s, d, remark);
    if (cut == CUT_UNKNOWN || (cut == CUT_NOTHING && small < 0))
      continue;
    int64_t size = cut == CUT_NOTHING ? shape[d] : s.sizes[d].value;
    int loop = ts_ports_add_loop(out, small < 0 ? TS_LOOP_WHOLE : TS_LOOP_PARALLEL, size);
    if (cut == CUT_NOTHING)
      ts_ports_follow(arena, out, &out->operands[0], d, loop, shape[d]);
    else
      read_along(arena, &out->operands[0], d, loop, s.strides[d].value, s.offsets[d].value, 1);
    if (small >= 0)
      ts_ports_follow(arena, out, &out->results[0], small, loop, small_shape[small]);
  }
  ts_terms_copy(out, 0, 0);
  return true;
}

bool ts_insert_slice_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                           const char **remark) {
  slice s = read_slice(arena, op);
  if (!ts_ports_init(arena, op, s.rank, out, reason))
    return false;
  const int64_t *shape = ts_shape_of(arena, mlirValueGetType(s.large));
  const int64_t *small_shape = ts_shape_of(arena, s.small);
  bool covers = true;
  for (int d = 0; d < s.rank; d++) {
    int small = s.small_dims[d];
    cut cut = small < 0 && !takes_all(arena, &s, d) ? CUT_UNKNOWN : cut_of(arena, &s, d);
    if (cut == CUT_UNKNOWN)
      keep_cut(arena, &s, d, remark);
    covers &= cut == CUT_NOTHING;
    bool splits = cut != CUT_UNKNOWN && small >= 0;
    int loop = ts_ports_add_loop(out, splits ? TS_LOOP_PARALLEL : TS_LOOP_WHOLE, shape[d]);
    ts_ports_follow(arena, out, &out->operands[1], d, loop, shape[d]);
    ts_ports_follow(arena, out, &out->results[0], d, loop, shape[d]);
    if (splits && cut == CUT_NOTHING)
      ts_ports_follow(arena, out, &out->operands[0], small, loop, small_shape[small]);
    else if (splits)
      read_along(arena, &out->operands[0], small, loop, 1, -s.offsets[d].value, s.strides[d].value);
  }
  out->result_init[0] = 1;
  out->init_is_read[0] = !covers;
  terms_of_parts(out, covers ? 1 : 2);
  return true;
}

/* The loop that a dimension goes along, or -1. */
static int loop_of(const ts_dim_loops *dim) {
  if (dim->num_loops)
    return dim->loops[0];
  return dim->window ? dim->window->leader - 1 : -1;
}

/* The dimension of the slice that goes along the loop that `large`, one of the tensor, does, or -1.
 * Shapes do not tell here: pieces may have more sizes 1 than the whole. */
static int split_dim(const ts_localize *context, const ts_dim_loops *large) {
  int loop = loop_of(large);
  if (loop < 0 || context->loops->loops[loop].kind == TS_LOOP_WHOLE)
    return -1;
  bool extracts = ts_op_is(context->op, "tensor.extract_slice");
  const ts_port *small = extracts ? &context->loops->results[0] : &context->loops->operands[0];
  for (int d = 0; d < small->rank; d++)
    if (loop_of(&small->dims[d]) == loop)
      return d;
  return -1;
}

/* The numbers of one list of a local slice: attributes, or operands at the end of `operands`. */
typedef struct local_list {
  int64_t *values;
  MlirValue *operands;
  int32_t num;
} local_list;

static local_list start_list(ts_arena *arena, int rank, MlirValue *operands) {
  return (local_list){.values = TS_NEW(arena, int64_t, rank), .operands = operands};
}

static void say(local_list *list, int d, MlirValue value) {
  list->values[d] = ts_index_value(value);
  if (list->values[d] == TS_DYNAMIC)
    list->operands[list->num++] = value;
}

/* As the op says it. */
static void say_again(const ts_localize *context, local_list *list, int d, const number *number) {
  list->values[d] = number->operand >= 0 ? TS_DYNAMIC : number->value;
  if (number->operand >= 0)
    list->operands[list->num++] = context->operands[number->operand];
}

/* Where the local slice begins. Of an operand that was cut to what is read, at its start; what is
 * inserted, where it lies in the piece of the destination. */
static void say_offset(const ts_localize *context, const slice *s, local_list *list, int d) {
  bool extracts = ts_op_is(s->op, "tensor.extract_slice");
  int dim = extracts ? d : s->small_dims[d];
  const ts_ranges *read = dim < 0 ? NULL : &context->reads[0][dim];
  if (!read || !read->of) {
    say_again(context, list, d, &s->offsets[d]);
    return;
  }
  if (extracts) {
    list->values[d] = 0;
    return;
  }
  const ts_dim *dest = &context->loop_sharding->loops[context->loops->results[0].dims[d].loops[0]];
  ts_ranges held = ts_dim_ranges(context->emit->arena, context->loop_sharding->grid, dest);
  int64_t *starts = TS_NEW(context->emit->arena, int64_t, read->num);
  for (int64_t i = 0; i < read->num; i++)
    if (read->of[i].first < read->of[i].end)
      starts[i] = s->offsets[d].value + s->strides[d].value * read->of[i].first - held.of[i].first;
  say(list, d, ts_emit_by_shard(context->emit, context->loop_sharding->grid, dest, starts));
}

/* Sizes of the local slice: of a dimension with a loop what its piece has. What the piece's type
 * does not say stays an operand: dimensions that are lacking are told by what is 1. */
static void say_size(const ts_localize *context, const slice *s, local_list *list, int d) {
  ts_emit *emit = context->emit;
  bool extracts = ts_op_is(s->op, "tensor.extract_slice");
  int small = split_dim(context, &context->loops->operands[extracts ? 0 : 1].dims[d]);
  MlirType type = extracts ? context->result_types[0] : mlirValueGetType(context->operands[0]);
  if (small < 0) {
    say_again(context, list, d, &s->sizes[d]);
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
  list->operands[list->num++] = !extracts && context->reads[0][small].of
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
static MlirValue slice_nothing(const ts_localize *context, const local_list *sizes) {
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
  slice s = read_slice(emit->arena, context->op);
  int32_t segments[5], num_tensors = ts_op_is(s.op, "tensor.extract_slice") ? 1 : 2, num = 0,
                       part = 0;
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, 2 + 3 * s.rank);
  for (; num < num_tensors; num++) {
    operands[num] = context->operands[num];
    segments[part++] = 1;
  }
  local_list offsets = start_list(emit->arena, s.rank, operands + num);
  for (int d = 0; d < s.rank; d++)
    say_offset(context, &s, &offsets, d);
  num += segments[part++] = offsets.num;
  local_list sizes = start_list(emit->arena, s.rank, operands + num);
  for (int d = 0; d < s.rank; d++)
    say_size(context, &s, &sizes, d);
  num += segments[part++] = sizes.num;
  results[0] = slice_nothing(context, &sizes);
  if (!mlirValueIsNull(results[0]))
    return true;
  local_list strides = start_list(emit->arena, s.rank, operands + num);
  for (int d = 0; d < s.rank; d++)
    say_again(context, &strides, d, &s.strides[d]);
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

/* ---- pads ------------------------------------------------------------------------------------ */

static MlirBlock pad_body(MlirOperation op) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
}

/* Zeros are added, and nothing else. */
static bool pads_with_zero(MlirOperation op) {
  MlirOperation yield = mlirBlockGetTerminator(pad_body(op));
  ts_poly value = ts_poly_of_constant(mlirOperationGetOperand(yield, 0));
  return value.num_terms == 0;
}

/* One value for all that is added, whatever its place. */
static bool pads_alike(MlirOperation op) {
  MlirBlock body = pad_body(op);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(mlirBlockGetArgument(body, i))))
      return false;
  return true;
}

bool ts_pad_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                  const char **remark) {
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  int rank = (int)mlirShapedTypeGetRank(from);
  if (!mlirValueIsNull(ts_captured_tensor(op))) {
    *reason = "its body reads a tensor from outside";
    return false;
  }
  if (!ts_ports_init(arena, op, rank, out, reason))
    return false;
  intptr_t next = 1;
  const number *low = read_list(arena, op, "static_low", &next);
  const number *high = read_list(arena, op, "static_high", &next);
  const int64_t *from_shape = ts_shape_of(arena, from), *to_shape = ts_shape_of(arena, to);
  bool pads = false;
  for (int d = 0; d < rank; d++) {
    if (low[d].value != 0 || high[d].value != 0) {
      pads = true;
      if (from_shape[d] == TS_DYNAMIC || to_shape[d] == TS_DYNAMIC || low[d].value < 0 ||
          high[d].value < 0 || !pads_alike(op)) {
        keep_whole(arena, op, d, "it is padded", remark);
        continue;
      }
      int padded = ts_ports_add_loop(out, TS_LOOP_PARALLEL, to_shape[d]);
      ts_ports_follow(arena, out, &out->results[0], d, padded, to_shape[d]);
      read_along(arena, &out->operands[0], d, padded, 1, -low[d].value, 1);
      continue;
    }
    int loop = ts_ports_add_loop(out, TS_LOOP_PARALLEL, from_shape[d]);
    ts_ports_follow(arena, out, &out->operands[0], d, loop, from_shape[d]);
    ts_ports_follow(arena, out, &out->results[0], d, loop, to_shape[d]);
  }
  /* Zeros added to what sums up do not count; nothing else may be added on every device. */
  if (pads && !pads_with_zero(op))
    return true;
  ts_terms_copy(out, 0, 0);
  if (pads)
    out->terms[0].kind = TS_SUM;
  return true;
}

/* How many indices each shard adds before and after what it reads of dimension `d`. */
typedef struct widths {
  int64_t *low, *high;
} widths;

static widths local_widths(const ts_localize *context, int d, int64_t low, const ts_dim *padded) {
  ts_arena *arena = context->emit->arena;
  ts_ranges read = context->reads[0][d];
  ts_ranges held = ts_dim_ranges(arena, context->loop_sharding->grid, padded);
  widths w = {TS_NEW(arena, int64_t, read.num), TS_NEW(arena, int64_t, read.num)};
  for (int64_t i = 0; i < read.num; i++) {
    int64_t all = held.of[i].end - held.of[i].first, own = read.of[i].end - read.of[i].first;
    w.low[i] = own ? low + read.of[i].first - held.of[i].first : all;
    w.high[i] = all - own - w.low[i];
  }
  return w;
}

/* The widths of the local op, which takes the old one's body. */
static bool set_widths(const ts_localize *context) {
  ts_emit *emit = context->emit;
  const ts_port *source = &context->loops->operands[0];
  intptr_t next = 1;
  const number *low = read_list(emit->arena, context->op, "static_low", &next);
  const number *high = read_list(emit->arena, context->op, "static_high", &next);
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, 1 + 2 * source->rank);
  MlirValue *highs = TS_NEW(emit->arena, MlirValue, source->rank);
  operands[0] = context->operands[0];
  local_list before = start_list(emit->arena, source->rank, operands + 1);
  local_list after = start_list(emit->arena, source->rank, highs);
  for (int d = 0; d < source->rank; d++) {
    if (!context->reads[0][d].of) {
      say_again(context, &before, d, &low[d]);
      say_again(context, &after, d, &high[d]);
      continue;
    }
    const ts_dim *padded = &context->loop_sharding->loops[loop_of(&source->dims[d])];
    widths w = local_widths(context, d, low[d].value, padded);
    const ts_grid *grid = context->loop_sharding->grid;
    say(&before, d, ts_emit_by_shard(emit, grid, padded, w.low));
    say(&after, d, ts_emit_by_shard(emit, grid, padded, w.high));
  }
  for (int32_t i = 0; i < after.num; i++)
    operands[1 + before.num + i] = highs[i];
  const int32_t segments[3] = {1, before.num, after.num};
  mlirOperationSetOperands(context->op, 1 + before.num + after.num, operands);
  MlirContext c = emit->context;
  MlirNamedAttribute attributes[3] = {
      ts_named(c, "static_low", mlirDenseI64ArrayGet(c, source->rank, before.values)),
      ts_named(c, "static_high", mlirDenseI64ArrayGet(c, source->rank, after.values)),
      ts_named(c, "operandSegmentSizes", mlirDenseI32ArrayGet(c, 3, segments))};
  for (int i = 0; i < 3; i++)
    mlirOperationSetAttributeByName(context->op, mlirIdentifierStr(attributes[i].name),
                                    attributes[i].attribute);
  return true;
}

static bool reads_ranges(const ts_localize *context) {
  for (int d = 0; d < context->loops->operands[0].rank; d++)
    if (context->reads[0][d].of)
      return true;
  return false;
}

/* The body sees indices of the whole result. */
bool ts_pad_localize(const ts_localize *context, MlirValue *results) {
  const ts_port *source = &context->loops->operands[0];
  for (int d = 0; d < source->rank; d++) {
    if (!source->dims[d].num_loops || pads_alike(context->op))
      continue;
    int loop = source->dims[d].loops[0];
    const ts_dim *dim = &context->loop_sharding->loops[loop];
    ts_indexed indexed = {context->op, context->loop_sharding->grid, dim, &context->loop_extents,
                          loop};
    MlirValue index = mlirBlockGetArgument(pad_body(context->op), d);
    if (ts_dim_is_split(dim) && !ts_shift_argument(context->emit, index, &indexed))
      return false;
  }
  if (reads_ranges(context)) {
    mlirValueSetType(results[0], context->result_types[0]);
    return set_widths(context);
  }
  return ts_run_on_pieces(context, results);
}

/* ---- concatenations -------------------------------------------------------------------------- */

/* A loop along dimension `d` of the result; each operand is a part of it. */
static void join(ts_arena *arena, MlirOperation op, ts_op_loops *out, int d, int64_t extent) {
  int loop = ts_ports_add_loop(out, TS_LOOP_PARALLEL, extent);
  int64_t start = 0;
  ts_ports_follow(arena, out, &out->results[0], d, loop, extent);
  for (int i = 0; i < out->num_operands; i++) {
    read_along(arena, &out->operands[i], d, loop, 1, -start, 1);
    start += mlirShapedTypeGetDimSize(mlirValueGetType(mlirOperationGetOperand(op, i)), d);
  }
}

bool ts_concat_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                     const char **remark) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  int rank = (int)mlirShapedTypeGetRank(type);
  if (!ts_ports_init(arena, op, rank, out, reason))
    return false;
  const int64_t *shape = ts_shape_of(arena, type);
  int joined = (int)mlirIntegerAttrGetValueInt(ts_attribute(op, "dim"));
  for (int d = 0; d < rank; d++) {
    if (d == joined && out->num_operands > 1) {
      if (shape[d] == TS_DYNAMIC)
        keep_whole(arena, op, d, "operands are joined along it", remark);
      else
        join(arena, op, out, d, shape[d]);
      continue;
    }
    int loop = ts_ports_add_loop(out, TS_LOOP_PARALLEL, shape[d]);
    ts_ports_follow(arena, out, &out->results[0], d, loop, shape[d]);
    for (int i = 0; i < out->num_operands; i++) {
      const int64_t *part = ts_shape_of(arena, mlirValueGetType(mlirOperationGetOperand(op, i)));
      ts_ports_follow(arena, out, &out->operands[i], d, loop, part[d]);
    }
  }
  terms_of_parts(out, out->num_operands);
  return true;
}

/* Parts whose sizes differ between devices are a piece that no type says to be as large as it is.
 */
bool ts_concat_localize(const ts_localize *context, MlirValue *results) {
  ts_emit *emit = context->emit;
  int joined = (int)mlirIntegerAttrGetValueInt(ts_attribute(context->op, "dim"));
  bool differ = false;
  for (int i = 0; i < context->loops->num_operands; i++)
    differ |= mlirShapedTypeIsDynamicDim(mlirValueGetType(context->operands[i]), joined);
  MlirType type = context->result_types[0];
  if (!differ || mlirShapedTypeIsDynamicDim(type, joined))
    return ts_run_on_pieces(context, results);
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *shape = TS_NEW(emit->arena, int64_t, rank);
  for (intptr_t d = 0; d < rank; d++)
    shape[d] = d == joined || mlirShapedTypeIsDynamicDim(type, d)
                   ? mlirShapedTypeGetDynamicSize()
                   : mlirShapedTypeGetDimSize(type, d);
  MlirType open = mlirRankedTensorTypeGet(rank, shape, mlirShapedTypeGetElementType(type),
                                          mlirRankedTensorTypeGetEncoding(type));
  MlirNamedAttribute dim = ts_named(emit->context, "dim", ts_attribute(context->op, "dim"));
  MlirOperation local = ts_emit_op(emit, "tensor.concat", context->loops->num_operands,
                                   context->operands, 1, &open, 1, &dim);
  results[0] = ts_emit_cast(emit, mlirOperationGetResult(local, 0), type);
  return true;
}
