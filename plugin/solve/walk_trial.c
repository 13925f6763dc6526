/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A trial of the walk: an op splits its loops in another way, those around it follow, and all stays
 * as it was if that is not cheaper in sum. It knows candidates and prices; it must not know where
 * the walk goes. */
#include "solve/walk_trial.h"

#include <stdlib.h>

#include "solve/candidates.h"
#include "solve/growth.h"
#include "solve/passages.h"
#include "solve/views.h"

enum { MAX_STEPS = 160 };

/* As a part of what was paid at the op that began, less is no gain: layouts that people expect do
 * not change for little. */
static const double least_part = 1.0 / 8;

void ts_trial_restore(const ts_walk_saved *s) {
  s->op->sharding = s->sharding;
  for (int i = 0; i < ts_walk_num_ports(s->op); i++)
    s->op->required[i] = s->layouts[i];
}

static ts_walk_turns *turns_of(ts_walk *w, const ts_op *op) {
  ts_walk_turns *turns = &w->turns[op->position];
  if (turns->trial != w->trial)
    *turns = (ts_walk_turns){.trial = w->trial};
  return turns;
}

bool ts_trial_save(ts_walk *w, ts_op *op) {
  ts_walk_turns *turns = turns_of(w, op);
  if (turns->is_saved)
    return true;
  if (w->num_changed == TS_WALK_MOST_CHANGED)
    return false;
  turns->is_saved = true;
  w->changed[w->num_changed++] =
      (ts_walk_saved){op, op->sharding,
                      ts_arena_copy(&w->model->scratch, op->required,
                                    sizeof(op->required[0]) * (size_t)ts_walk_num_ports(op))};
  return true;
}

void ts_trial_await(ts_walk *w, ts_op *op) {
  if (op->kind != TS_OP_RULE || w->is_frozen[op->position] || turns_of(w, op)->num >= 2)
    return;
  int at = w->num_waiting;
  for (int i = 0; i < w->num_waiting; i++)
    if (w->waiting[i] == op)
      return;
  if (w->num_waiting == TS_WALK_MOST_WAITING)
    return;
  for (; at > 0 && w->waiting[at - 1]->position > op->position; at--)
    w->waiting[at] = w->waiting[at - 1];
  w->waiting[at] = op;
  w->num_waiting++;
}

static ts_op *next_waiting(ts_walk *w) {
  ts_op *op = w->waiting[0];
  w->num_waiting--;
  for (int i = 0; i < w->num_waiting; i++)
    w->waiting[i] = w->waiting[i + 1];
  return op;
}

/* Has all who share a value with the op look at it again. */
static void wake_around(ts_walk *w, const ts_op *op) {
  for (int port = 0; port < ts_walk_num_ports(op); port++) {
    const ts_value *value = ts_walk_paid_value(op, port);
    if (!value)
      continue;
    if (value->definition && value->definition != op)
      ts_trial_await(w, value->definition);
    for (int u = 0; u < value->num_users && u < TS_TRIAL_USERS; u++)
      if (value->users[u] != op)
        ts_trial_await(w, value->users[u]);
  }
}

void ts_trial_candidates(ts_walk *w, const ts_op *op, ts_candidates *out) {
  const ts_grid *grid = w->function->grid;
  for (int port = 0; port < ts_walk_num_ports(op); port++) {
    const ts_value *value = ts_walk_paid_value(op, port);
    if (!value)
      continue;
    ts_candidates_from(w->model, grid, op, port, value->layout, out);
    const ts_op *definition = value->definition;
    for (int r = 0; definition && definition != op && definition->kind == TS_OP_RULE &&
                    r < definition->num_results;
         r++)
      if (definition->results[r] == value)
        ts_candidates_from(w->model, grid, op, port, definition->natural[r], out);
    for (int u = 0; u < value->num_users && u < TS_TRIAL_USERS; u++) {
      const ts_op *user = value->users[u];
      for (int i = 0; user != op && user->kind == TS_OP_RULE && i < user->num_operands; i++)
        if (user->operands[i] == value)
          ts_candidates_from(w->model, grid, op, port, user->required[i], out);
      if (user->kind == TS_OP_LINK)
        ts_candidates_from(w->model, grid, op, port, user->results[0]->layout, out);
    }
  }
}

/* The op takes the best choice there is as all others are. Returns by how much the price changes. A
 * choice that costs the same, of no more work, is taken in the op's first turn: what is paid moves
 * on. */
