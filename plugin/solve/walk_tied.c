/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a loop carries in a trial of the walk: how it may lie, and what that costs. It knows values
 * that become one and prices; it must not know what is tried. */
#include "solve/growth.h"
#include "solve/views.h"
#include "solve/walk_trial.h"

/* ---- what becomes it ------------------------------------------------------------------------- */

static void each_given_by(ts_walk *w, const ts_op *op, const ts_value *tied,
                          ts_trial_given_fn *visit, void *user) {
  for (int i = 0; op->kind == TS_OP_FIXED && i < op->num_operands; i++)
    if (op->targets[i] == tied && op->operands[i] && op->operands[i] != tied)
      visit(w, op->operands[i], user);
}

/* An op that has a value as several operands is as many of its users. */
static bool is_first_use(const ts_value *value, int u) {
  for (int before = 0; before < u; before++)
    if (value->users[before] == value->users[u])
      return false;
  return true;
}

void ts_trial_each_given(ts_walk *w, const ts_value *tied, ts_trial_given_fn *visit, void *user) {
  each_given_by(w, tied->definition, tied, visit, user);
  for (int u = 0; u < tied->num_users; u++)
    if (tied->users[u]->kind == TS_OP_FIXED && tied->users[u] != tied->definition &&
        is_first_use(tied, u))
      each_given_by(w, tied->users[u], tied, visit, user);
}

static void add_price(ts_walk *w, ts_value *given, void *price) {
  *(double *)price += given->is_free ? 0 : ts_walk_price_of(w, given);
}

static double price_of_carried(ts_walk *w, const ts_value *tied) {
  double price = ts_walk_price_of(w, tied);
  ts_trial_each_given(w, tied, add_price, &price);
  return price;
}

/* ---- what is returned of it ------------------------------------------------------------------ */

/* What the function returns may lie so: as it did, as arguments of its type do, or in any way. */
static bool may_return(const ts_value *target, const ts_sharding *held, const ts_sharding *layout) {
  bool may = target->is_unlike_arguments || ts_sharding_equal(held, layout);
  for (int c = 0; c < target->num_choices && !may; c++)
    may = ts_sharding_equal(target->choices[c], layout);
  return may;
}

/* Where it is returned as it was, for it may not lie as `layout` there; NULL: nowhere. `*at`
 * becomes the operand. */
static const ts_op *find_held(const ts_value *tied, const ts_sharding *layout, int *at) {
  for (int u = 0; u < tied->num_users; u++) {
    const ts_op *user = tied->users[u];
    for (*at = 0; user->kind == TS_OP_FIXED && *at < user->num_operands; ++*at)
      if (user->operands[*at] == tied && ts_is_open_result(user->targets[*at]) &&
          !may_return(user->targets[*at], user->required[*at], layout))
        return user;
  }
  return NULL;
}

/* As it was, or as arguments of its type are, which costs less. */
static const ts_sharding *cheapest_held(ts_walk *w, const ts_value *tied, const ts_sharding *layout,
                                        const ts_sharding *held, const ts_value *target) {
  ts_arena *scratch = &w->model->scratch;
  const ts_sharding *best = held;
  for (int c = 0; c < target->num_choices; c++)
    if (ts_bytes_moved(scratch, tied, layout, target->choices[c]) <
        ts_bytes_moved(scratch, tied, layout, best))
      best = target->choices[c];
  return best;
}

/* What that costs, once: where only one layout may be returned, that is a demand as others are. Of
 * a function that is solved for a call the caller is to see where it lies. */
double ts_trial_price_of_returning(ts_walk *w, const ts_value *tied, const ts_sharding *layout) {
  int i;
  const ts_op *user = find_held(tied, layout, &i);
  if (user && w->function->is_solved_for_calls)
    return TS_NEVER;
  if (!user || !user->targets[i]->num_choices)
    return 0;
  const ts_sharding *held = cheapest_held(w, tied, layout, user->required[i], user->targets[i]);
  return user->weight * ts_bytes_moved(&w->model->scratch, tied, layout, held);
}

static void hold_returned(ts_walk *w, ts_value *tied, const ts_sharding *layout) {
  int i;
  const ts_op *user = find_held(tied, layout, &i);
  tied->returned = NULL;
  if (user)
    tied->returned = ts_sharding_copy(
        w->model->arena, cheapest_held(w, tied, layout, user->required[i], user->targets[i]));
}

/* ---- trials ---------------------------------------------------------------------------------- */

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

/* What a block's end gives it, nobody says how it lies, and it is not carried partial. */
bool ts_trial_may_be_carried(const ts_value *tied) {
  const ts_op *op = tied->definition;
  return op && op->kind == TS_OP_FIXED && op->ties && !tied->is_fixed && !tied->is_free &&
         !tied->dealt_dims && !op->deals && !tied->is_captured && !tied->openness &&
         !tied->annotation.ptr && !tied->next_in_group && !tied->pending.axes &&
         ts_walk_is_plain(tied);
}

bool ts_trial_may_carry(const ts_walk *w, const ts_value *tied, const ts_sharding *layout) {
  for (int i = 0; i < w->num_carried; i++)
    if (w->carried[i].tied == tied)
      return false;
  return w->num_carried < TS_WALK_MOST_CARRIED && ts_trial_may_be_carried(tied) &&
         layout->rank == tied->layout->rank && !ts_sharding_equal(layout, tied->layout) &&
         !has_no_price(w, tied, layout);
}

double ts_trial_carry(ts_walk *w, ts_value *tied, const ts_sharding *layout) {
  double before = price_of_carried(w, tied) + ts_trial_price_of_returning(w, tied, tied->layout);
  w->carried[w->num_carried++] = (ts_walk_was_carried){tied, tied->layout};
  tied->layout = layout;
  return price_of_carried(w, tied) + ts_trial_price_of_returning(w, tied, layout) - before;
}

void ts_trial_end_carried(ts_walk *w, bool keeps) {
  for (int i = 0; i < w->num_carried; i++) {
    ts_value *tied = w->carried[i].tied;
    const ts_sharding *layout = tied->layout;
    tied->layout = w->carried[i].layout;
    if (keeps) {
      ts_lay_out(w->model, tied, layout, tied->definition);
      hold_returned(w, tied, layout);
    }
  }
  w->num_carried = 0;
}
