/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What is asked of each value, from the last op to the first. It knows loops, layouts and ranges;
 * it must not know what ops mean, nor how pieces are built. */
#include "solve/demand.h"

#include "model/sums.h"
#include "rules/linalg.h"
#include "solve/asks.h"
#include "solve/pulled.h"
#include "solve/reduced.h"
#include "solve/views.h"

enum { MOST_ASKS = 32 };

/* ---- what is asked of values ----------------------------------------------------------------- */

static bool same_reads(const ts_ask *a, const ts_ask *b) {
  for (int d = 0; d < a->layout->rank; d++) {
    const ts_ranges *x = a->read ? &a->read[d] : NULL, *y = b->read ? &b->read[d] : NULL;
    bool has_x = x && x->of, has_y = y && y->of;
    if (has_x != has_y || (has_x && !ts_ranges_equal(*x, *y)))
      return false;
  }
  return true;
}

static void add_ask(ts_model *model, const ts_op *op, ts_value *value, ts_ask ask) {
  if (value->is_free || ts_free_source(value))
    return;
  value = ts_value_behind(value);
  ask.is_in_trips = value->definition && !ts_is_behind(op, value->definition);
  for (int i = 0; i < value->num_asks; i++)
    if (ts_sharding_equal(value->asks[i].layout, ask.layout) && same_reads(&value->asks[i], &ask)) {
      value->asks[i].is_in_trips |= ask.is_in_trips;
      return;
    }
  value->asks = ts_arena_grow(model->arena, value->asks, value->num_asks, &value->max_asks,
                              sizeof(*value->asks));
  value->asks[value->num_asks++] = ask;
}

/* ---- what several asks share ----------------------------------------------------------------- */

/* What devices have before pieces are built: of a view nothing. */
static const ts_sharding *held_of(ts_model *model, const ts_value *value) {
  return value->is_view ? NULL : ts_sharding_balanced(model->arena, value->layout);
}

/* What a piece costs: what the busiest device lacks of it. */
static double cost_of(ts_model *model, const ts_value *value, const ts_sharding *layout) {
  return ts_sharding_lacking(model->arena, held_of(model, value), layout);
}

/* No device is busier for `both` than for `a` and `b`, nor do all of them lack more together: with
 * the union of ranges that neither rise nor fall from shard to shard comes what lies between. */
static bool costs_no_more(ts_model *model, const ts_value *value, const ts_sharding *both,
                          const ts_sharding *a, const ts_sharding *b) {
  ts_arena *arena = &model->scratch;
  const ts_sharding *held = held_of(model, value), *each[] = {a, b};
  int64_t devices = ts_devices_looked_at(both->grid);
  double *once = TS_NEW(arena, double, devices), *twice = TS_NEW(arena, double, devices);
  if (!ts_sharding_add_lacking(arena, held, 1, &both, 1, once) ||
      !ts_sharding_add_lacking(arena, held, 2, each, 1, twice))
    return false;
  double sum = 0;
  for (int64_t i = 0; i < devices; i++)
    sum += twice[i] - once[i];
  return sum >= 0 && ts_largest(devices, once) <= ts_largest(devices, twice);
}

/* The union of both if it costs no more than they do; else its layout is NULL. */
static ts_ask better_union(ts_model *model, const ts_value *value, const ts_ask *a,
                           const ts_ask *b) {
  ts_ask both = ts_union_of_asks(model->arena, a, b);
  return both.layout && costs_no_more(model, value, both.layout, a->layout, b->layout)
             ? both
             : (ts_ask){0};
}

/* Takes part in unions: of a view every piece, else what has to be fetched in ranges. */
static bool takes_part(ts_model *model, const ts_value *value, const ts_sharding *layout) {
  return !layout->num_partial && (value->is_view || ts_sharding_has_ranges(layout)) &&
         cost_of(model, value, layout) >= 0;
}

