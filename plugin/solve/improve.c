/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A walk from the solution of the fixpoint to a cheaper one. An op near a value that is paid for
 * tries another loop sharding; those around it follow as long as that costs them nothing; and what
 * is cheaper in sum stays. It knows candidates and prices; it must not know what ops compute. */
#include "solve/improve.h"

#include <stdlib.h>

#include "solve/candidates.h"
#include "solve/growth.h"
#include "solve/partial.h"
#include "solve/price.h"
#include "solve/returned.h"

/* An op as it was before a trial. */
typedef struct saved {
  ts_op *op;
  const ts_loop_sharding *sharding;
  const ts_sharding **layouts;
} saved;

/* How often an op has responded in a trial. */
typedef struct turns {
  int trial, num;
} turns;

enum { MAX_CHANGED = 192, MAX_WAITING = 96, MAX_STEPS = 160, MAX_SEEDS = 6, MAX_USERS = 12 };

typedef struct walk {
  ts_model *model;
  ts_function *function;
  ts_prices prices;
  bool *is_frozen; /* by position: has no other choice */
  turns *turns;    /* by position */
  int trial;
  saved changed[MAX_CHANGED];
  int num_changed;
  ts_op *waiting[MAX_WAITING]; /* by position */
  int num_waiting;
  double left;      /* prices of ops that may still be looked at */
  double uses_left; /* and uses of values, for each price of one asks all of them */
} walk;

/* Less is no gain, in bytes, and as a part of what was paid at the op that began: layouts that
 * people expect do not change for little. */
static const double least_gain = 0.5, least_part = 1.0 / 8;

/* ---- one op ---------------------------------------------------------------------------------- */

typedef enum passing { PASS_NOTHING, PASS_AS_MADE, PASS_AS_PLANNED } passing;

static void pass(walk *w, ts_op *op, ts_passing_of of) {
  ts_passage p = ts_passage_of_op(op, of);
  ts_arena *scratch = &w->model->scratch;
  if (!p.operands)
    return;
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
    if (p.operands >> i & 1)
      op->required[i] =
          ts_price_layout(&w->prices, ts_add_partial(scratch, op->required[i], p.axes, p.kind));
  for (int r = 0; r < op->num_results; r++)
    op->natural[r] =
        ts_price_layout(&w->prices, ts_add_partial(scratch, op->natural[r], p.axes, p.kind));
}

/* What a window reads of neighbours is little beside what it reads here: prices leave it out. */
static const ts_sharding *needed(ts_arena *arena, const ts_op *op, const ts_loop_sharding *sharding,
                                 int i) {
  return ts_sharding_balanced(arena,
                              ts_loops_project(arena, op->loops, sharding, &op->loops->operands[i],
                                               op->operands[i]->shape));
}

/* Gives the op its layouts under `sharding`. */
static void lay_out(walk *w, ts_op *op, const ts_loop_sharding *sharding, passing how) {
  ts_arena *scratch = &w->model->scratch;
  op->sharding = sharding;
  ts_axes axes = ts_loops_partial_axes(op->loops, sharding);
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      op->required[i] = ts_price_layout(&w->prices, needed(scratch, op, sharding, i));
  for (int r = 0; r < op->num_results; r++) {
    if (!op->results[r])
      continue;
    const ts_sharding *natural = ts_loops_project(scratch, op->loops, sharding,
                                                  &op->loops->results[r], op->results[r]->shape);
    if (op->loops->result_reduction[r])
      natural = ts_add_partial(scratch, natural, axes, op->loops->result_reduction[r]);
    op->natural[r] = ts_price_layout(&w->prices, natural);
  }
  if (how != PASS_NOTHING)
    pass(w, op, how == PASS_AS_MADE ? TS_PASSING_AS_MADE : TS_PASSING_AS_PLANNED);
}

static ts_value *port_value(const ts_op *op, int port) {
  return port < op->num_operands ? op->operands[port] : op->results[port - op->num_operands];
}

