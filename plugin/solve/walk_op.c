/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One op of the walk: its layouts under a choice, and what is paid around it. It knows prices; it
 * must not know which choices there are, nor what ops compute. */
#include "solve/finds.h"
#include "solve/passages.h"
#include "solve/views.h"
#include "solve/walk.h"

static void pass(ts_walk *w, ts_op *op, const ts_passage *p) {
  ts_arena *scratch = &w->model->scratch;
  if (!p->partial)
    return;
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
    if ((p->partial | p->once) >> i & 1)
      op->required[i] = ts_price_layout(
          &w->prices, ts_add_partial(scratch, op->required[i], p->what.axes, p->what.kind));
  for (int r = 0; r < op->num_results; r++)
    op->natural[r] = ts_price_layout(
        &w->prices, ts_add_partial(scratch, op->natural[r], p->what.axes, p->what.kind));
}

/* What a window reads of neighbours is little beside what it reads here: prices leave it out. But
 * what only moves data reads ranges that may be anywhere. */
static const ts_sharding *needed(ts_model *model, const ts_op *op, const ts_loop_sharding *sharding,
                                 int i) {
  ts_arena *arena = &model->scratch;
  const ts_value *value = op->operands[i];
  const ts_port *port = &op->loops->operands[i];
  const ts_sharding *layout = ts_loops_project(arena, op->loops, sharding, port, value->shape);
  if (!model->prices_ranges || op->rule->does != TS_MOVES_DATA || value->is_free)
    return ts_sharding_balanced(arena, layout);
  for (int d = 0; d < port->rank; d++)
    if (ts_led_window(op, i, d) && !layout->dims[d].offsets)
      layout = ts_cut_to_reads(arena, op, sharding, i, d, layout);
  return layout;
}

void ts_walk_lay_out(ts_walk *w, ts_op *op, const ts_loop_sharding *sharding, ts_walk_passing how) {
  ts_arena *scratch = &w->model->scratch;
  op->sharding = sharding;
  ts_axes axes = ts_loops_partial_axes(op->loops, sharding);
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      op->required[i] = ts_price_layout(&w->prices, needed(w->model, op, sharding, i));
  for (int r = 0; r < op->num_results; r++) {
    if (!op->results[r])
      continue;
    const ts_sharding *natural = ts_loops_project(scratch, op->loops, sharding,
                                                  &op->loops->results[r], op->results[r]->shape);
    if (op->loops->result_reduction[r])
      natural = ts_add_partial(scratch, natural, axes, op->loops->result_reduction[r]);
    op->natural[r] = ts_price_layout(&w->prices, natural);
  }
  if (how == TS_WALK_PASS_NOTHING)
    return;
  ts_passage p =
      ts_passage_of(op, how == TS_WALK_PASS_AS_MADE ? ts_partiality_made : ts_partiality_planned);
  pass(w, op, &p);
}

bool ts_walk_is_plain(const ts_value *value) {
  for (int d = 0; d < value->layout->rank; d++)
    if (ts_dim_has_halo(&value->layout->dims[d]) || value->layout->dims[d].offsets)
      return false;
  return !ts_sharding_run_time(value->layout, NULL);
}

ts_value *ts_walk_port(const ts_op *op, int port) {
  return port < op->num_operands ? op->operands[port] : op->results[port - op->num_operands];
}

int ts_walk_num_ports(const ts_op *op) {
  return op->num_operands + op->num_results;
}

ts_value *ts_walk_paid_value(const ts_op *op, int port) {
  ts_value *value = ts_walk_port(op, port);
  if (!value || value->is_free || ts_free_source(value))
    return NULL;
  for (int before = 0; before < port; before++)
    if (ts_walk_port(op, before) == value)
      return NULL;
  return value;
}

bool ts_walk_may_go_on(const ts_walk *w) {
  return w->left > 0 && w->uses_left > 0;
}

double ts_walk_price_of(ts_walk *w, const ts_value *value) {
  double price;
  ts_cheapest_layout(&w->prices, value, &price);
  return price;
}

double ts_walk_price_around(ts_walk *w, const ts_op *op) {
  double price = op->weight * ts_bytes_of_finds(&w->model->scratch, op, op->sharding);
  w->left--;
  for (int port = 0; port < ts_walk_num_ports(op); port++) {
    const ts_value *value = ts_walk_paid_value(op, port);
    if (!value)
      continue;
    price += ts_walk_price_of(w, value);
    w->uses_left -= value->num_users;
  }
  return price;
}

double ts_walk_iterations(const ts_op *op, const ts_loop_sharding *sharding) {
  double work = 1;
  for (int l = 0; l < op->loops->num_loops; l++) {
    int64_t size = op->loops->loops[l].size;
    work *= size == TS_DYNAMIC ? 1024 : (double)size;
    for (ts_axes axes = ts_dim_axes(&sharding->loops[l]); axes; axes &= axes - 1) {
      int64_t extent = sharding->grid->shape[__builtin_ctz(axes)];
      work /= extent == TS_DYNAMIC ? 2 : (double)extent;
    }
  }
  return work;
}

double ts_walk_work_of(const ts_op *op, const ts_loop_sharding *sharding) {
  return op->is_given_nothing || ts_only_moves(op->handle) ? 0 : ts_walk_iterations(op, sharding);
}