static void unite(ts_model *model, ts_value *value) {
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

/* As many as there is room for at a time: of windows of a field there may be a hundred, and one
 * piece serves them all. */
static void find_unions(ts_model *model, ts_value *value) {
  value->unions = TS_NEW(model->arena, ts_ask, MOST_ASKS);
  for (int next = 0; next < value->num_asks && value->num_unions < MOST_ASKS;) {
    for (; next < value->num_asks && value->num_unions < MOST_ASKS; next++)
      if (takes_part(model, value, value->asks[next].layout))
        value->unions[value->num_unions++] = value->asks[next];
    unite(model, value);
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

static bool splits_alike(const ts_sharding *a, const ts_sharding *b) {
  for (int d = 0; d < a->rank; d++)
    if (!ts_dim_equal(&a->dims[d], &b->dims[d]) && !ts_dim_splits_alike(&a->dims[d], &b->dims[d]))
      return false;
  return true;
}

/* A piece that has all that is asked of the results, which are alike, by those who want them split
 * as they are; its layout is NULL if there is none. */
static ts_ask asked_of_all(ts_model *model, const ts_op *op) {
  ts_ask all = {0};
  bool any = false;
  for (int r = 0; r < op->num_results; r++)
    for (int i = 0; i < op->results[r]->num_asks; i++) {
      const ts_ask *next = &op->results[r]->asks[i];
      if (!splits_alike(next->layout, op->natural[0]))
        continue;
      if (any && all.layout)
        all = ts_union_of_asks(model->arena, &all, next);
      else if (!any)
        all = *next;
      any = true;
    }
  return all;
}

/* Whoever does not want the results split as they are wants a range that is the same for all
 * devices (an element of a field), which lies as far away in other pieces, but does lie there. */
static bool others_want_a_range(const ts_op *op, const ts_sharding *pieces) {
  bool is_known = ts_sharding_has_all(pieces);
  for (int r = 0; r < op->num_results; r++)
    for (int i = 0; i < op->results[r]->num_asks; i++) {
      const ts_sharding *other = op->results[r]->asks[i].layout;
      if (!splits_alike(other, op->natural[0]) &&
          (!ts_sharding_has_ranges(other) || ts_sharding_split_axes(other) || other->num_partial ||
           !is_known))
        return false;
    }
  return true;
}

/* All that is asked of the results, if that is a piece for each device, none much larger than they
 * are when balanced, and other pieces than those; else NULL. */
static const ts_sharding *asked_instead(ts_model *model, const ts_op *op) {
  const ts_sharding *all = asked_of_all(model, op).layout;
  if (!all || all->num_partial || !ts_sharding_has_ranges(all) || !others_want_a_range(op, all))
    return NULL;
  for (int d = 0; d < all->rank; d++) {
    const ts_dim *dim = &all->dims[d], *own = &op->natural[0]->dims[d];
    if (ts_dim_equal(dim, own))
      continue;
    ts_ranges asked = ts_dim_ranges(model->arena, all->grid, dim);
    ts_ranges held = ts_dim_ranges(model->arena, all->grid, own);
    if (!asked.of || !held.of || asked.num != held.num || ts_dim_axes(dim) != ts_dim_axes(own) ||
        ts_dim_has_halo(dim) || !ts_are_as_short(asked, held))
      return NULL;
  }
  return all;
}

/* What knows where it is, or is only regrouped, moves no more data for other pieces only where a
 * sum has looked at that. */
static bool may_compute_asked(const ts_op *op) {
  if (!ts_runs_for_pieces(op))
    return false;
  bool computes = op->rule->does == TS_COMPUTES;
  return op->results[0]->is_for_a_sum
             ? computes || ts_only_moves(op->handle)
             : computes && !op->captured.num && !ts_linalg_uses_index(op->handle);
}

/* Lets an op that computes do so for the pieces that are asked for. */
static void compute_asked(ts_model *model, ts_op *op) {
  if (!may_compute_asked(op))
    return;
  const ts_sharding *asked = asked_instead(model, op);
  const ts_loop_sharding *loops = asked ? ts_view_loops(model->arena, op, asked) : NULL;
  if (!loops)
    return;
  op->sharding = loops;
  for (int r = 0; r < op->num_results; r++)
    op->natural[r] = asked;
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      op->required[i] = ts_asked_by(model->arena, op, loops, i);
}

/* ---- computing for each range ---------------------------------------------------------------- */

/* Makes the value a view if it is cheaper to compute each piece that is asked for. Whether what is
 * asked for whole, or split otherwise, really moves less so shows in the total alone. */
static bool pull(ts_model *model, const ts_op *op) {
  if (!ts_can_be_pulled(op) || !op->results[0]->num_asks)
    return false;
  ts_value *value = op->results[0];
  bool in_ranges = ts_is_asked_in_ranges(value);
  if (!in_ranges && !ts_is_light(op))
    return false;
  value->is_view = true;
  find_unions(model, value);
  bool all = true; /* are served by ranges */
  for (int i = 0; i < value->num_asks; i++)
    all = all && takes_part(model, value, value->asks[i].layout);
  bool is_cheaper = all && ts_is_cheaper_pulled(model, op, value->num_unions, value->unions);
  if (is_cheaper && (in_ranges || model->hopes))
    return true;
  value->could_be_view = is_cheaper || (all && in_ranges);
  value->is_view = false;
  value->unions = NULL;
  value->num_unions = 0;
  return false;
}

/* ---- computing each piece of what would be whole --------------------------------------------- */

static bool is_whole(const ts_sharding *layout) {
  return !layout->num_partial && !ts_sharding_split_axes(layout);
}

/* What the op computes whole, of what is whole, nobody takes whole: each use's piece is computed,
 * of which no device has more to do together. Nothing moves for that. */
static bool is_whole_for_pieces(ts_model *model, const ts_op *op) {
  if (!ts_can_be_pulled(op) || !op->results[0]->num_asks || !is_whole(op->natural[0]) ||
      !ts_is_made_by_element(op))
    return false;
  for (int i = 0; i < op->num_operands; i++)
    if (!ts_free_source(op->operands[i]) && !is_whole(op->operands[i]->layout))
      return false;
  const ts_value *value = op->results[0];
  double work = 0;
  for (int i = 0; i < value->num_asks; i++) {
    const ts_sharding *layout = value->asks[i].layout;
    if (is_whole(layout) || !ts_view_loops(&model->scratch, op, layout))
      return false;
    work += ts_sharding_most_elements(&model->scratch, layout);
  }
  return work <= ts_sharding_most_elements(&model->scratch, op->natural[0]);
}

/* ---- ops ------------------------------------------------------------------------------------- */

/* Asks for what operand `i` has to have for the op to run under `loops`. */
static void ask_for(ts_model *model, const ts_op *op, const ts_loop_sharding *loops, int i,
                    const ts_sharding *layout) {
  if (!op->operands[i] || ts_is_bare_destination(op, i))
    return;
  const ts_sharding *held = ts_held_for_late(model->arena, op, i);
  if (held) {
    add_ask(model, op, op->operands[i], (ts_ask){.layout = held});
    return;
  }
  ts_ranges *read = TS_NEW(model->arena, ts_ranges, layout->rank);
  for (int d = 0; d < layout->rank; d++)
    read[d] = ts_read_by(model, op, loops, i, d, layout);
  add_ask(model, op, op->operands[i], (ts_ask){.layout = layout, .read = read});
}

static void ask_all(ts_model *model, const ts_op *op, const ts_loop_sharding *loops) {
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      ask_for(model, op, loops, i, ts_asked_by(model->arena, op, loops, i));
}

static void demand_view(ts_model *model, const ts_op *op) {
  ts_value *value = op->results[0];
  if (!value->num_asks)
    return;
  if (!value->unions)
    find_unions(model, value);
  bool all = false; /* the natural piece is asked for as well */
  for (int u = 0; u < value->num_unions; u++) {
    const ts_loop_sharding *loops = ts_view_loops(model->arena, op, value->unions[u].layout);
    all |= !loops;
    if (loops)
      ask_all(model, op, loops);
  }
  for (int i = 0; i < value->num_asks; i++)
    all |= !takes_part(model, value, value->asks[i].layout);
  if (all)
    ask_all(model, op, op->sharding);
}

/* Between the elements that it takes lie others. */
static bool reads_in_steps(const ts_op *op) {
  for (int i = 0; i < op->num_operands; i++)
    for (int d = 0; op->operands[i] && d < op->operands[i]->rank; d++) {
      const ts_window *window = ts_led_window(op, i, d);
      for (int s = 0; window && s < window->num_steps; s++)
        if (window->steps[s].stride > 1)
          return true;
    }
  return false;
}

/* What is taken in steps is not made of its operand for a range where fewer bytes move if it lies
 * without what is between first. */
static bool make_view(ts_model *model, const ts_op *op) {
  if (is_whole_for_pieces(model, op))
    return true;
  bool chooses = !ts_moves_ranges(op) || (reads_in_steps(op) && ts_can_be_pulled(op) &&
                                          ts_is_asked_in_ranges(op->results[0]));
  return !chooses || pull(model, op);
}

static void demand_rule(ts_model *model, ts_op *op) {
  if (make_view(model, op)) {
    op->results[0]->is_view = true;
    demand_view(model, op);
    return;
  }
  if (ts_reads_windows(op))
    for (int i = 0; i < op->num_operands; i++)
      if (op->operands[i])
        op->required[i] = ts_asked_by(model->arena, op, op->sharding, i);
  compute_asked(model, op);
  ts_take_reduced_where_they_lie(model, op);
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      ask_for(model, op, op->sharding, i, op->required[i]);
}

static bool is_asked_for(const ts_value *value, const ts_sharding *layout) {
  for (int i = 0; i < value->num_asks; i++)
    if (!value->asks[i].read && ts_sharding_equal(value->asks[i].layout, layout))
      return true;
  return false;
}

/* Whether all that is asked of what is annotated here are ranges, which cost no more of what is
 * annotated than of the piece that the annotation asks for, and that one, if nobody else asks for
 * it. */
static bool is_asked_through(ts_model *model, const ts_op *link) {
  ts_value *source = link->operands[0];
  const ts_value *result = link->results[0];
  const ts_sharding *each[MOST_ASKS];
  if (!ts_may_be_asked_through(result) || source->layout->num_partial ||
      result->layout->num_partial || result->is_captured || !result->num_asks ||
      result->num_asks + ts_value_behind(source)->num_asks > MOST_ASKS ||
      !ts_sharding_equal(source->layout, ts_sharding_balanced(model->arena, source->layout)))
    return false;
  for (int i = 0; i < result->num_asks; i++) {
    each[i] = result->asks[i].layout;
    if (!ts_sharding_has_ranges(each[i]) || each[i]->num_partial)
      return false;
  }
  double through = ts_sharding_lacking_each(model->arena, source->layout, result->num_asks, each);
  double behind = ts_sharding_lacking_each(model->arena, result->layout, result->num_asks, each);
  double before = is_asked_for(ts_value_behind(source), result->layout)
                      ? 0
                      : ts_sharding_lacking(model->arena, source->layout, result->layout);
  return through >= 0 && behind >= 0 && before >= 0 && through <= before + behind;
}

static void demand_link(ts_model *model, const ts_op *op) {
  ts_value *result = op->results[0];
  if (ts_value_behind(result) != result)
    return;
  result->is_asked_through = is_asked_through(model, op);
  if (!result->is_asked_through)
    add_ask(model, op, op->operands[0], (ts_ask){.layout = result->layout});
  for (int i = 0; result->is_asked_through && i < result->num_asks; i++)
    add_ask(model, op, op->operands[0], result->asks[i]);
}

void ts_demand_once(ts_model *model, ts_function *function) {
  ts_find_cut_out(function);
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
          add_ask(model, op, op->operands[k], (ts_ask){.layout = op->required[k]});
  }
}
