/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A trial of the walk with what a loop carries: it lies in another way, and those around it follow.
 * It knows values that become one and prices; it must not know where the walk goes. */
#include "solve/candidates.h"
#include "solve/growth.h"
#include "solve/views.h"
#include "solve/walk_trial.h"

enum { MOST_CARRIED = 8 };

typedef struct layouts {
  int num;
  const ts_sharding *list[MOST_CARRIED];
} layouts;

/* With what else is paid at the ops that give it. */
static void add_price_around(ts_walk *w, ts_value *given, void *price) {
  if (given->definition && given->definition->kind == TS_OP_RULE)
    *(double *)price += ts_walk_price_around(w, given->definition);
}

static double price_around_carried(ts_walk *w, const ts_value *tied) {
  double price = ts_walk_price_of(w, tied);
  ts_trial_each_given(w, tied, add_price_around, &price);
  return price;
}

static void wake_definition(ts_walk *w, ts_value *given, void *user) {
  (void)user;
  if (given->definition)
    ts_trial_await(w, given->definition);
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
  if (op && op->kind == TS_OP_FIXED && op->ties)
    add_layout(w, given->layout, user); /* of a loop inside */
  if (!op || op->kind != TS_OP_RULE || w->is_frozen[op->position])
    return;
  int r = 0;
  while (op->results[r] != given)
    r++;
  ts_trial_begin(w);
  if (!ts_trial_save(w, op))
    return;
  ts_candidates all = {.num = 0};
  add_layout(w, op->natural[r], user);
  ts_trial_candidates(w, op, &all);
  for (int c = 0; c < all.num; c++) {
    ts_walk_lay_out(w, op, all.list[c], TS_WALK_PASS_NOTHING);
    add_layout(w, op->natural[r], user);
  }
  ts_trial_restore(&w->changed[0]);
}

/* ---- trials ---------------------------------------------------------------------------------- */

/* Carries the value as `layout`, and those around it follow. Keeps it if that is cheaper. */
static bool carry_as(ts_walk *w, ts_value *tied, const ts_sharding *layout) {
  double before =
      price_around_carried(w, tied) + ts_trial_price_of_returning(w, tied, tied->layout);
  ts_trial_begin(w);
  double price = ts_trial_carry(w, tied, layout);
  ts_trial_each_given(w, tied, wake_definition, NULL);
  for (int u = 0; u < tied->num_users && u < TS_TRIAL_USERS; u++)
    ts_trial_await(w, tied->users[u]);
  price += ts_trial_respond(w);
  return ts_trial_end(w, price, before);
}

bool ts_walk_try_carried(ts_walk *w, ts_value *tied) {
  layouts all = {.num = 0};
  ts_arena_reset(&w->model->scratch);
  if (!tied || !ts_trial_may_be_carried(tied) || price_around_carried(w, tied) < TS_WALK_LEAST_GAIN)
    return false;
  ts_trial_each_given(w, tied, add_given_layouts, &all);
  ts_trial_begin(w);
  for (int i = 0; i < all.num && ts_walk_may_go_on(w); i++)
    if (ts_trial_may_carry(w, tied, all.list[i]) && carry_as(w, tied, all.list[i]))
      return true;
  return false;
}
