/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What is asked of each value, from the last op to the first. It knows loops, layouts and ranges;
 * it must not know what ops mean, nor how pieces are built. */
#include "solve/demand.h"

#include "rules/linalg.h"
#include "solve/pulled.h"

enum { MOST_ASKS = 32 };

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_static(const ts_value *value) {
  for (int d = 0; d < value->rank; d++)
    if (value->shape[d] == TS_DYNAMIC)
      return false;
  return true;
}

ts_value *ts_value_behind(ts_value *value) {
  while (value->definition && value->definition->kind == TS_OP_LINK) {
    ts_value *source = value->definition->operands[0];
    if (source->is_free || !is_static(source) || source->layout->num_partial ||
        ts_sharding_run_time(source->layout, NULL) ||
        !ts_sharding_equal(source->layout, value->layout))
      return value;
    value = source;
  }
  return value;
}

static bool same_reads(const ts_ask *a, const ts_ask *b) {
  for (int d = 0; d < a->layout->rank; d++) {
    const ts_ranges *x = a->read ? &a->read[d] : NULL, *y = b->read ? &b->read[d] : NULL;
    bool has_x = x && x->of, has_y = y && y->of;
    if (has_x != has_y || (has_x && !ts_ranges_equal(*x, *y)))
      return false;
  }
  return true;
}

static void add_ask(ts_model *model, ts_value *value, ts_ask ask) {
  if (value->is_free || ts_free_source(value))
    return;
  value = ts_value_behind(value);
  for (int i = 0; i < value->num_asks; i++)
    if (ts_sharding_equal(value->asks[i].layout, ask.layout) && same_reads(&value->asks[i], &ask))
      return;
  value->asks = ts_arena_grow(model->arena, value->asks, value->num_asks, &value->max_asks,
                              sizeof(*value->asks));
  value->asks[value->num_asks++] = ask;
}

/* ---- what ops ask for ------------------------------------------------------------------------ */

static const ts_window *led_window(const ts_op *op, int i, int d) {
  const ts_window *window = op->loops->operands[i].dims[d].window;
  return window && window->leader ? window : NULL;
}

static bool is_cut(const ts_dim *dim) {
  return ts_dim_is_split(dim) || dim->offsets;
}

const ts_sharding *ts_asked_by(ts_model *model, const ts_op *op, const ts_loop_sharding *loops,
                               int i) {
  const ts_value *value = op->operands[i];
  const ts_port *port = &op->loops->operands[i];
  const ts_sharding *asked = ts_loops_project(model->arena, op->loops, loops, port, value->shape);
  const ts_sharding *required = op->required[i];
  if (required->num_partial)
    return ts_sharding_with_partial(model->arena, asked, required->num_partial, required->partial);
  for (int d = 0; d < port->rank; d++) {
    const ts_window *window = led_window(op, i, d);
    if (!window || is_cut(&loops->loops[window->leader - 1]) || value->is_free ||
        !ts_dim_is_split(&value->layout->dims[d]))
      continue;
    ts_ranges read = ts_loops_read(model->arena, op->loops, loops, port, d, value->shape);
    ts_dim dim;
    if (ts_dim_of_ranges(model->arena, loops->grid, &asked->dims[d], value->shape[d], read, &dim))
      asked = ts_sharding_with_dim(model->arena, asked, d, dim);
  }
  return asked;
}

ts_ranges ts_read_by(ts_model *model, const ts_op *op, const ts_loop_sharding *loops, int i, int d,
                     const ts_sharding *asked) {
  const ts_window *window = led_window(op, i, d);
  if (!window || (!is_cut(&loops->loops[window->leader - 1]) && !asked->dims[d].offsets))
    return (ts_ranges){0};
  return ts_loops_read(model->arena, op->loops, loops, &op->loops->operands[i], d,
                       op->operands[i]->shape);
}

static bool has_led_window(const ts_op *op) {
  for (int i = 0; i < op->num_operands; i++)
    for (int d = 0; op->operands[i] && d < op->operands[i]->rank; d++)
      if (led_window(op, i, d))
        return true;
  return false;
}