static int num_ports(const ts_op *op) {
  return op->num_operands + op->num_results;
}

/* A value whose moves are paid for, and that no port before has. */
static ts_value *paid_value(const ts_op *op, int port) {
  ts_value *value = port_value(op, port);
  if (!value || value->is_free || ts_free_source(value))
    return NULL;
  for (int before = 0; before < port; before++)
    if (port_value(op, before) == value)
      return NULL;
  return value;
}

static bool may_go_on(const walk *w) {
  return w->left > 0 && w->uses_left > 0;
}

static double price_of(walk *w, const ts_value *value) {
  double price;
  ts_cheapest_layout(&w->prices, value, &price);
  return price;
}

/* What is paid for all values at the op. */
static double price_around(walk *w, const ts_op *op) {
  double price = 0;
  w->left--;
  for (int port = 0; port < num_ports(op); port++) {
    const ts_value *value = paid_value(op, port);
    if (!value)
      continue;
    price += price_of(w, value);
    w->uses_left -= value->num_users;
  }
  return price;
}

/* ---- trials ---------------------------------------------------------------------------------- */

static bool save(walk *w, ts_op *op) {
  for (int i = 0; i < w->num_changed; i++)
    if (w->changed[i].op == op)
      return true;
  if (w->num_changed == MAX_CHANGED)
    return false;
  w->changed[w->num_changed++] =
      (saved){op, op->sharding,
              ts_arena_copy(&w->model->scratch, op->required,
                            sizeof(op->required[0]) * (size_t)num_ports(op))};
  return true;
}

static void restore(const saved *s) {
  s->op->sharding = s->sharding;
  for (int i = 0; i < num_ports(s->op); i++)
    s->op->required[i] = s->layouts[i];
}

static int *turns_of(walk *w, const ts_op *op) {
  turns *t = &w->turns[op->position];
  if (t->trial != w->trial)
    *t = (turns){w->trial, 0};
  return &t->num;
}

static void wait(walk *w, ts_op *op) {
  if (op->kind != TS_OP_RULE || w->is_frozen[op->position] || *turns_of(w, op) >= 2)
    return;
  int at = w->num_waiting;
  for (int i = 0; i < w->num_waiting; i++)
    if (w->waiting[i] == op)
      return;
  if (w->num_waiting == MAX_WAITING)
    return;
  for (; at > 0 && w->waiting[at - 1]->position > op->position; at--)
    w->waiting[at] = w->waiting[at - 1];
  w->waiting[at] = op;
  w->num_waiting++;
}

static ts_op *next_waiting(walk *w) {
  ts_op *op = w->waiting[0];
  w->num_waiting--;
  for (int i = 0; i < w->num_waiting; i++)
    w->waiting[i] = w->waiting[i + 1];
  return op;
}

