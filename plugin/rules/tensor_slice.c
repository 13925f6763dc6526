/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tensor.extract_slice, insert_slice, pad and concat: a loop for each dimension that they leave as
 * it is; those that they cut, pad or join stay whole. It knows extents; it must not know layouts.
 */
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

/* Dimension `d` follows a loop; or else there is a remark, unless it has a size of 1 that the slice
 * lacks. */
static bool is_split(ts_arena *arena, const slice *s, int d, const char **remark) {
  bool whole = !takes_all(arena, s, d);
  if (whole)
    keep_whole(arena, s->op, d, "the slice is not known to be all of it", remark);
  return !whole && s->small_dims[d] >= 0;
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
    if (!is_split(arena, &s, d, remark))
      continue;
    int loop = ts_ports_add_loop(out, TS_LOOP_PARALLEL, shape[d]);
    ts_ports_follow(arena, out, &out->operands[0], d, loop, shape[d]);
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
    bool splits = is_split(arena, &s, d, remark);
    covers &= takes_all(arena, &s, d);
    int loop = ts_ports_add_loop(out, splits ? TS_LOOP_PARALLEL : TS_LOOP_WHOLE, shape[d]);
    ts_ports_follow(arena, out, &out->operands[1], d, loop, shape[d]);
    ts_ports_follow(arena, out, &out->results[0], d, loop, shape[d]);
    if (splits)
      ts_ports_follow(arena, out, &out->operands[0], small, loop, small_shape[small]);
  }
  out->result_init[0] = 1;
  out->init_is_read[0] = !covers;
  terms_of_parts(out, covers ? 1 : 2);
  return true;
}

/* The operands that `numbers` has, at the end of `operands`; how many they are. */
static int32_t copy_operands(const ts_localize *context, const slice *s, const number *numbers,
                             MlirValue *operands) {
  int32_t num = 0;
  for (int d = 0; d < s->rank; d++)
    if (numbers[d].operand >= 0)
      operands[num++] = context->operands[numbers[d].operand];
  return num;
}

/* The dimension of the slice that follows the loop that `large`, one of the tensor, does, or -1.
 * Shapes do not tell here: pieces may have more sizes 1 than the whole. */
static int split_dim(const ts_localize *context, const ts_dim_loops *large) {
  const ts_op_loops *all = context->loops;
  if (!large->num_loops || all->loops[large->loops[0]].kind == TS_LOOP_WHOLE)
    return -1;
  bool extracts = ts_op_is(context->op, "tensor.extract_slice");
  const ts_port *small = extracts ? &all->results[0] : &all->operands[0];
  for (int d = 0; d < small->rank; d++)
    if (small->dims[d].num_loops && small->dims[d].loops[0] == large->loops[0])
      return d;
  return -1;
}

/* Sizes of the local slice: of a dimension with a loop what `type`, the slice's local type, and
 * `layout` say. Those that are not attributes go to the end of `operands`. */
static int32_t local_sizes(const ts_localize *context, const slice *s, MlirType type,
                           const ts_sharding *layout, int64_t *sizes, MlirValue *operands) {
  const ts_port *large = &context->loops->operands[ts_op_is(s->op, "tensor.insert_slice")];
  int32_t num = 0;
  for (int d = 0; d < s->rank; d++) {
    const number *size = &s->sizes[d];
    int small = split_dim(context, &large->dims[d]);
    MlirValue said = {NULL};
    if (size->operand >= 0)
      said = context->operands[size->operand];
    sizes[d] = size->operand >= 0 ? TS_DYNAMIC : size->value;
    if (small >= 0 && !mlirShapedTypeIsDynamicDim(type, small)) {
      sizes[d] = mlirShapedTypeGetDimSize(type, small);
    } else if (small >= 0) {
      sizes[d] = TS_DYNAMIC;
      said = ts_emit_local_size(context->emit, layout, small, said);
    }
    if (sizes[d] == TS_DYNAMIC)
      operands[num++] = said;
  }
  return num;
}

bool ts_slice_localize(const ts_localize *context, MlirValue *results) {
  ts_emit *emit = context->emit;
  slice s = read_slice(emit->arena, context->op);
  bool extracts = ts_op_is(s.op, "tensor.extract_slice");
  MlirType type = extracts ? context->result_types[0] : mlirValueGetType(context->operands[0]);
  const ts_sharding *layout = extracts ? context->result_layouts[0] : context->operand_layouts[0];
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, 2 + 3 * s.rank);
  int64_t *sizes = TS_NEW(emit->arena, int64_t, s.rank);
  int32_t segments[5], num_tensors = extracts ? 1 : 2, num = 0, part = 0;
  for (; num < num_tensors; num++) {
    operands[num] = context->operands[num];
    segments[part++] = 1;
  }
  num += segments[part++] = copy_operands(context, &s, s.offsets, operands + num);
  num += segments[part++] = local_sizes(context, &s, type, layout, sizes, operands + num);
  num += segments[part++] = copy_operands(context, &s, s.strides, operands + num);
  MlirNamedAttribute attributes[4] = {
      ts_named(emit->context, "static_offsets", ts_attribute(s.op, "static_offsets")),
      ts_named(emit->context, "static_sizes", mlirDenseI64ArrayGet(emit->context, s.rank, sizes)),
      ts_named(emit->context, "static_strides", ts_attribute(s.op, "static_strides")),
      ts_named(emit->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(emit->context, part, segments))};
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
      keep_whole(arena, op, d, "it is padded", remark);
      pads = true;
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

/* The body sees indices of the whole result. */
bool ts_pad_localize(const ts_localize *context, MlirValue *results) {
  const ts_port *source = &context->loops->operands[0];
  for (int d = 0; d < source->rank; d++) {
    if (!source->dims[d].num_loops)
      continue;
    int loop = source->dims[d].loops[0];
    const ts_dim *dim = &context->loop_sharding->loops[loop];
    ts_indexed indexed = {context->op, context->loop_sharding->grid, dim, &context->loop_extents,
                          loop};
    MlirValue index = mlirBlockGetArgument(pad_body(context->op), d);
    if (ts_dim_is_split(dim) && !ts_shift_argument(context->emit, index, &indexed))
      return false;
  }
  return ts_run_on_pieces(context, results);
}

/* ---- concatenations -------------------------------------------------------------------------- */

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
      keep_whole(arena, op, d, "operands are joined along it", remark);
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
