/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tensor.extract beside loops: one element, which every device gets because scalars are the same
 * everywhere. It must not know what the element is for. */
#include "mlir-c/BuiltinTypes.h"

#include "rules/build_loops.h"
#include "rules/linalg.h"
#include "rules/rows.h"

bool ts_extract_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                      const char **remark) {
  (void)remark;
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  if (!ts_ports_init(arena, op, 0, out, reason))
    return false;
  ts_port *port = &out->operands[0];
  out->loops = TS_NEW(arena, ts_loop, port->rank);
  out->result_reduction[0] = ts_kind_of_parts(mlirShapedTypeGetElementType(type));
  const int64_t *shape = ts_shape_of(arena, type);
  for (int d = 0; out->result_reduction[0] && d < port->rank; d++)
    if (shape[d] != 1)
      ts_ports_follow(arena, out, port, d, ts_ports_add_loop(out, TS_LOOP_LOOKUP, shape[d]),
                      shape[d]);
  return true;
}

static const ts_dim *split_of(const ts_localize *context, int d) {
  const ts_dim_loops *dim = &context->loops->operands[0].dims[d];
  if (!dim->num_loops)
    return NULL;
  const ts_dim *split = &context->loop_sharding->loops[dim->loops[0]];
  return ts_dim_is_split(split) ? split : NULL;
}

bool ts_extract_localize(const ts_localize *context, MlirValue *results) {
  ts_emit *emit = context->emit;
  ts_axes axes = ts_loops_partial_axes(context->loops, context->loop_sharding);
  if (!axes)
    return ts_run_on_pieces(context, results);
  int rank = context->loops->operands[0].rank;
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, 1 + rank), here = {NULL};
  bool *pads = TS_NEW(emit->arena, bool, rank);
  ts_maker place = ts_emit_place(emit);
  for (int d = 0; d < rank; d++) {
    const ts_dim *split = split_of(context, d);
    operands[1 + d] = context->operands[1 + d];
    if (!split)
      continue;
    ts_indexed indexed = {context->op, context->loop_sharding->grid, split, &context->loop_extents,
                          context->loops->operands[0].dims[d].loops[0]};
    MlirValue has = {NULL};
    operands[1 + d] = ts_emit_piece_index(emit, &indexed, operands[1 + d], &has);
    if (mlirValueIsNull(operands[1 + d]))
      return false;
    here = mlirValueIsNull(here) ? has : ts_make_binary(&place, "arith.andi", here, has);
    pads[d] = ts_may_be_empty(context->loop_sharding->grid, split);
  }
  operands[0] = ts_emit_at_least_one(emit, context->operands[0], pads);
  ts_reduction kind = context->loops->result_reduction[0];
  MlirType element = context->result_types[0];
  MlirValue value = ts_make_value(&place, "tensor.extract", 1 + rank, operands, element, 0, NULL);
  MlirValue none = ts_emit_scalar(emit, ts_neutral_element(kind, element));
  results[0] = ts_emit_combine(emit, context->loop_sharding->grid, axes, kind,
                               ts_make_select(&place, here, value, none));
  return true;
}
