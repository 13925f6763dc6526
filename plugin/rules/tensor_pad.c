/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tensor.pad: a loop for each dimension; what is padded is read through a window, if its widths are
 * known, and else stays whole. It knows extents and ranges; it must not know layouts. */
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "rules/build_loops.h"
#include "rules/late_windows.h"
#include "rules/linalg.h"
#include "rules/linear_terms.h"
#include "rules/rows.h"
#include "rules/tensor_numbers.h"
#include "support/captured.h"

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
  const ts_list_number *low = ts_numbers_read(arena, op, "static_low", &next);
  const ts_list_number *high = ts_numbers_read(arena, op, "static_high", &next);
  const int64_t *from_shape = ts_shape_of(arena, from), *to_shape = ts_shape_of(arena, to);
  bool pads = false;
  for (int d = 0; d < rank; d++) {
    if (low[d].value != 0 || high[d].value != 0) {
      pads = true;
      if (low[d].value < 0 || high[d].value < 0 || low[d].value > TS_MOST_LATE ||
          high[d].value > TS_MOST_LATE || !pads_alike(op)) {
        ts_numbers_keep_whole(arena, op, d, "it is padded", remark);
        continue;
      }
      int64_t added = low[d].value + high[d].value;
      bool is_open = from_shape[d] == TS_DYNAMIC;
      int padded =
          ts_ports_add_loop(out, TS_LOOP_PARALLEL, is_open ? to_shape[d] : from_shape[d] + added);
      ts_ports_follow(arena, out, &out->results[0], d, padded, to_shape[d]);
      ts_ports_read_along(arena, &out->operands[0], d, padded, 1, -low[d].value, 1);
      if (is_open)
        ts_late_add_up(arena, &out->operands[0], d, added);
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
  ts_late_need_complete(arena, op, out);
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

/* The same of a dimension of which only the launch knows what is read, in `*high` what is added
 * behind. */
static MlirValue late_widths(const ts_localize *context, int d, int64_t low, int loop,
                             MlirValue *high) {
  ts_emit *emit = context->emit;
  ts_local_range padded = ts_late_piece(emit, context->loop_sharding, &context->loop_extents, loop),
                 read = context->late[0][d];
  MlirValue zero = ts_emit_index(emit, 0), all = ts_emit_sub(emit, padded.end, padded.first);
  MlirValue own = ts_emit_sub(emit, read.end, read.first);
  MlirValue before =
      ts_emit_sub(emit, ts_emit_add(emit, read.first, ts_emit_index(emit, low)), padded.first);
  before = ts_emit_min(emit, ts_emit_max(emit, before, zero), all); /* if nothing is read */
  *high = ts_emit_sub(emit, ts_emit_sub(emit, all, own), before);
  return before;
}

/* Adds a width of dimension `d`: as an operand where the source's type says the extent and the
 * result's does not, for upstream's verifier would expect that it does. */
static void say_width(const ts_localize *context, ts_number_list *list, int d, MlirValue width) {
  if (mlirShapedTypeIsDynamicDim(mlirValueGetType(context->operands[0]), d) ||
      !mlirShapedTypeIsDynamicDim(context->result_types[0], d)) {
    ts_numbers_say(list, d, width);
    return;
  }
  list->values[d] = TS_DYNAMIC;
  list->operands[list->num++] = width;
}

/* The widths of the local op, which takes the old one's body. */
static bool set_widths(const ts_localize *context) {
  ts_emit *emit = context->emit;
  const ts_port *source = &context->loops->operands[0];
  intptr_t next = 1;
  const ts_list_number *low = ts_numbers_read(emit->arena, context->op, "static_low", &next);
  const ts_list_number *high = ts_numbers_read(emit->arena, context->op, "static_high", &next);
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, 1 + 2 * source->rank);
  MlirValue *highs = TS_NEW(emit->arena, MlirValue, source->rank);
  operands[0] = context->operands[0];
  ts_number_list before = ts_numbers_start(emit->arena, source->rank, operands + 1);
  ts_number_list after = ts_numbers_start(emit->arena, source->rank, highs);
  for (int d = 0; d < source->rank; d++) {
    if (!ts_is_cut_to_reads(context, 0, d)) {
      ts_numbers_say_again(context, &before, d, &low[d]);
      ts_numbers_say_again(context, &after, d, &high[d]);
      continue;
    }
    int loop = ts_numbers_loop_of(&source->dims[d]);
    const ts_dim *padded = &context->loop_sharding->loops[loop];
    if (!context->reads[0][d].of) {
      MlirValue behind, front = late_widths(context, d, low[d].value, loop, &behind);
      say_width(context, &before, d, front);
      say_width(context, &after, d, behind);
      continue;
    }
    widths w = local_widths(context, d, low[d].value, padded);
    const ts_grid *grid = context->loop_sharding->grid;
    say_width(context, &before, d, ts_emit_by_shard(emit, grid, padded, w.low));
    say_width(context, &after, d, ts_emit_by_shard(emit, grid, padded, w.high));
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
    if (ts_is_cut_to_reads(context, 0, d))
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
    if (ts_dim_is_cut(dim) && !ts_shift_argument(context->emit, index, &indexed))
      return false;
  }
  if (reads_ranges(context)) {
    mlirValueSetType(results[0], context->result_types[0]);
    return set_widths(context);
  }
  return ts_run_on_pieces(context, results);
}
