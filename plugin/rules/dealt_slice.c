/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Slices at the own place of a trip, in loops that are dealt out: the device that runs the trip has
 * that place in its piece. It must not know which loops are. */
#include "rules/dealt_slice.h"

#include "mlir-c/BuiltinTypes.h"

#include "rules/build_loops.h"
#include "rules/rows.h"
#include "rules/tensor_slice.h"

/* ---- loops ----------------------------------------------------------------------------------- */

/* Dimension `d` is sliced at another place that the run tells, as slices elsewhere are. */
static bool is_moved(const ts_slice *s, int d, const bool *is_dealt) {
  bool in_steps = false;
  for (int i = 0; i < s->rank; i++)
    in_steps |= s->strides[i].value != 1;
  return !is_dealt[d] && !in_steps && s->offsets[d].value == TS_DYNAMIC;
}

static ts_loop_kind kind_of_moved(const ts_slice *s) {
  if (!s->extracts)
    return TS_LOOP_PARALLEL;
  return ts_kind_of_parts(mlirShapedTypeGetElementType(s->small)) ? TS_LOOP_LOOKUP : TS_LOOP_WHOLE;
}

bool ts_dealt_slice_loops(ts_arena *arena, MlirOperation op, const bool *is_dealt, ts_op_loops *out,
                          const char **reason) {
  ts_slice s = ts_slice_read(arena, op);
  if (!ts_ports_init(arena, op, s.rank, out, reason))
    return false;
  const int64_t *shape = ts_shape_of(arena, mlirValueGetType(s.large));
  const int64_t *small_shape = ts_shape_of(arena, s.small);
  ts_port *large = s.extracts ? &out->operands[0] : &out->operands[1];
  ts_port *small = s.extracts ? &out->results[0] : &out->operands[0];
  for (int d = 0; d < s.rank; d++) {
    int at = s.small_dims[d];
    bool all = !is_dealt[d] && at >= 0 && ts_slice_takes_all(arena, &s, d);
    bool moved = is_moved(&s, d, is_dealt);
    if (s.extracts && !all && !moved && !is_dealt[d])
      continue;
    ts_loop_kind kind = all ? TS_LOOP_PARALLEL : moved ? kind_of_moved(&s) : TS_LOOP_WHOLE;
    int loop = ts_ports_add_loop(out, kind, shape[d]);
    if (kind == TS_LOOP_LOOKUP)
      out->result_reduction[0] = ts_kind_of_parts(mlirShapedTypeGetElementType(s.small));
    ts_ports_follow(arena, out, large, d, loop, shape[d]);
    if (!s.extracts)
      ts_ports_follow(arena, out, &out->results[0], d, loop, shape[d]);
    if (all)
      ts_ports_follow(arena, out, small, at, loop, small_shape[at]);
  }
  if (s.extracts) {
    ts_terms_copy(out, 0, 0);
  } else {
    out->result_init[0] = 1;
    out->init_is_read[0] = true;
    ts_terms_of_parts(out, 2);
  }
  return true;
}

/* ---- the local form -------------------------------------------------------------------------- */

/* Some dimension is split in which the slice may lie in any piece. */
static bool lies_anywhere(const ts_localize *context, const ts_slice *s) {
  const ts_port *large = &context->loops->operands[s->extracts ? 0 : 1];
  for (int d = 0; d < s->rank; d++) {
    int loop = ts_numbers_loop_of(&large->dims[d]);
    if (loop >= 0 && context->loops->loops[loop].kind != TS_LOOP_WHOLE &&
        s->offsets[d].value == TS_DYNAMIC && ts_dim_is_split(&context->loop_sharding->loops[loop]))
      return true;
  }
  return false;
}

/* Where the slice lies in the device's piece, by what its offsets say of the whole tensor. */
static bool localize(const ts_localize *context, MlirValue *results) {
  ts_emit *emit = context->emit;
  ts_slice s = ts_slice_read(emit->arena, context->op);
  if (lies_anywhere(context, &s))
    return s.extracts ? ts_moved_extract_localize(context, results)
                      : ts_moved_insert_localize(context, results);
  int num = context->loops->num_operands;
  MlirValue *operands =
      ts_arena_copy(emit->arena, context->operands, sizeof(*operands) * (size_t)num);
  const ts_port *large = &context->loops->operands[s.extracts ? 0 : 1];
  for (int d = 0; d < s.rank; d++) {
    int loop = ts_numbers_loop_of(&large->dims[d]);
    const ts_dim *split = loop >= 0 ? &context->loop_sharding->loops[loop] : NULL;
    if (!split || context->loops->loops[loop].kind != TS_LOOP_WHOLE || !ts_dim_is_split(split))
      continue;
    MlirValue first = ts_emit_factor_offset(emit, context->loop_sharding->grid, &split->factors[0],
                                            (MlirValue){NULL});
    MlirValue *offset = &operands[s.offsets[d].operand];
    *offset = ts_emit_sub(emit, *offset, first);
  }
  ts_localize own = *context;
  own.operands = operands;
  return ts_slice_localize(&own, results);
}

static const ts_rule rules[] = {
    {"tensor.extract_slice", .localize = localize, .does = TS_KEEPS_ITS_PLACE},
    {"tensor.insert_slice", .localize = localize, .does = TS_KEEPS_ITS_PLACE},
};

const ts_rule *ts_dealt_slice_rule(MlirOperation op) {
  return &rules[ts_op_is(op, rules[0].op) ? 0 : 1];
}
