/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* An op's loop sharding, chosen from the layouts of its ports. It knows loops and costs; it must
 * not know MLIR ops. */
#include "solve/loop_choice.h"

#include "reshard/reshard.h"
#include "solve/growth.h"

/* ---- ports ----------------------------------------------------------------------------------- */

typedef struct chooser {
  ts_model *model;
  ts_op *op;
  const ts_grid *grid;
  int num_ports;
  int *ports; /* operands, then results, of split layout; largest tensors first */
} chooser;

static ts_value *port_value(const ts_op *op, int port) {
  return port < op->num_operands ? op->operands[port] : op->results[port - op->num_operands];
}

static const ts_port *port_loops(const ts_op *op, int port) {
  return port < op->num_operands ? &op->loops->operands[port]
                                 : &op->loops->results[port - op->num_operands];
}

static ts_loop_sharding unsharded(ts_arena *arena, const ts_grid *grid, const ts_op_loops *loops) {
  ts_loop_sharding sharding = {.grid = grid, .num_loops = loops->num_loops};
  sharding.loops = TS_NEW(arena, ts_dim, loops->num_loops);
  ts_factor *factors = TS_NEW(arena, ts_factor, loops->num_loops);
  for (int l = 0; l < loops->num_loops; l++) {
    factors[l].size = loops->loops[l].size;
    sharding.loops[l] = (ts_dim){.num_factors = 1, .factors = &factors[l]};
  }
  return sharding;
}

/* Lets one port's layout add to the loops. Returns the axes it could not have. */
static ts_axes add_port(chooser *c, int port, ts_loop_sharding *sharding, ts_axes *used) {
  ts_arena *arena = &c->model->scratch;
  const ts_sharding *layout = port_value(c->op, port)->layout;
  const ts_port *loops = port_loops(c->op, port);
  ts_axes dropped = 0;
  for (int d = 0; d < loops->rank; d++) {
    const ts_dim_loops *dim = &loops->dims[d];
    if (!ts_dim_is_split(&layout->dims[d]))
      continue;
    if (!dim->num_loops) {
      dropped |= ts_dim_axes(&layout->dims[d]);
      continue;
    }
    int64_t *sizes = TS_NEW(arena, int64_t, dim->num_loops);
    ts_dim *wishes = TS_NEW(arena, ts_dim, dim->num_loops);
    for (int i = 0; i < dim->num_loops; i++)
      sizes[i] = c->op->loops->loops[dim->loops[i]].size;
    dropped |= ts_dim_split(arena, c->grid, &layout->dims[d], dim->num_loops, sizes, wishes);
    for (int i = 0; i < dim->num_loops; i++) {
      int l = dim->loops[i];
      if (c->op->loops->loops[l].kind == TS_LOOP_WHOLE) {
        dropped |= ts_dim_axes(&wishes[i]);
        continue;
      }
      ts_axes own = ts_dim_axes(&sharding->loops[l]);
      ts_dim extended;
      dropped |=
          ts_dim_extend(arena, c->grid, &sharding->loops[l], &wishes[i], *used & ~own, &extended);
      sharding->loops[l] = extended;
      *used |= ts_dim_axes(&extended);
    }
  }
  return dropped;
}

/* Serves `leader` first (-1: none), then the others in their order. */
static ts_axes choose_with_leader(chooser *c, int leader, ts_loop_sharding *sharding) {
  *sharding = unsharded(&c->model->scratch, c->grid, c->op->loops);
  ts_axes used = 0, dropped = 0;
  if (leader >= 0)
    dropped |= add_port(c, leader, sharding, &used);
  for (int i = 0; i < c->num_ports; i++)
    if (c->ports[i] != leader)
      dropped |= add_port(c, c->ports[i], sharding, &used);
  return dropped;
}

static double element_bytes(const ts_value *value) {
  double elements = 1;
  for (int d = 0; d < value->rank; d++)
    elements *= value->shape[d] == TS_DYNAMIC ? 1024 : (double)value->shape[d];
  return elements > 0 ? value->bytes / elements : 0;
}

static double result_cost(chooser *c, const ts_loop_sharding *sharding, int r) {
  ts_arena *arena = &c->model->scratch;
  const ts_value *value = c->op->results[r];
  const ts_sharding *flow =
      ts_loops_project(arena, sharding, &c->op->loops->results[r], value->shape);
  ts_axes axes = ts_loops_partial_axes(c->op->loops, sharding);
  ts_partial partial[TS_MAX_AXES];
  int num = 0;
  for (int a = 0; a < TS_MAX_AXES; a++)
    if (axes >> a & 1)
      partial[num++] = (ts_partial){a, c->op->loops->result_reduction[r]};
  const ts_sharding *target = ts_grown(arena, value, flow);
  if (num && c->op->loops->result_reduction[r])
    flow = ts_sharding_with_partial(arena, flow, num, partial);
  return ts_reshard_cost(arena, flow, target) * element_bytes(value);
}

/* Bytes that the busiest device receives if the op runs under `sharding`. */
static double loops_cost(chooser *c, const ts_loop_sharding *sharding) {
  ts_arena *arena = &c->model->scratch;
  double cost = 0;
  for (int i = 0; i < c->op->num_operands; i++) {
    const ts_value *value = c->op->operands[i];
    if (!value || value->is_free)
      continue;
    const ts_sharding *required =
        ts_loops_project(arena, sharding, &c->op->loops->operands[i], value->shape);
    cost += ts_reshard_cost(arena, value->layout, required) * element_bytes(value);
  }
  for (int r = 0; r < c->op->num_results; r++)
    if (c->op->results[r] && !c->op->results[r]->is_free)
      cost += result_cost(c, sharding, r);
  return cost;
}

static void collect_ports(chooser *c) {
  ts_op *op = c->op;
  c->ports = TS_NEW(&c->model->scratch, int, op->num_operands + op->num_results);
  for (int port = 0; port < op->num_operands + op->num_results; port++) {
    ts_value *value = port_value(op, port);
    if (!value || value->is_free || !port_loops(op, port)->is_tensor ||
        !ts_sharding_split_axes(value->layout))
      continue;
    int at = c->num_ports++;
    for (; at > 0 && port_value(op, c->ports[at - 1])->bytes < value->bytes; at--)
      c->ports[at] = c->ports[at - 1];
    c->ports[at] = port;
  }
}

ts_loop_sharding ts_choose_loops(ts_model *model, const ts_grid *grid, ts_op *op) {
  chooser c = {.model = model, .op = op, .grid = grid};
  collect_ports(&c);
  ts_loop_sharding best;
  if (!choose_with_leader(&c, -1, &best))
    return best;
  double best_cost = loops_cost(&c, &best);
  for (int i = 1; i < c.num_ports; i++) {
    ts_loop_sharding candidate;
    choose_with_leader(&c, c.ports[i], &candidate);
    double cost = loops_cost(&c, &candidate);
    if (cost < best_cost) {
      best_cost = cost;
      best = candidate;
    }
  }
  return best;
}
