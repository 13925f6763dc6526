/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Pieces that begin elsewhere than where those of what an op reads do. It knows loops and layouts;
 * it must not know prices. */
#include "solve/borders.h"

static bool follows_several(const ts_port *port) {
  for (int d = 0; d < port->rank; d++)
    if (port->dims[d].num_loops > 1)
      return true;
  return false;
}

bool ts_reshapes(const ts_op *op) {
  if (op->kind != TS_OP_RULE)
    return false;
  for (int p = 0; p < op->num_operands + op->num_results; p++)
    if (follows_several(ts_op_port(op->loops, p)))
      return true;
  return false;
}

static bool has_window(const ts_dim_loops *dim, const ts_grid *grid, const ts_dim *layout) {
  return dim->window && dim->window->leader && !ts_dim_as_one(grid, layout, false) &&
         ts_dim_as_one(grid, layout, true);
}

static bool would_fit(ts_model *model, const ts_op *op, const ts_port *port,
                      const ts_value *value) {
  ts_arena *arena = &model->scratch;
  const ts_grid *grid = value->layout->grid;
  for (int d = 0; d < port->rank; d++) {
    const ts_dim_loops *dim = &port->dims[d];
    const ts_dim *layout = &value->layout->dims[d];
    if (!ts_dim_is_split(layout))
      continue;
    if (!dim->num_loops && has_window(dim, grid, layout))
      return true;
    ts_dim *wishes = TS_NEW(arena, ts_dim, dim->num_loops);
    if (dim->num_loops > 1 && ts_loops_wished(arena, op->loops, grid, dim, layout, false, wishes) &&
        !ts_loops_wished(arena, op->loops, grid, dim, layout, true, wishes))
      return true;
  }
  return false;
}

static bool is_one(ts_model *model, const ts_op *op) {
  if (op->kind != TS_OP_RULE)
    return false;
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i] && !op->operands[i]->is_free &&
        would_fit(model, op, &op->loops->operands[i], op->operands[i]))
      return true;
  for (int r = 0; r < op->num_results; r++)
    if (op->results[r] && would_fit(model, op, &op->loops->results[r], op->results[r]))
      return true;
  return false;
}

bool ts_may_move_borders(ts_model *model) {
  for (int f = 0; f < model->num_functions; f++)
    for (int i = 0; model->order[f]->is_active && i < model->order[f]->num_ops; i++)
      if (is_one(model, model->order[f]->ops[i]))
        return true;
  return false;
}
