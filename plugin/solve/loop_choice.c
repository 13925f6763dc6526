/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* An op's loop sharding, chosen from the layouts of its ports. It knows loops and costs; it must
 * not know MLIR ops. */
#include "solve/loop_choice.h"

#include "solve/finds.h"
#include "solve/growth.h"
#include "solve/passages.h"
#include "solve/price.h"

/* ---- ports ----------------------------------------------------------------------------------- */

typedef struct chooser {
  ts_model *model;
  ts_op *op;
  const ts_grid *grid;
  bool
      gives_up; /* loops of which few places count stay whole: the operands move, not the results */
  ts_axes taken; /* that operands are said to be taken partial over: no loop is split along them */
  int num_ports;
  int *ports; /* operands, then results, of split layout; largest tensors first */
} chooser;

static ts_value *port_value(const ts_op *op, int port) {
  return port < op->num_operands ? op->operands[port] : op->results[port - op->num_operands];
}

/* As it is at least. */
static ts_loop_sharding unsharded(ts_arena *arena, const ts_grid *grid, const ts_op *op) {
  const ts_op_loops *loops = op->loops;
  ts_loop_sharding sharding = {.grid = grid, .num_loops = loops->num_loops};
  sharding.loops = TS_NEW(arena, ts_dim, loops->num_loops);
  ts_factor *factors = TS_NEW(arena, ts_factor, loops->num_loops);
  for (int l = 0; l < loops->num_loops; l++) {
    factors[l].size = loops->loops[l].size;
    sharding.loops[l] =
        op->dealt ? op->dealt[l] : (ts_dim){.num_factors = 1, .factors = &factors[l]};
  }
  return sharding;
}

static bool may_split(const chooser *c, int l, const ts_dim *wish) {
  const ts_loop *loop = &c->op->loops->loops[l];
  if (loop->kind == TS_LOOP_WHOLE || (c->gives_up && ts_loop_may_be_given_up(loop)))
    return false;
  return ts_window_allows(c->op->loops, l, c->grid, wish);
}

/* Lets `wish` add to the split of loop `l`. Returns the axes it could not have. */
static ts_axes add_wish(chooser *c, int l, const ts_dim *wish, ts_loop_sharding *sharding,
                        ts_axes *used) {
  if (!may_split(c, l, wish))
    return ts_dim_axes(wish);
  ts_axes own = ts_dim_axes(&sharding->loops[l]);
  ts_dim extended;
  ts_axes dropped = ts_dim_extend(&c->model->scratch, c->grid, &sharding->loops[l], wish,
                                  *used & ~own, &extended);
  if (!ts_loop_allows(&c->op->loops->loops[l], c->grid, &extended) ||
      !ts_window_allows(c->op->loops, l, c->grid, &extended))
    return dropped | ts_dim_axes(wish);
  sharding->loops[l] = extended;
  *used |= ts_dim_axes(&extended);
  return dropped;
}

/* The leader of a window is split as the dimension is that it reads. */
static ts_axes add_window(chooser *c, const ts_window *window, const ts_dim *dim,
                          ts_loop_sharding *sharding, ts_axes *used) {
  const ts_factor *split = ts_dim_as_one(c->grid, dim, c->model->moves_borders);
  if (!window || !window->leader || !split)
    return ts_dim_axes(dim);
  int l = window->leader - 1;
  ts_dim wish =
      ts_dim_plain(&c->model->scratch, c->op->loops->loops[l].size, split->num_axes, split->axes);
  return add_wish(c, l, &wish, sharding, used);
}

/* Lets one port's layout add to the loops. Returns the axes it could not have. */
static ts_axes add_port(chooser *c, int port, ts_loop_sharding *sharding, ts_axes *used) {
  ts_arena *arena = &c->model->scratch;
  const ts_sharding *layout = port_value(c->op, port)->layout;
  const ts_port *loops = ts_op_port(c->op->loops, port);
  ts_axes dropped = 0;
  for (int d = 0; d < loops->rank; d++) {
    const ts_dim_loops *dim = &loops->dims[d];
    if (!ts_dim_is_split(&layout->dims[d]))
      continue;
    if (!dim->num_loops) {
      dropped |= add_window(c, dim->window, &layout->dims[d], sharding, used);
      continue;
    }
    ts_dim *wishes = TS_NEW(arena, ts_dim, dim->num_loops);
    dropped |= ts_loops_wished(arena, c->op->loops, c->grid, dim, &layout->dims[d],
                               c->model->moves_borders, wishes);
    for (int i = 0; i < dim->num_loops; i++)
      dropped |= add_wish(c, dim->loops[i], &wishes[i], sharding, used);
  }
  return dropped;
}

