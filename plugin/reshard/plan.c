/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Plans of resharding: the chosen moves with the layouts between them. It knows shardings and
 * costs; it must not know ops. */
#include "reshard/reshard.h"

#include "reshard/moves.h"

/* A layout on its way through a plan. */
typedef struct tracker {
  ts_arena *arena;
  const ts_problem *problem;
  const ts_sharding *layout;
} tracker;

static ts_dim dim_with_axes(tracker *t, int d, const int8_t *kept, int num_kept,
                            const ts_axis_list *added) {
  int8_t axes[2 * TS_MAX_AXES];
  int num = 0;
  for (int i = 0; i < num_kept; i++)
    axes[num++] = kept[i];
  for (int i = 0; added && i < added->num; i++)
    axes[num++] = added->axes[i];
  return ts_dim_plain(t->arena, t->layout->dims[d].factors[0].size, num, axes);
}

/* Appends to or takes off the split of a changing dimension. */
static void append_axes(tracker *t, int changing, const ts_axis_list *axes) {
  int d = t->problem->where[changing];
  const ts_factor *factor = &t->layout->dims[d].factors[0];
  ts_dim dim = dim_with_axes(t, d, factor->axes, factor->num_axes, axes);
  t->layout = ts_sharding_with_dim(t->arena, t->layout, d, dim);
}

static void remove_axes(tracker *t, int changing, int num) {
  int d = t->problem->where[changing];
  const ts_factor *factor = &t->layout->dims[d].factors[0];
  ts_dim dim = dim_with_axes(t, d, factor->axes, factor->num_axes - num, NULL);
  t->layout = ts_sharding_with_dim(t->arena, t->layout, d, dim);
}

static bool in_list(const ts_axis_list *list, int axis) {
  for (int i = 0; i < list->num; i++)
    if (list->axes[i] == axis)
      return true;
  return false;
}

static void remove_partial(tracker *t, const ts_axis_list *axes) {
  ts_partial left[TS_MAX_AXES];
  int num = 0;
  for (int i = 0; i < t->layout->num_partial; i++)
    if (!in_list(axes, t->layout->partial[i].axis))
      left[num++] = t->layout->partial[i];
  t->layout = ts_sharding_with_partial(t->arena, t->layout, num, left);
}

static void add_partial(tracker *t, const ts_axis_list *axes, ts_reduction kind) {
  ts_partial all[2 * TS_MAX_AXES];
  int num = 0;
  for (int i = 0; i < t->layout->num_partial; i++)
    all[num++] = t->layout->partial[i];
  for (int i = 0; i < axes->num; i++)
    all[num++] = (ts_partial){.axis = axes->axes[i], .kind = kind};
  t->layout = ts_sharding_with_partial(t->arena, t->layout, num, all);
}

static void apply(tracker *t, const ts_move *move) {
  if (move->kind == TS_STEP_MAKE_PARTIAL) {
    add_partial(t, &move->axes, move->reduction);
    if (move->joined >= 0)
      remove_axes(t, move->joined, move->axes.num);
    return;
  }
  if (move->kind == TS_STEP_EXCHANGE) { /* nothing is partial then */
    t->layout = t->problem->expanded_to;
    return;
  }
  if (move->reduction != TS_REDUCTION_NONE)
    remove_partial(t, &move->axes);
  if (move->joined >= 0)
    remove_axes(t, move->joined, move->axes.num);
  if (move->cut >= 0)
    append_axes(t, move->cut, &move->axes);
}

static void fill_step(tracker *t, const ts_move *move, ts_step *step) {
  const ts_problem *problem = t->problem;
  *step = (ts_step){.kind = move->kind,
                    .num_axes = move->axes.num,
                    .joined = move->joined < 0 ? -1 : problem->where[move->joined],
                    .cut = move->cut < 0 ? -1 : problem->where[move->cut],
                    .reduction = move->reduction,
                    .before = t->layout,
                    .rank = problem->rank,
                    .pieces = problem->pieces,
                    .bytes = move->bytes};
  for (int i = 0; i < move->axes.num; i++)
    step->axes[i] = move->axes.axes[i];
  apply(t, move);
  step->after = t->layout;
}

/* Partial axes of `from` that are more than one device each. */
static const ts_sharding *expanded_start(ts_arena *arena, const ts_problem *problem,
                                         const ts_sharding *from) {
  ts_partial partial[TS_MAX_AXES];
  int num = 0;
  for (int i = 0; i < from->num_partial; i++)
    if (from->grid->shape[from->partial[i].axis] != 1)
      partial[num++] = from->partial[i];
  return ts_sharding_with_partial(arena, problem->expanded_from, num, partial);
}

ts_plan ts_reshard_plan(ts_arena *arena, const ts_sharding *from, const ts_sharding *to) {
  ts_plan plan = {0};
  if (ts_sharding_equal(from, to))
    return plan;
  ts_problem problem;
  ts_moves moves;
  ts_problem_make(arena, from, to, TS_WITH_LAYOUTS, &problem);
  ts_choose_moves(&problem, &moves);
  ts_step *steps = TS_NEW(arena, ts_step, moves.num);
  tracker t = {arena, &problem, expanded_start(arena, &problem, from)};
  for (int i = 0; i < moves.num; i++)
    fill_step(&t, &moves.list[i], &steps[i]);
  plan.num_steps = moves.num;
  plan.steps = steps;
  return plan;
}

double ts_reshard_cost(ts_arena *arena, const ts_sharding *from, const ts_sharding *to) {
  if (ts_sharding_equal(from, to))
    return 0;
  ts_problem problem;
  ts_problem_make(arena, from, to, TS_NUMBERS_ONLY, &problem);
  if (problem.num == 0 && !problem.needs_exchange && !problem.complete)
    return 0;
  ts_moves moves;
  ts_choose_moves(&problem, &moves);
  double bytes = 0;
  for (int i = 0; i < moves.num; i++)
    bytes += moves.list[i].bytes;
  return bytes;
}