/* Has all who share a value with the op look at it again. */
static void wake_around(walk *w, const ts_op *op) {
  for (int port = 0; port < num_ports(op); port++) {
    const ts_value *value = paid_value(op, port);
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
static void candidates_around(walk *w, const ts_op *op, ts_candidates *out) {
  const ts_grid *grid = w->function->grid;
  for (int port = 0; port < num_ports(op); port++) {
    const ts_value *value = paid_value(op, port);
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

/* Iterations of the op's loops on each device under `sharding`; unknown extents count as 1024, and
 * 2 on a grid. What only moves elements is no work: a device that has them all can do it as well as
 * it can receive them. */
static double work_of(const ts_op *op, const ts_loop_sharding *sharding) {
  double work = ts_only_moves(op->handle) ? 0 : 1;
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

/* The op takes the best choice there is as all others are. Returns by how much the price changes. A
 * choice that costs the same, of no more work, is taken in the op's first turn: what is paid moves
 * on. */
static double respond(walk *w, ts_op *op) {
  double before = price_around(w, op);
  int turn = (*turns_of(w, op))++;
  if (before < least_gain || !save(w, op))
    return 0;
  const saved old = {op, op->sharding,
                     ts_arena_copy(&w->model->scratch, op->required,
                                   sizeof(op->required[0]) * (size_t)num_ports(op))};
  ts_candidates all = {.num = 0};
  candidates_around(w, op, &all);
  const ts_loop_sharding *best = NULL;
  passing best_passing = PASS_NOTHING;
  double least = before - (turn ? least_gain : 0);
  for (int c = -1; c < all.num; c++)
    for (passing how = PASS_NOTHING; how <= PASS_AS_MADE; how++) {
      lay_out(w, op, c < 0 ? old.sharding : all.list[c], how);
      double price = price_around(w, op);
      bool moves_on = price <= least && !best && c >= 0 &&
                      work_of(op, op->sharding) <= work_of(op, old.sharding);
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
  lay_out(w, op, best, best_passing);
  wake_around(w, op);
  return least - before;
}

static void keep(walk *w) {
  for (int i = 0; i < w->num_changed; i++) {
    ts_op *op = w->changed[i].op;
    op->sharding = ts_intern_loops(&w->model->interned, w->changed[i].sharding, op->sharding);
  }
}

/* Bytes are not saved by having each device compute what several shared, but for a little beside
 * what there is to compute. */
static bool shares_work(const walk *w) {
  const double most = 1.05;
  double before = 0, after = 0;
  for (int i = 0; i < w->num_changed; i++) {
    before += work_of(w->changed[i].op, w->changed[i].sharding);
    after += work_of(w->changed[i].op, w->changed[i].op->sharding);
  }
  return after <= before * most;
}

/* The layout in which the op has a value of its own. */
static const ts_sharding *layout_at(const ts_op *op, int port) {
  return port < op->num_operands ? op->required[port] : op->natural[port - op->num_operands];
}

/* Has `op` split its loops as a value is at one of its ports, if that splits any of them otherwise;
 * adds the change of the price. */
static bool follow(walk *w, ts_op *op, const ts_value *value, const ts_sharding *layout,
                   double *price) {
  if (op->kind != TS_OP_RULE || w->is_frozen[op->position] || *turns_of(w, op))
    return false;
  int port = 0;
  while (port < num_ports(op) && port_value(op, port) != value)
    port++;
  ts_candidates all = {.num = 0};
  if (port == num_ports(op))
    return false;
  ts_candidates_from(w->model, w->function->grid, op, port, layout, &all);
  if (!all.num || work_of(op, all.list[0]) > work_of(op, op->sharding) || !save(w, op))
    return false;
  *price -= price_around(w, op);
  lay_out(w, op, all.list[0], PASS_AS_MADE);
  *price += price_around(w, op);
  *turns_of(w, op) = 1;
  return true;
}

/* Has all that the op's values lead to follow it, whatever that costs on the way: as far as other
 * ops can, and nobody says how a value lies. Returns by how much the price changes. */
static double sweep_from(walk *w, ts_op *seed) {
  ts_op *reached[MAX_CHANGED] = {seed};
  int num = 1;
  double price = 0;
  for (int i = 0; i < num; i++) {
    for (int port = 0; port < num_ports(reached[i]); port++) {
      ts_value *value = paid_value(reached[i], port);
      const ts_sharding *layout = value ? layout_at(reached[i], port) : NULL;
      if (!value || value->is_fixed || value->annotation.ptr)
        continue;
      if (value->definition && num < MAX_CHANGED &&
          follow(w, value->definition, value, layout, &price))
        reached[num++] = value->definition;
      for (int u = 0; u < value->num_users && u < MAX_USERS && num < MAX_CHANGED; u++)
        if (follow(w, value->users[u], value, layout, &price))
          reached[num++] = value->users[u];
    }
  }
  for (int i = 0; i < num; i++)
    wake_around(w, reached[i]);
  return price;
}

/* How those around an op follow it: as far as it costs nothing, or as far as they can. */
typedef enum following { FOLLOW_FOR_FREE, FOLLOW_FAR } following;

/* Has the op split its loops in another way, and those around it follow. Keeps what is cheaper. */
static bool attempt(walk *w, ts_op *op, const ts_loop_sharding *sharding, passing how,
                    following following) {
  double before = price_around(w, op), price = -before;
  w->trial++;
  w->num_changed = w->num_waiting = 0;
  save(w, op);
  *turns_of(w, op) = 2;
  lay_out(w, op, sharding, how);
  price += price_around(w, op);
  if (following == FOLLOW_FAR)
    price += sweep_from(w, op);
  wake_around(w, op);
  for (int step = 0; w->num_waiting && step < MAX_STEPS; step++)
    price += respond(w, next_waiting(w));
  bool better = price < -least_gain && price < -least_part * before && shares_work(w);
  if (better)
    keep(w);
  else
    for (int i = 0; i < w->num_changed; i++)
      restore(&w->changed[i]);
  return better;
}

/* Tries all other ways in which the op could split its loops. Whether one was better. */
static bool try_all(walk *w, ts_op *op, following following) {
  if (op->kind != TS_OP_RULE || w->is_frozen[op->position])
    return false;
  for (passing how = PASS_NOTHING; how <= PASS_AS_MADE; how++) {
    ts_arena_reset(&w->model->scratch);
    ts_candidates all = {.num = 0};
    candidates_around(w, op, &all);
    ts_candidates_by_axis(w->model, w->function->grid, op, &all);
    for (int c = -1; c < all.num && may_go_on(w); c++) {
      if ((following == FOLLOW_FOR_FREE || c >= 0) &&
          attempt(w, op, c < 0 ? op->sharding : all.list[c], how, following))
        return true;
    }
  }
  return false;
}

/* ---- the walk -------------------------------------------------------------------------------- */

typedef struct paid {
  ts_value *value;
  double price;
  int order;
} paid;

static int dearest_first(const void *a, const void *b) {
  const paid *left = a, *right = b;
  if (left->price != right->price)
    return left->price > right->price ? -1 : 1;
  return left->order < right->order ? -1 : 1;
}

static void add_paid(walk *w, ts_value *value, paid *all, int *num) {
  if (!value || value->is_free || ts_free_source(value))
    return;
  ts_arena_reset(&w->model->scratch);
  double price = price_of(w, value);
  if (price >= least_gain) {
    all[*num] = (paid){value, price, *num};
    ++*num;
  }
}

static int most_values(const ts_function *function) {
  int num = function->num_arguments;
  for (int i = 0; i < function->num_ops; i++)
    num += function->ops[i]->num_results;
  return num;
}

/* Values that something is paid for, the dearest first. */
static int collect_paid(walk *w, paid *all) {
  int num = 0;
  for (int i = 0; i < w->function->num_arguments; i++)
    add_paid(w, w->function->arguments[i], all, &num);
  for (int i = 0; i < w->function->num_ops; i++)
    for (int r = 0; r < w->function->ops[i]->num_results; r++)
      add_paid(w, w->function->ops[i]->results[r], all, &num);
  qsort(all, (size_t)num, sizeof(*all), dearest_first);
  return num;
}

static bool try_around(walk *w, const ts_value *value, following following) {
  bool any = false;
  if (value->definition)
    any |= try_all(w, value->definition, following);
  for (int u = 0; u < value->num_users && u < MAX_SEEDS; u++)
    any |= try_all(w, value->users[u], following);
  return any;
}

static bool is_plain(const ts_value *value) {
  for (int d = 0; d < value->layout->rank; d++)
    if (ts_dim_has_halo(&value->layout->dims[d]) || value->layout->dims[d].offsets)
      return false;
  return !ts_sharding_run_time(value->layout, NULL);
}

/* It moves data and reads ranges: what it needs is what its uses do, which has no price here. */
static bool moves_ranges(const ts_op *op) {
  for (int l = 0; op->rule->does == TS_MOVES_DATA && l < op->loops->num_loops; l++)
    if (ts_leads_window(op->loops, l))
      return true;
  return false;
}

/* Ops that take explicit offsets, halos or annotated partial values as they are, those that move
 * ranges, and those for which data says what they need, stay as the fixpoint has them. */
static bool is_frozen(const ts_op *op) {
  if (op->kind != TS_OP_RULE || op->captured.num || moves_ranges(op))
    return true;
  for (int l = 0; l < op->loops->num_loops; l++)
    if (ts_loop_may_be_given_up(&op->loops->loops[l]) ||
        (op->loops->loops[l].kind != TS_LOOP_PARALLEL &&
         op->loops->loops[l].kind != TS_LOOP_REDUCTION &&
         op->loops->loops[l].kind != TS_LOOP_WHOLE))
      return true;
  for (int port = 0; port < num_ports(op); port++) {
    const ts_value *value = port_value(op, port);
    if (value && !value->is_free &&
        (!is_plain(value) || (value->is_fixed && value->layout->num_partial)))
      return true;
  }
  return false;
}

/* What is returned without an annotation stays laid out as it is, or as an argument is. */
static void hold_results(walk *w, ts_op *op) {
  for (int i = 0; op->kind == TS_OP_FIXED && i < op->num_operands; i++)
    if (op->operands[i])
      op->required[i] =
          ts_price_layout(&w->prices, ts_completed(&w->model->scratch, op->operands[i]->layout));
}

static void start(walk *w) {
  for (int i = 0; i < w->function->num_ops; i++) {
    ts_op *op = w->function->ops[i];
    w->is_frozen[i] = is_frozen(op);
    ts_arena_reset(&w->model->scratch);
    hold_results(w, op);
    if (!w->is_frozen[i])
      lay_out(w, op, op->sharding, PASS_AS_PLANNED);
  }
}

/* Gives values the layouts that the prices are of. */
static void lay_out_value(walk *w, ts_value *value, ts_op *op) {
  if (!value || value->is_free || ts_free_source(value))
    return;
  double price;
  ts_arena_reset(&w->model->scratch);
  const ts_sharding *layout = ts_cheapest_layout(&w->prices, value, &price);
  if (!ts_sharding_equal(layout, value->layout))
    ts_lay_out(w->model, value, ts_completed(w->model->arena, layout), op);
}

static void lay_out_values(walk *w) {
  for (int i = 0; i < w->function->num_arguments; i++) {
    ts_value *value = w->function->arguments[i];
    if (value && value->num_users)
      lay_out_value(w, value, value->users[0]);
  }
  for (int i = 0; i < w->function->num_ops; i++)
    for (int r = 0; r < w->function->ops[i]->num_results; r++)
      lay_out_value(w, w->function->ops[i]->results[r], w->function->ops[i]);
}

bool ts_improve(ts_model *model, ts_function *function) {
  const int most_sweeps = 3, most_far = 8;
  walk w = {.model = model,
            .function = function,
            .prices = {.model = model},
            .left = 30000 + 24.0 * function->num_ops,
            .uses_left = 5e7 + 400.0 * function->num_ops};
  w.is_frozen = TS_NEW(model->arena, bool, function->num_ops);
  w.turns = TS_NEW(model->arena, turns, function->num_ops);
  paid *all = TS_NEW(model->arena, paid, most_values(function));
  ts_find_returned(model, function);
  start(&w);
  bool any = false, better = true;
  for (int sweep = 0; better && sweep < most_sweeps && may_go_on(&w); sweep++) {
    better = false;
    int num = collect_paid(&w, all);
    for (int i = 0; i < num && may_go_on(&w); i++)
      better |= try_around(&w, all[i].value, FOLLOW_FOR_FREE);
    for (int i = 0; i < num && i < most_far && !better && may_go_on(&w); i++)
      better |= try_around(&w, all[i].value, FOLLOW_FAR);
    any |= better;
  }
  if (any)
    lay_out_values(&w);
  return any;
}