/* Serves `leader` first (-1: none), then the others in their order. */
static ts_axes choose_with_leader(chooser *c, int leader, ts_loop_sharding *sharding) {
  *sharding = unsharded(&c->model->scratch, c->grid, c->op);
  ts_axes used = c->taken | c->op->apart, dropped = 0;
  if (leader >= 0)
    dropped |= add_port(c, leader, sharding, &used);
  for (int i = 0; i < c->num_ports; i++)
    if (c->ports[i] != leader)
      dropped |= add_port(c, c->ports[i], sharding, &used);
  return dropped;
}

static bool splits_lookup(const ts_op *op, const ts_loop_sharding *sharding) {
  for (int l = 0; l < sharding->num_loops; l++)
    if (op->loops->loops[l].kind == TS_LOOP_LOOKUP && ts_dim_is_split(&sharding->loops[l]))
      return true;
  return false;
}

/* The layout that the op wishes for a result under `sharding`. What it looks up in split tables is
 * partial: each device can have its part of the sum, where the indices were split over the same
 * axes. */
static const ts_sharding *wish_for(chooser *c, const ts_loop_sharding *sharding, int r) {
  ts_arena *arena = &c->model->scratch;
  const ts_port *port = &c->op->loops->results[r];
  const ts_sharding *wish =
      ts_loops_project(arena, c->op->loops, sharding, port, c->op->results[r]->shape);
  if (c->gives_up || !splits_lookup(c->op, sharding))
    return wish;
  ts_loop_sharding without;
  c->gives_up = true;
  choose_with_leader(c, -1, &without);
  c->gives_up = false;
  const ts_sharding *more =
      ts_loops_project(arena, c->op->loops, &without, port, c->op->results[r]->shape);
  for (int d = 0; d < wish->rank; d++) {
    ts_axes used = ts_sharding_split_axes(wish);
    if (!ts_dim_is_split(&wish->dims[d]) && !(ts_dim_axes(&more->dims[d]) & used))
      wish = ts_sharding_with_dim(arena, wish, d, more->dims[d]);
  }
  return wish;
}

/* The one op with loops that takes the op's one result, or NULL. */
static ts_op *next_op(const ts_op *op) {
  ts_value *value = op->num_results == 1 ? op->results[0] : NULL;
  bool goes_on = value && !value->is_fixed && !value->is_free && value->uses == 1 &&
                 value->num_users == 1 && value->users[0]->kind == TS_OP_RULE;
  return goes_on ? value->users[0] : NULL;
}

/* Whether the op gives a partial result of `value` partial by `kind`, all else being complete. */
static bool passes_on(const ts_op *op, const ts_value *value, ts_reduction kind) {
  if (op->num_results != 1 || !op->results[0])
    return false;
  const ts_terms *terms = &op->loops->terms[0];
  uint32_t partial = 0, neutral = 0;
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++) {
    partial |= (uint32_t)(op->operands[i] == value) << i;
    neutral |= (uint32_t)ts_is_neutral_operand(op, i, kind) << i;
  }
  if (!partial || partial & (partial - 1) || partial & terms->must_be_complete ||
      !terms->num_terms || (terms->kind != TS_REDUCTION_NONE && terms->kind != kind))
    return false;
  for (int t = 0; t < terms->num_terms; t++)
    if (!(terms->sets[t] & (partial | neutral)))
      return false;
  return true;
}

/* How much smaller, as a part of the op's result, what becomes of it is where it is smallest, as
 * far as it can stay partial by `kind`. */
static double least_part_behind(const ts_op *op, ts_reduction kind) {
  const int most = 8; /* ops */
  double least = op->results[0]->bytes;
  const ts_op *at = op;
  for (int i = 0; i < most; i++) {
    const ts_op *next = next_op(at);
    if (!next || !passes_on(next, at->results[0], kind))
      break;
    at = next;
    least = at->results[0]->bytes < least ? at->results[0]->bytes : least;
  }
  return least / op->results[0]->bytes;
}