static double respond(ts_walk *w, ts_op *op) {
  double before = ts_walk_price_around(w, op);
  int turn = turns_of(w, op)->num++;
  if (before < TS_WALK_LEAST_GAIN || !ts_trial_save(w, op))
    return 0;
  const ts_walk_saved old = {
      op, op->sharding,
      ts_arena_copy(&w->model->scratch, op->required,
                    sizeof(op->required[0]) * (size_t)ts_walk_num_ports(op))};
  ts_candidates all = {.num = 0};
  ts_trial_candidates(w, op, &all);
  const ts_loop_sharding *best = NULL;
  ts_walk_passing best_passing = TS_WALK_PASS_NOTHING;
  double least = before - (turn ? TS_WALK_LEAST_GAIN : 0);
  for (int c = -1; c < all.num; c++)
    for (ts_walk_passing how = TS_WALK_PASS_NOTHING; how <= TS_WALK_PASS_AS_MADE; how++) {
      ts_walk_lay_out(w, op, c < 0 ? old.sharding : all.list[c], how);
      double price = ts_walk_price_around(w, op);
      bool moves_on = price <= least && !best && c >= 0 &&
                      ts_walk_work_of(op, op->sharding) <= ts_walk_work_of(op, old.sharding);
      if (price < least || moves_on) {
        least = price;
        best = op->sharding;
        best_passing = how;
      }
    }
  if (!best) {
    ts_trial_restore(&old);
    return 0;
  }
  ts_walk_lay_out(w, op, best, best_passing);
  wake_around(w, op);
  return least - before;
}

static void keep(ts_walk *w) {
  for (int i = 0; i < w->num_changed; i++) {
    ts_op *op = w->changed[i].op;
    op->sharding = ts_intern_loops(&w->model->interned, w->changed[i].sharding, op->sharding);
  }
}

/* Bytes are not saved by having each device compute what several shared, but for a little beside
 * what there is to compute. */
static bool shares_work(const ts_walk *w, double saved) {
  const double most = 1.05;
  double before = 0, after = 0;
  for (int i = 0; i < w->num_changed; i++) {
    const ts_op *op = w->changed[i].op;
    before += ts_walk_work_of(op, w->changed[i].sharding) * op->weight;
    after += ts_walk_work_of(op, op->sharding) * op->weight;
  }
  return after <= before * most + saved * w->iterations_per_byte;
}

/* The layout in which the op has a value of its own. */
static const ts_sharding *layout_at(const ts_op *op, int port) {
  return port < op->num_operands ? op->required[port] : op->natural[port - op->num_operands];
}

/* The axes of the loops that the port's dimensions follow. */
static ts_axes axes_followed(const ts_op *op, int port, const ts_loop_sharding *sharding) {
  const ts_port *loops = ts_op_port(op->loops, port);
  ts_axes axes = 0;
  for (int d = 0; d < loops->rank; d++)
    for (int l = 0; l < loops->dims[d].num_loops; l++)
      axes |= ts_dim_axes(&sharding->loops[loops->dims[d].loops[l]]);
  return axes;
}

/* Some axis that splits the value at the port splits no loop that it follows under `sharding`, and
 * the op is less split than now: it would not follow, but ask for more. */
static bool only_loses(const ts_op *op, int port, const ts_loop_sharding *sharding,
                       const ts_sharding *layout) {
  return (ts_sharding_split_axes(layout) & ~axes_followed(op, port, sharding)) &&
         ts_walk_iterations(op, sharding) > ts_walk_iterations(op, op->sharding);
}

/* It is no more work, or that could pay for what there is to pay around the op. */
static bool is_worth_following(ts_walk *w, const ts_op *op, const ts_loop_sharding *sharding) {
  double more = ts_walk_work_of(op, sharding) - ts_walk_work_of(op, op->sharding);
  return more <= 0 || (w->iterations_per_byte > 0 &&
                       more * op->weight <= ts_walk_price_around(w, op) * w->iterations_per_byte);
}