/* ---- views ----------------------------------------------------------------------------------- */

/* Some window is read in ranges: of a split loop, or of a split dimension. */
static bool reads_ranges(const ts_op *op) {
  for (int i = 0; i < op->num_operands; i++)
    for (int d = 0; op->operands[i] && d < op->operands[i]->rank; d++) {
      const ts_window *window = led_window(op, i, d);
      if (window &&
          (ts_dim_is_split(&op->sharding->loops[window->leader - 1]) ||
           (!op->operands[i]->is_free && ts_dim_is_split(&op->operands[i]->layout->dims[d]))))
        return true;
    }
  return false;
}

static bool is_asked_in_ranges(const ts_value *value) {
  for (int i = 0; i < value->num_asks; i++)
    if (ts_sharding_has_ranges(value->asks[i].layout))
      return true;
  return false;
}

/* Pieces along the loop are those that its messages are for. */
static bool goes_its_own_way(ts_loop_kind kind) {
  return kind != TS_LOOP_PARALLEL && kind != TS_LOOP_REDUCTION && kind != TS_LOOP_WHOLE;
}

/* Neither end is partial, and every dimension of one factor of known extent. */
static bool is_simple(const ts_op *op) {
  const ts_value *result = op->num_results == 1 ? op->results[0] : NULL;
  if (!result || result->is_free || result->is_captured || op->captured.num || !is_static(result) ||
      op->natural[0]->num_partial || result->layout->num_partial ||
      ts_grid_devices(op->sharding->grid) == TS_DYNAMIC)
    return false;
  for (int l = 0; l < op->sharding->num_loops; l++)
    if (op->sharding->loops[l].num_factors != 1 || goes_its_own_way(op->loops->loops[l].kind))
      return false;
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i] && (!is_static(op->operands[i]) || op->required[i]->num_partial))
      return false;
  return true;
}

/* No number of the op is one that only the run knows. */
static bool all_tensors(const ts_op *op) {
  for (int i = 0; i < op->num_operands; i++)
    if (!op->operands[i])
      return false;
  return true;
}

static bool is_view(const ts_op *op) {
  if (!is_simple(op))
    return false;
  if (op->rule->does == TS_MOVES_DATA)
    return all_tensors(op) && (reads_ranges(op) || is_asked_in_ranges(op->results[0]));
  return is_asked_in_ranges(op->results[0]) && ts_linalg_is_copy(op->handle);
}

/* Gives the loops that dimension `d` of the result follows together the split of `dim`, which is
 * one of balanced shards. False if they cannot have it. */
static bool split_loops(ts_model *model, const ts_op *op, int d, const ts_dim *dim,
                        ts_loop_sharding *loops) {
  const ts_dim_loops *follows = &op->loops->results[0].dims[d];
  int64_t *sizes = TS_NEW(model->arena, int64_t, follows->num_loops);
  ts_dim *parts = TS_NEW(model->arena, ts_dim, follows->num_loops);
  for (int i = 0; i < follows->num_loops; i++)
    sizes[i] = op->loops->loops[follows->loops[i]].size;
  if (dim->offsets || ts_dim_has_halo(dim) ||
      ts_dim_split(model->arena, loops->grid, dim, follows->num_loops, sizes, parts))
    return false;
  for (int i = 0; i < follows->num_loops; i++) {
    if (ts_dim_is_split(&parts[i]) && op->loops->loops[follows->loops[i]].kind == TS_LOOP_WHOLE)
      return false;
    loops->loops[follows->loops[i]] = parts[i];
  }
  return true;
}

/* Dimensions that follow several loops have balanced shards. */
static bool fits_operands(const ts_op *op, const ts_loop_sharding *loops) {
  for (int i = 0; i < op->num_operands; i++)
    for (int d = 0; op->operands[i] && d < op->operands[i]->rank; d++) {
      const ts_dim_loops *dim = &op->loops->operands[i].dims[d];
      for (int l = 0; dim->num_loops > 1 && l < dim->num_loops; l++)
        if (loops->loops[dim->loops[l]].offsets || ts_dim_has_halo(&loops->loops[dim->loops[l]]))
          return false;
    }
  return true;
}