bool ts_goes_by_data(const ts_op *op) {
  for (int l = 0; l < op->loops->num_loops; l++)
    if (ts_loop_may_be_given_up(&op->loops->loops[l]))
      return true;
  return op->captured.num > 0;
}

/* The function's result that the value is, and nothing else; NULL if it is not. */
static const ts_value *returned_as(const ts_value *value) {
  const ts_op *user = value->num_users == 1 ? value->users[0] : NULL;
  if (!user || user->kind != TS_OP_FIXED || value->is_fixed)
    return NULL;
  for (int i = 0; i < user->num_operands; i++)
    if (user->operands[i] == value)
      return user->targets[i];
  return NULL;
}

static double result_cost(chooser *c, const ts_loop_sharding *sharding, int r) {
  ts_arena *arena = &c->model->scratch;
  const ts_value *value = c->op->results[r];
  const ts_sharding *flow =
      ts_loops_project(arena, c->op->loops, sharding, &c->op->loops->results[r], value->shape);
  ts_axes axes = ts_loops_partial_axes(c->op->loops, sharding);
  ts_partial partial[TS_MAX_AXES];
  int num = 0;
  for (int a = 0; a < TS_MAX_AXES; a++)
    if (axes >> a & 1)
      partial[num++] = (ts_partial){a, c->op->loops->result_reduction[r]};
  const ts_sharding *target = ts_grown(arena, value, wish_for(c, sharding, r));
  if (num && c->op->loops->result_reduction[r])
    flow = ts_sharding_with_partial(arena, flow, num, partial);
  double cost = ts_bytes_moved(arena, value, flow, target);
  const ts_value *returned = ts_goes_by_data(c->op) ? returned_as(value) : NULL;
  for (int i = 0; returned && i < returned->num_choices && cost > 0; i++) {
    double other = ts_bytes_moved(arena, value, flow, returned->choices[i]);
    cost = other < cost ? other : cost;
  }
  if (cost > 0 && flow->num_partial && ts_goes_by_data(c->op) && next_op(c->op))
    cost *= least_part_behind(c->op, c->op->loops->result_reduction[r]);
  return cost;
}

/* Another op already takes the value in this layout: the piece is made once. */
static bool is_asked_anyway(const chooser *c, const ts_value *value, const ts_sharding *required) {
  for (int u = 0; u < value->num_users; u++) {
    const ts_op *user = value->users[u];
    if (user == c->op || user->kind != TS_OP_RULE || !user->sharding)
      continue;
    for (int i = 0; i < user->num_operands; i++)
      if (user->operands[i] == value &&
          ts_sharding_equal(required,
                            ts_loops_project(&c->model->scratch, user->loops, user->sharding,
                                             &user->loops->operands[i], value->shape)))
        return true;
  }
  return false;
}

/* Bytes that the busiest device receives if the op runs under `sharding`, as often as it does. */
static double loops_cost(chooser *c, const ts_loop_sharding *sharding) {
  ts_arena *arena = &c->model->scratch;
  double cost = c->op->weight * ts_bytes_of_finds(arena, c->op, sharding);
  for (int i = 0; i < c->op->num_operands; i++) {
    const ts_value *value = c->op->operands[i];
    if (!value || value->is_free)
      continue;
    const ts_sharding *required =
        ts_loops_project(arena, c->op->loops, sharding, &c->op->loops->operands[i], value->shape);
    if (!ts_goes_by_data(c->op) || !is_asked_anyway(c, value, required))
      cost +=
          ts_times_brought(c->op, value) * ts_bytes_moved(arena, value, value->layout, required);
  }
  for (int r = 0; r < c->op->num_results; r++)
    if (c->op->results[r] && !c->op->results[r]->is_free)
      cost += c->op->weight * result_cost(c, sharding, r);
  return cost;
}

static void collect_ports(chooser *c) {
  ts_op *op = c->op;
  c->num_ports = 0;
  c->ports = TS_NEW(&c->model->scratch, int, op->num_operands + op->num_results);
  for (int port = 0; port < op->num_operands + op->num_results; port++) {
    ts_value *value = port_value(op, port);
    if (!value || value->is_free || !ts_op_port(op->loops, port)->is_tensor ||
        !ts_sharding_split_axes(value->layout))
      continue;
    int at = c->num_ports++;
    for (; at > 0 && port_value(op, c->ports[at - 1])->bytes < value->bytes; at--)
      c->ports[at] = c->ports[at - 1];
    c->ports[at] = port;
  }
}