bool ts_trial_follow(ts_walk *w, ts_op *op, const ts_value *value, const ts_sharding *layout,
                     double *price) {
  if (op->kind != TS_OP_RULE || w->is_frozen[op->position] || turns_of(w, op)->num)
    return false;
  int port = 0;
  while (port < ts_walk_num_ports(op) && ts_walk_port(op, port) != value)
    port++;
  ts_candidates all = {.num = 0};
  if (port == ts_walk_num_ports(op))
    return false;
  ts_candidates_from(w->model, w->function->grid, op, port, layout, &all);
  if (!all.num || !is_worth_following(w, op, all.list[0]) ||
      only_loses(op, port, all.list[0], layout) || !ts_trial_save(w, op))
    return false;
  *price -= ts_walk_price_around(w, op);
  ts_walk_lay_out(w, op, all.list[0], TS_WALK_PASS_AS_MADE);
  *price += ts_walk_price_around(w, op);
  turns_of(w, op)->num = 1;
  return true;
}

static bool is_move(const ts_op *op) {
  return op->kind == TS_OP_RULE && ts_only_moves(op->handle);
}

/* How far those around a seed have followed it. */
typedef struct reached {
  ts_op *ops[TS_WALK_MOST_CHANGED];
  int num;
  bool is_far;               /* all follow; else those that only move elements */
  const ts_sharding *layout; /* of what was carried last */
  double price;
} reached;

static void reach(ts_walk *w, reached *all, ts_op *op, const ts_value *value,
                  const ts_sharding *layout) {
  if (all->num < TS_WALK_MOST_CHANGED && (all->is_far || is_move(op)) &&
      ts_trial_follow(w, op, value, layout, &all->price))
    all->ops[all->num++] = op;
}

static void reach_around(ts_walk *w, reached *all, const ts_value *value,
                         const ts_sharding *layout) {
  if (value->definition)
    reach(w, all, value->definition, value, layout);
  for (int u = 0; u < value->num_users && u < TS_TRIAL_USERS; u++)
    reach(w, all, value->users[u], value, layout);
}

static void reach_given(ts_walk *w, ts_value *given, void *user) {
  reached *all = user;
  if (given->definition)
    reach(w, all, given->definition, given, all->layout);
}

/* Of a value that is one with what a loop carries all others of it follow: those that become it,
 * and its uses. */
static void reach_carried(ts_walk *w, reached *all, ts_value *tied, const ts_sharding *layout) {
  ts_arena *scratch = &w->model->scratch;
  layout =
      ts_price_layout(&w->prices, ts_completed(scratch, ts_sharding_balanced(scratch, layout)));
  if (!ts_trial_may_carry(w, tied, layout))
    return;
  all->price += ts_trial_carry(w, tied, layout);
  all->layout = layout;
  reach_around(w, all, tied, layout);
  ts_trial_each_given(w, tied, reach_given, all);
}

static void reach_loops(ts_walk *w, reached *all, ts_value *value, const ts_sharding *layout) {
  reach_carried(w, all, value, layout);
  for (int u = 0; u < value->num_users && u < TS_TRIAL_USERS; u++) {
    const ts_op *user = value->users[u];
    for (int i = 0; user->kind == TS_OP_FIXED && i < user->num_operands; i++)
      if (user->operands[i] == value && user->targets[i])
        reach_carried(w, all, user->targets[i], layout);
  }
}

static int by_position(const void *a, const void *b) {
  const ts_op *const *left = a, *const *right = b;
  return ((*left)->position > (*right)->position) - ((*left)->position < (*right)->position);
}

static bool is_given_partial(const ts_op *op) {
  for (int i = 0; i < op->num_operands; i++)
    if (ts_partiality_made(op->operands[i]).axes)
      return true;
  return false;
}

/* What ops pass on depends on what their operands are made as, which may have followed later. */
static void pass_on(ts_walk *w, reached *all, const ts_op *seed, ts_walk_passing how) {
  qsort(all->ops, (size_t)all->num, sizeof(all->ops[0]), by_position);
  for (int i = 0; i < all->num; i++) {
    ts_op *op = all->ops[i];
    ts_walk_passing passing = op == seed ? how : TS_WALK_PASS_AS_MADE;
    if (passing == TS_WALK_PASS_NOTHING || !is_given_partial(op))
      continue;
    all->price -= ts_walk_price_around(w, op);
    ts_walk_lay_out(w, op, op->sharding, passing);
    all->price += ts_walk_price_around(w, op);
  }
}

/* Has all that the op's values lead to follow it, whatever that costs on the way: as far as other
 * ops can, and nobody says how a value lies. Returns by how much the price changes. */