const ts_loop_sharding *ts_view_loops(ts_model *model, const ts_op *op, const ts_sharding *layout) {
  const ts_port *result = &op->loops->results[0];
  if (layout->num_partial)
    return NULL;
  ts_loop_sharding *loops = ts_arena_copy(model->arena, op->sharding, sizeof(*loops));
  loops->loops = TS_NEW(model->arena, ts_dim, loops->num_loops);
  for (int l = 0; l < loops->num_loops; l++)
    loops->loops[l] = ts_dim_plain(model->arena, op->loops->loops[l].size, 0, NULL);
  for (int d = 0; d < result->rank; d++) {
    const ts_dim *dim = &layout->dims[d];
    if (result->dims[d].num_loops > 1) {
      if (!split_loops(model, op, d, dim, loops))
        return NULL;
      continue;
    }
    ts_ranges held = ts_dim_ranges(model->arena, layout->grid, dim);
    int64_t size = ts_dim_size(dim);
    bool fits = held.of != NULL;
    for (int64_t i = 0; fits && i < held.num; i++)
      fits = held.of[i].first >= 0 && held.of[i].end <= size;
    int l = result->dims[d].num_loops ? result->dims[d].loops[0] : -1;
    bool splits = l >= 0 && op->loops->loops[l].kind != TS_LOOP_WHOLE;
    if (!fits || (!splits && is_cut(dim)))
      return NULL;
    if (splits)
      loops->loops[l] = *dim;
  }
  for (int l = 0; l < loops->num_loops; l++)
    if (op->loops->loops[l].kind == TS_LOOP_REDUCTION)
      loops->loops[l] = op->sharding->loops[l];
  return fits_operands(op, loops) ? loops : NULL;
}

/* ---- what several asks share ----------------------------------------------------------------- */

/* What a piece costs: of a view what is built, else what a device lacks that has its own. */
static double cost_of(ts_model *model, const ts_value *value, const ts_sharding *layout) {
  if (value->is_view)
    return ts_sharding_most_elements(model->arena, layout);
  return ts_sharding_lacking(model->arena, ts_sharding_balanced(model->arena, value->layout),
                             layout);
}

static ts_ranges read_of(ts_model *model, const ts_ask *ask, int d) {
  if (ask->read && ask->read[d].of)
    return ask->read[d];
  return ts_dim_ranges(model->arena, ask->layout->grid, &ask->layout->dims[d]);
}

/* The smallest piece that has what both read; its layout is NULL if there is none. */
static ts_ask union_of(ts_model *model, const ts_ask *a, const ts_ask *b) {
  ts_ask both = {.layout = a->layout};
  ts_ranges *read = TS_NEW(model->arena, ts_ranges, a->layout->rank);
  if (a->layout->num_partial || b->layout->num_partial)
    return (ts_ask){0};
  for (int d = 0; d < a->layout->rank; d++) {
    const ts_dim *x = &a->layout->dims[d], *y = &b->layout->dims[d];
    ts_dim dim;
    if (!x->offsets && !y->offsets && ts_dim_equal(x, y))
      continue;
    read[d] = ts_ranges_union(model->arena, read_of(model, a, d), read_of(model, b, d));
    if (!ts_dim_splits_alike(x, y) ||
        !ts_dim_of_ranges(model->arena, a->layout->grid, x, ts_dim_size(x), read[d], &dim))
      return (ts_ask){0};
    both.layout = ts_sharding_with_dim(model->arena, both.layout, d, dim);
  }
  both.read = read;
  return both;
}

