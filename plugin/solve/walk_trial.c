/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A trial of the walk: an op splits its loops in another way, those around it follow, and all stays
 * as it was if that is not cheaper in sum. It knows candidates and prices; it must not know where
 * the walk goes. */
#include "solve/candidates.h"
#include "solve/growth.h"
#include "solve/views.h"
#include "solve/walk.h"

enum { MAX_STEPS = 160, MAX_USERS = 12 };

/* As a part of what was paid at the op that began, less is no gain: layouts that people expect do
 * not change for little. */
static const double least_part = 1.0 / 8;

static void restore(const ts_walk_saved *s) {
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

/* Keeps what the op is before the trial; false if there is no room. */
static bool save(ts_walk *w, ts_op *op) {
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

static void wait(ts_walk *w, ts_op *op) {
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
      wait(w, value->definition);
    for (int u = 0; u < value->num_users && u < MAX_USERS; u++)
      if (value->users[u] != op)
        wait(w, value->users[u]);
  }
}

/* The layouts in which others have the values at the op. */
static void candidates_around(ts_walk *w, const ts_op *op, ts_candidates *out) {
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
    for (int u = 0; u < value->num_users && u < MAX_USERS; u++) {
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
  if (before < TS_WALK_LEAST_GAIN || !save(w, op))
    return 0;
  const ts_walk_saved old = {
      op, op->sharding,
      ts_arena_copy(&w->model->scratch, op->required,
                    sizeof(op->required[0]) * (size_t)ts_walk_num_ports(op))};
  ts_candidates all = {.num = 0};
  candidates_around(w, op, &all);
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
    restore(&old);
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

/* Has `op` split its loops as a value is at one of its ports, if that splits any of them otherwise;
 * adds the change of the price. */
static bool follow(ts_walk *w, ts_op *op, const ts_value *value, const ts_sharding *layout,
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
  if (!all.num || ts_walk_work_of(op, all.list[0]) > ts_walk_work_of(op, op->sharding) ||
      !save(w, op))
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

/* Has all that the op's values lead to follow it, whatever that costs on the way: as far as other
 * ops can, and nobody says how a value lies. Returns by how much the price changes. */
static double sweep_from(ts_walk *w, ts_op *seed, ts_walk_following following) {
  ts_op *reached[TS_WALK_MOST_CHANGED] = {seed};
  int num = 1;
  bool all = following == TS_WALK_FAR;
  double price = 0;
  for (int i = 0; i < num; i++) {
    for (int port = 0; port < ts_walk_num_ports(reached[i]); port++) {
      ts_value *value = ts_walk_paid_value(reached[i], port);
      const ts_sharding *layout = value ? layout_at(reached[i], port) : NULL;
      if (!value || value->is_fixed || value->annotation.ptr)
        continue;
      if (value->definition && num < TS_WALK_MOST_CHANGED && (all || is_move(value->definition)) &&
          follow(w, value->definition, value, layout, &price))
        reached[num++] = value->definition;
      for (int u = 0; u < value->num_users && u < MAX_USERS && num < TS_WALK_MOST_CHANGED; u++)
        if ((all || is_move(value->users[u])) && follow(w, value->users[u], value, layout, &price))
          reached[num++] = value->users[u];
    }
  }
  for (int i = 0; i < num; i++)
    wake_around(w, reached[i]);
  return price;
}

/* Has all who wait respond, as long as there are any. Returns by how much the price changes. */
static double respond_all(ts_walk *w) {
  double price = 0;
  for (int step = 0; w->num_waiting && step < MAX_STEPS; step++)
    price += respond(w, next_waiting(w));
  return price;
}

static bool is_better(const ts_walk *w, double price, double before) {
  return price < -TS_WALK_LEAST_GAIN && price < -least_part * before && shares_work(w, -price);
}

static void end_trial(ts_walk *w, bool keeps) {
  if (keeps)
    keep(w);
  for (int i = 0; !keeps && i < w->num_changed; i++)
    restore(&w->changed[i]);
}

/* Has the op split its loops in another way, and those around it follow. Keeps what is cheaper. */
static bool attempt(ts_walk *w, ts_op *op, const ts_loop_sharding *sharding, ts_walk_passing how,
                    ts_walk_following following) {
  double before = ts_walk_price_around(w, op), price = -before;
  w->trial++;
  w->num_changed = w->num_waiting = 0;
  save(w, op);
  turns_of(w, op)->num = 2;
  ts_walk_lay_out(w, op, sharding, how);
  price += ts_walk_price_around(w, op);
  if (following != TS_WALK_FOR_FREE)
    price += sweep_from(w, op, following);
  wake_around(w, op);
  price += respond_all(w);
  bool better = is_better(w, price, before);
  end_trial(w, better);
  return better;
}

bool ts_walk_try(ts_walk *w, ts_op *op, ts_walk_following following) {
  if (op->kind != TS_OP_RULE || w->is_frozen[op->position])
    return false;
  for (ts_walk_passing how = TS_WALK_PASS_NOTHING; how <= TS_WALK_PASS_AS_MADE; how++) {
    ts_arena_reset(&w->model->scratch);
    ts_candidates all = {.num = 0};
    candidates_around(w, op, &all);
    ts_candidates_by_axis(w->model, w->function->grid, op, &all);
    for (int c = -1; c < all.num && ts_walk_may_go_on(w); c++) {
      if ((following == TS_WALK_FOR_FREE || c >= 0) &&
          attempt(w, op, c < 0 ? op->sharding : all.list[c], how, following))
        return true;
    }
  }
  return false;
}

/* ---- what loops carry ------------------------------------------------------------------------ */

enum { MOST_CARRIED = 8 };

typedef struct layouts {
  int num;
  const ts_sharding *list[MOST_CARRIED];
} layouts;

typedef void each_given_fn(ts_walk *w, ts_value *given, void *user);

static void each_given_by(ts_walk *w, const ts_op *op, const ts_value *tied, each_given_fn *visit,
                          void *user) {
  for (int i = 0; op->kind == TS_OP_FIXED && i < op->num_operands; i++)
    if (op->targets[i] == tied && op->operands[i] && op->operands[i] != tied)
      visit(w, op->operands[i], user);
}

/* Calls `visit` for each value that becomes the one that is carried: the first one, which the loop
 * itself takes, and those that blocks end with. */
static void each_given(ts_walk *w, const ts_value *tied, each_given_fn *visit, void *user) {
  each_given_by(w, tied->definition, tied, visit, user);
  for (int u = 0; u < tied->num_users; u++)
    if (tied->users[u] != tied->definition)
      each_given_by(w, tied->users[u], tied, visit, user);
}

static void add_price(ts_walk *w, ts_value *given, void *price) {
  *(double *)price += given->is_free ? 0 : ts_walk_price_of(w, given);
}

static double price_of_carried(ts_walk *w, const ts_value *tied) {
  double price = ts_walk_price_of(w, tied);
  each_given(w, tied, add_price, &price);
  return price;
}

/* With what else is paid at the ops that give it. */
static void add_price_around(ts_walk *w, ts_value *given, void *price) {
  if (given->definition && given->definition->kind == TS_OP_RULE)
    *(double *)price += ts_walk_price_around(w, given->definition);
}

static double price_around_carried(ts_walk *w, const ts_value *tied) {
  double price = ts_walk_price_of(w, tied);
  each_given(w, tied, add_price_around, &price);
  return price;
}

static void wake_definition(ts_walk *w, ts_value *given, void *user) {
  (void)user;
  if (given->definition)
    wait(w, given->definition);
}

static void add_layout(ts_walk *w, const ts_sharding *layout, layouts *out) {
  ts_arena *scratch = &w->model->scratch;
  layout =
      ts_price_layout(&w->prices, ts_completed(scratch, ts_sharding_balanced(scratch, layout)));
  for (int i = 0; i < out->num; i++)
    if (out->list[i] == layout)
      return;
  if (out->num < MOST_CARRIED)
    out->list[out->num++] = layout;
}

/* Those in which the op that gives the value could give it. */
static void add_given_layouts(ts_walk *w, ts_value *given, void *user) {
  ts_op *op = given->definition;
  if (!op || op->kind != TS_OP_RULE || w->is_frozen[op->position])
    return;
  int r = 0;
  while (op->results[r] != given)
    r++;
  w->trial++;
  w->num_changed = 0;
  if (!save(w, op))
    return;
  ts_candidates all = {.num = 0};
  add_layout(w, op->natural[r], user);
  candidates_around(w, op, &all);
  for (int c = 0; c < all.num; c++) {
    ts_walk_lay_out(w, op, all.list[c], TS_WALK_PASS_NOTHING);
    add_layout(w, op->natural[r], user);
  }
  restore(&w->changed[0]);
}

/* Carries the value as `layout`, and those around it follow. Keeps it if that is cheaper. */
static bool carry_as(ts_walk *w, ts_value *tied, const ts_sharding *layout) {
  const ts_sharding *old = tied->layout;
  double before = price_around_carried(w, tied), price = -price_of_carried(w, tied);
  w->trial++;
  w->num_changed = w->num_waiting = 0;
  tied->layout = layout;
  price += price_of_carried(w, tied);
  each_given(w, tied, wake_definition, NULL);
  for (int u = 0; u < tied->num_users && u < MAX_USERS; u++)
    wait(w, tied->users[u]);
  price += respond_all(w);
  bool better = is_better(w, price, before);
  end_trial(w, better);
  tied->layout = old;
  if (better)
    ts_lay_out(w->model, tied, layout, tied->definition);
  return better;
}

/* Ranges would be read of it that have no price. */
static bool has_no_price(const ts_walk *w, const ts_value *tied, const ts_sharding *layout) {
  for (int u = 0; u < tied->num_users && !w->model->prices_ranges; u++) {
    const ts_op *user = tied->users[u];
    for (int i = 0; user->kind == TS_OP_RULE && i < user->num_operands; i++)
      for (int d = 0; user->operands[i] == tied && d < layout->rank; d++)
        if (ts_dim_is_split(&layout->dims[d]) && ts_led_window(user, i, d))
          return true;
  }
  return false;
}

/* The function would return it otherwise than results may lie that nobody annotates. */
static bool changes_results(const ts_value *tied, const ts_sharding *layout) {
  for (int u = 0; u < tied->num_users; u++) {
    const ts_op *user = tied->users[u];
    for (int i = 0; user->kind == TS_OP_FIXED && i < user->num_operands; i++) {
      const ts_value *target = user->operands[i] == tied ? user->targets[i] : NULL;
      if (!target || target->definition || target->handle.ptr || target->is_fixed)
        continue;
      bool may = target->is_unlike_arguments;
      for (int c = 0; c < target->num_choices && !may; c++)
        may = ts_sharding_equal(target->choices[c], layout);
      if (!may)
        return true;
    }
  }
  return false;
}

bool ts_walk_try_carried(ts_walk *w, ts_value *tied) {
  layouts all = {.num = 0};
  ts_arena_reset(&w->model->scratch);
  if (price_around_carried(w, tied) < TS_WALK_LEAST_GAIN)
    return false;
  each_given(w, tied, add_given_layouts, &all);
  for (int i = 0; i < all.num && ts_walk_may_go_on(w); i++)
    if (!ts_sharding_equal(all.list[i], tied->layout) && !has_no_price(w, tied, all.list[i]) &&
        !changes_results(tied, all.list[i]) && carry_as(w, tied, all.list[i]))
      return true;
  return false;
}

void ts_walk_share(ts_walk *w, ts_op *op) {
  if (op->kind != TS_OP_RULE || w->is_frozen[op->position])
    return;
  ts_arena_reset(&w->model->scratch);
  w->trial++;
  w->num_changed = 0;
  save(w, op);
  const ts_walk_saved *old = &w->changed[0];
  double price = ts_walk_price_around(w, op);
  ts_candidates all = {.num = 0};
  candidates_around(w, op, &all);
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
  restore(old);
  if (best == old->sharding)
    return;
  ts_walk_lay_out(w, op, best, best_passing);
  keep(w);
}