static double sweep_from(ts_walk *w, ts_op *seed, ts_walk_passing how,
                         ts_walk_following following) {
  reached all = {.ops = {seed}, .num = 1, .is_far = following == TS_WALK_FAR};
  for (int i = 0; i < all.num; i++)
    for (int port = 0; port < ts_walk_num_ports(all.ops[i]); port++) {
      ts_value *value = ts_walk_paid_value(all.ops[i], port);
      if (!value || value->is_fixed || value->annotation.ptr)
        continue;
      const ts_sharding *layout = layout_at(all.ops[i], port);
      reach_around(w, &all, value, layout);
      if (all.is_far)
        reach_loops(w, &all, value, layout);
    }
  pass_on(w, &all, seed, how);
  for (int i = 0; i < all.num; i++)
    wake_around(w, all.ops[i]);
  return all.price;
}

double ts_trial_respond(ts_walk *w) {
  double price = 0;
  for (int step = 0; w->num_waiting && step < MAX_STEPS; step++)
    price += respond(w, next_waiting(w));
  return price;
}

void ts_trial_begin(ts_walk *w) {
  w->trial++;
  w->num_changed = w->num_carried = w->num_waiting = 0;
}

bool ts_trial_end(ts_walk *w, double price, double before) {
  bool better =
      price < -TS_WALK_LEAST_GAIN && price < -least_part * before && shares_work(w, -price);
  if (better)
    keep(w);
  for (int i = 0; !better && i < w->num_changed; i++)
    ts_trial_restore(&w->changed[i]);
  ts_trial_end_carried(w, better);
  return better;
}

/* Has the op split its loops in another way, and those around it follow. Keeps what is cheaper. */
static bool attempt(ts_walk *w, ts_op *op, const ts_loop_sharding *sharding, ts_walk_passing how,
                    ts_walk_following following) {
  double before = ts_walk_price_around(w, op), price = -before;
  ts_trial_begin(w);
  ts_trial_save(w, op);
  turns_of(w, op)->num = 2;
  ts_walk_lay_out(w, op, sharding, how);
  price += ts_walk_price_around(w, op);
  if (following != TS_WALK_FOR_FREE)
    price += sweep_from(w, op, how, following);
  wake_around(w, op);
  price += ts_trial_respond(w);
  return ts_trial_end(w, price, before);
}

bool ts_walk_try(ts_walk *w, ts_op *op, ts_walk_following following) {
  if (op->kind != TS_OP_RULE || w->is_frozen[op->position])
    return false;
  for (ts_walk_passing how = TS_WALK_PASS_NOTHING; how <= TS_WALK_PASS_AS_MADE; how++) {
    ts_arena_reset(&w->model->scratch);
    ts_candidates all = {.num = 0};
    ts_trial_candidates(w, op, &all);
    ts_candidates_by_axis(w->model, w->function->grid, op, &all);
    for (int c = -1; c < all.num && ts_walk_may_go_on(w); c++) {
      if ((following == TS_WALK_FOR_FREE || c >= 0) &&
          attempt(w, op, c < 0 ? op->sharding : all.list[c], how, following))
        return true;
    }
  }
  return false;
}

void ts_walk_share(ts_walk *w, ts_op *op) {
  if (op->kind != TS_OP_RULE || w->is_frozen[op->position])
    return;
  ts_arena_reset(&w->model->scratch);
  ts_trial_begin(w);
  ts_trial_save(w, op);
  const ts_walk_saved *old = &w->changed[0];
  double price = ts_walk_price_around(w, op);
  ts_candidates all = {.num = 0};
  ts_trial_candidates(w, op, &all);
  const ts_loop_sharding *best = old->sharding;
  ts_walk_passing best_passing = TS_WALK_PASS_NOTHING;
  for (int c = 0; c < all.num; c++)
    for (ts_walk_passing how = TS_WALK_PASS_NOTHING; how <= TS_WALK_PASS_AS_MADE; how++) {
      if (ts_walk_iterations(op, all.list[c]) >= ts_walk_iterations(op, best))
        break;
      ts_walk_lay_out(w, op, all.list[c], how);
      if (ts_walk_price_around(w, op) <= price) {
        best = all.list[c];
        best_passing = how;
      }
    }
  ts_trial_restore(old);
  if (best == old->sharding)
    return;
  ts_walk_lay_out(w, op, best, best_passing);
  keep(w);
}