/* The union of both if it costs no more than they do; else its layout is NULL. */
static ts_ask better_union(ts_model *model, const ts_value *value, const ts_ask *a,
                           const ts_ask *b) {
  ts_ask both = union_of(model, a, b);
  if (!both.layout)
    return both;
  double cost = cost_of(model, value, both.layout);
  double alone = cost_of(model, value, a->layout) + cost_of(model, value, b->layout);
  return cost >= 0 && cost <= alone ? both : (ts_ask){0};
}

/* Takes part in unions: of a view every piece, else what has to be fetched in ranges. */
static bool takes_part(ts_model *model, const ts_value *value, const ts_sharding *layout) {
  return !layout->num_partial && (value->is_view || ts_sharding_has_ranges(layout)) &&
         cost_of(model, value, layout) >= 0;
}

static void find_unions(ts_model *model, ts_value *value) {
  value->unions = TS_NEW(model->arena, ts_ask, value->num_asks + 1);
  for (int i = 0; i < value->num_asks && value->num_unions < MOST_ASKS; i++)
    if (takes_part(model, value, value->asks[i].layout))
      value->unions[value->num_unions++] = value->asks[i];
  for (int i = 0; i < value->num_unions; i++)
    for (int k = i + 1; k < value->num_unions; k++) {
      ts_ask both = better_union(model, value, &value->unions[i], &value->unions[k]);
      if (!both.layout)
        continue;
      value->unions[i] = both;
      value->unions[k] = value->unions[--value->num_unions];
      k = i; /* look at all of them again */
    }
}

const ts_sharding *ts_demanded(ts_model *model, ts_value *value, ts_ask ask) {
  if (!value->unions)
    find_unions(model, value);
  for (int i = 0; i < value->num_unions; i++)
    if (ts_sharding_contains_read(model->arena, value->unions[i].layout, ask.layout, ask.read))
      return value->unions[i].layout;
  return ask.layout;
}

/* ---- computing what is asked for ------------------------------------------------------------- */

/* Hardly more than what the largest balanced piece has: of uneven pieces one has one more. */
static bool is_as_short(ts_ranges asked, ts_ranges held) {
  int64_t longest = ts_ranges_longest(held);
  return ts_ranges_longest(asked) <= longest + 1 + longest / 16;
}

/* All that is asked of the result, if that is a piece for each device, none much larger than they
 * are when balanced, and other pieces than those; else NULL. */
static const ts_sharding *asked_instead(ts_model *model, const ts_op *op) {
  const ts_value *value = op->results[0];
  ts_ask each = value->num_asks ? value->asks[0] : (ts_ask){0};
  for (int i = 1; each.layout && i < value->num_asks; i++)
    each = union_of(model, &each, &value->asks[i]);
  const ts_sharding *all = each.layout;
  if (!all || all->num_partial || !ts_sharding_has_ranges(all))
    return NULL;
  for (int d = 0; d < all->rank; d++) {
    const ts_dim *dim = &all->dims[d], *own = &op->natural[0]->dims[d];
    if (ts_dim_equal(dim, own))
      continue;
    ts_ranges asked = ts_dim_ranges(model->arena, all->grid, dim);
    ts_ranges held = ts_dim_ranges(model->arena, all->grid, own);
    if (!asked.of || !held.of || asked.num != held.num || ts_dim_axes(dim) != ts_dim_axes(own) ||
        ts_dim_has_halo(dim) || !is_as_short(asked, held))
      return NULL;
  }
  return all;
}

/* Lets an op that computes do so for the pieces that are asked for. */
static void compute_asked(ts_model *model, ts_op *op) {
  if (op->rule->does != TS_COMPUTES || !is_simple(op) || ts_linalg_uses_index(op->handle))
    return;
  const ts_sharding *asked = asked_instead(model, op);
  const ts_loop_sharding *loops = asked ? ts_view_loops(model, op, asked) : NULL;
  if (!loops)
    return;
  op->sharding = loops;
  op->natural[0] = asked;
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      op->required[i] = ts_asked_by(model, op, loops, i);
}

/* ---- computing for each range ---------------------------------------------------------------- */