static bool splits_what_may_be_given_up(const ts_op *op, const ts_loop_sharding *sharding) {
  for (int l = 0; l < sharding->num_loops; l++)
    if (ts_loop_may_be_given_up(&op->loops->loops[l]) && ts_dim_is_split(&sharding->loops[l]))
      return true;
  return false;
}

static bool splits_any(const ts_loop_sharding *sharding) {
  for (int l = 0; l < sharding->num_loops; l++)
    if (ts_dim_is_split(&sharding->loops[l]))
      return true;
  return false;
}

/* How many ops behind an op are looked at. */
enum { LOOK_AHEAD = 4 };

typedef struct choice {
  ts_loop_sharding sharding;
  double cost;
} choice;

static choice choose(chooser *c, int ahead);

/* What the op behind costs if this one gives its result under `sharding`, and those behind that up
 * to one that combines by data. */
static double cost_ahead(chooser *c, const ts_loop_sharding *sharding, int ahead) {
  ts_op *next = ahead ? next_op(c->op) : NULL;
  if (!next)
    return 0;
  ts_value *value = c->op->results[0];
  const ts_sharding *known = value->layout;
  value->layout = ts_grown(&c->model->scratch, value, wish_for(c, sharding, 0));
  chooser behind = {.model = c->model, .op = next, .grid = c->grid};
  double cost = choose(&behind, ts_goes_by_data(next) ? 0 : ahead - 1).cost;
  value->layout = known;
  return cost;
}

static void try_candidate(chooser *c, const ts_loop_sharding *candidate, int ahead, choice *best) {
  double cost = loops_cost(c, candidate) + cost_ahead(c, candidate, ahead);
  if (cost < best->cost)
    *best = (choice){*candidate, cost};
}

/* `best`, or a cheaper one with a port that is served first. */
static void try_leaders(chooser *c, int first, int ahead, choice *best) {
  for (int i = first; i < c->num_ports; i++) {
    ts_loop_sharding candidate;
    choose_with_leader(c, c->ports[i], &candidate);
    try_candidate(c, &candidate, ahead, best);
  }
}

/* The cheapest, the ops behind taken into account as far as `ahead` says. */
static choice choose(chooser *c, int ahead) {
  collect_ports(c);
  choice best;
  ts_axes dropped = choose_with_leader(c, -1, &best.sharding);
  best.cost = loops_cost(c, &best.sharding) + cost_ahead(c, &best.sharding, ahead);
  if (dropped)
    try_leaders(c, 1, ahead, &best);
  if (splits_what_may_be_given_up(c->op, &best.sharding)) {
    c->gives_up = true;
    try_leaders(c, 0, ahead, &best);
  }
  if (ahead && ts_goes_by_data(c->op)) {
    ts_loop_sharding whole = unsharded(&c->model->scratch, c->grid, c->op);
    try_candidate(c, &whole, ahead, &best);
  }
  return best;
}

/* Of an initial value the op's own loops may add parts to the parts. */
static ts_axes taken_partial(const ts_op *op) {
  ts_axes axes = 0, initial = 0;
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i] && op->operands[i]->is_fixed)
      axes |= ts_sharding_partial_axes(op->operands[i]->layout);
  for (int r = 0; r < op->num_results; r++) {
    int i = op->loops->result_init[r];
    if (i >= 0 && op->operands[i] && op->operands[i]->is_fixed)
      initial |= ts_sharding_partial_axes(op->operands[i]->layout);
  }
  return axes & ~initial;
}

ts_loop_sharding ts_choose_loops(ts_model *model, const ts_grid *grid, ts_op *op,
                                 bool takes_as_annotated) {
  chooser c = {
      .model = model, .op = op, .grid = grid, .taken = takes_as_annotated ? taken_partial(op) : 0};
  collect_ports(&c);
  ts_loop_sharding first;
  ts_axes dropped = choose_with_leader(&c, -1, &first);
  if (!dropped && !(ts_goes_by_data(op) && splits_any(&first)))
    return first;
  return choose(&c, op->captured.num ? LOOK_AHEAD : 0).sharding;
}

const ts_sharding *ts_wish_for_result(ts_model *model, const ts_grid *grid, ts_op *op, int r) {
  chooser c = {.model = model, .op = op, .grid = grid};
  collect_ports(&c);
  return wish_for(&c, op->sharding, r);
}