bool ts_can_be_pulled(const ts_op *op) {
  bool computes =
      op->kind == TS_OP_RULE && op->rule->does == TS_COMPUTES && !ts_linalg_uses_index(op->handle);
  return op->kind == TS_OP_RULE && (computes || ts_only_moves(op->handle)) && all_tensors(op) &&
         is_simple(op);
}

/* Makes the value a view if it is cheaper to compute each range that is asked for. */
static bool pull(ts_model *model, const ts_op *op) {
  if (!ts_can_be_pulled(op) || !is_asked_in_ranges(op->results[0]))
    return false;
  ts_value *value = op->results[0];
  value->is_view = true;
  find_unions(model, value);
  bool all = true; /* are served by ranges */
  for (int i = 0; i < value->num_asks; i++)
    all = all && takes_part(model, value, value->asks[i].layout);
  if (all && ts_is_cheaper_pulled(model, op, value->num_unions, value->unions))
    return true;
  value->is_view = false;
  value->unions = NULL;
  value->num_unions = 0;
  return false;
}

/* ---- ops ------------------------------------------------------------------------------------- */

/* What is written and not read is not asked for. */
static bool is_bare_destination(const ts_op *op, int operand) {
  for (int r = 0; r < op->num_results; r++)
    if (op->loops->result_init[r] == operand)
      return !op->loops->init_is_read[r];
  return false;
}

/* Asks for what operand `i` has to have for the op to run under `loops`. */
static void ask_for(ts_model *model, const ts_op *op, const ts_loop_sharding *loops, int i,
                    const ts_sharding *layout) {
  if (!op->operands[i] || is_bare_destination(op, i))
    return;
  ts_ranges *read = TS_NEW(model->arena, ts_ranges, layout->rank);
  for (int d = 0; d < layout->rank; d++)
    read[d] = ts_read_by(model, op, loops, i, d, layout);
  add_ask(model, op->operands[i], (ts_ask){layout, read});
}

static void ask_all(ts_model *model, const ts_op *op, const ts_loop_sharding *loops) {
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      ask_for(model, op, loops, i, ts_asked_by(model, op, loops, i));
}

static void demand_view(ts_model *model, const ts_op *op) {
  ts_value *value = op->results[0];
  if (!value->num_asks)
    return;
  if (!value->unions)
    find_unions(model, value);
  bool all = false; /* the natural piece is asked for as well */
  for (int u = 0; u < value->num_unions; u++) {
    const ts_loop_sharding *loops = ts_view_loops(model, op, value->unions[u].layout);
    all |= !loops;
    if (loops)
      ask_all(model, op, loops);
  }
  for (int i = 0; i < value->num_asks; i++)
    all |= !takes_part(model, value, value->asks[i].layout);
  if (all)
    ask_all(model, op, op->sharding);
}

static void demand_rule(ts_model *model, ts_op *op) {
  if (is_view(op) || pull(model, op)) {
    op->results[0]->is_view = true;
    demand_view(model, op);
    return;
  }
  if (has_led_window(op))
    for (int i = 0; i < op->num_operands; i++)
      if (op->operands[i])
        op->required[i] = ts_asked_by(model, op, op->sharding, i);
  compute_asked(model, op);
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      ask_for(model, op, op->sharding, i, op->required[i]);
}

static void demand_link(ts_model *model, const ts_op *op) {
  if (ts_value_behind(op->results[0]) == op->results[0])
    add_ask(model, op->operands[0], (ts_ask){.layout = op->results[0]->layout});
}

void ts_demand(ts_model *model, ts_function *function) {
  for (int i = function->num_ops; i-- > 0;) {
    ts_op *op = function->ops[i];
    ts_arena_reset(&model->scratch);
    if (op->kind == TS_OP_RULE)
      demand_rule(model, op);
    else if (op->kind == TS_OP_LINK)
      demand_link(model, op);
    else if (op->required)
      for (int k = 0; k < op->num_operands; k++)
        if (op->operands[k] && op->required[k])
          add_ask(model, op->operands[k], (ts_ask){.layout = op->required[k]});
  }
}
