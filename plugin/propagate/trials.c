/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What is tried, and what stays. It knows totals; it must not know how layouts are chosen. */
#include "propagate/trials.h"

#include "model/read.h"
#include "model/signature.h"
#include "propagate/dealt_loops.h"
#include "propagate/finer_grids.h"
#include "solve/borders.h"
#include "solve/improve.h"
#include "solve/partial.h"
#include "solve/rehearsal.h"
#include "solve/solve.h"
#include "solve/total.h"

/* One way to solve the module. */
typedef struct solution {
  bool prices_ranges, moves_borders, carries_less;
  ts_total total;
  bool holds_ranges; /* some op is as propagation had it because ranges had no price */
  bool may_move_borders;
  bool carries_partial; /* loops do */
} solution;

static bool holds_ranges(const ts_model *model) {
  for (int f = 0; f < model->num_functions; f++)
    for (int i = 0; i < model->order[f]->num_ops; i++)
      if (model->order[f]->is_active && ts_holds_ranges(model->order[f]->ops[i]))
        return true;
  return false;
}

static bool carries_partial(const ts_model *model) {
  for (int f = 0; f < model->num_functions; f++)
    if (model->order[f]->is_active && ts_carries_partial(model->order[f]))
      return true;
  return false;
}

static void set_ways(ts_model *model, const solution *s) {
  model->prices_ranges = s->prices_ranges;
  model->moves_borders = s->moves_borders;
  model->carries_less = s->carries_less;
}

static bool solve(ts_model *model, solution *s) {
  set_ways(model, s);
  if (!ts_model_solve(model))
    return false;
  s->holds_ranges = holds_ranges(model);
  s->carries_partial = carries_partial(model);
  s->may_move_borders = !s->moves_borders && ts_may_move_borders(model);
  for (int f = 0; f < model->num_functions; f++)
    if (model->order[f]->is_active)
      ts_demand(model, model->order[f]);
  s->total = ts_total_of(model);
  return true;
}

static bool solve_anew(MlirOperation module, solution *s) {
  ts_arena arena = {0};
  ts_model model;
  bool ok = ts_model_read(&model, &arena, module, TS_CALLS_BY_LAYOUT) && solve(&model, s);
  ts_arena_free(&model.scratch);
  ts_arena_free(&arena);
  return ok;
}

/* By more than this part of the bytes, for no more iterations than those bytes are worth. */
static bool is_better(const solution *s, const solution *than, double part) {
  double saved = than->total.bytes - s->total.bytes;
  return saved > part * than->total.bytes &&
         s->total.work <= than->total.work + saved / TS_BYTES_PER_ITERATION;
}

/* In pieces whose borders move, on the grid as it is now. */
static bool try_borders(MlirOperation module, bool prices_ranges, solution *best) {
  solution moved = {.prices_ranges = prices_ranges, .moves_borders = true};
  bool ok = solve_anew(module, &moved);
  if (ok && is_better(&moved, best, 0))
    *best = moved;
  return ok;
}

/* A finer grid, pieces whose borders move, or both. */
static bool try_pieces(ts_model *model, MlirOperation module, ts_grid_cuts *cuts, solution *best) {
  solution moved = *best, fine = {0};
  bool ok = !best->may_move_borders || try_borders(module, false, &moved);
  if (!ok || !cuts) {
    *best = moved;
    return ok;
  }
  ts_write_finer_grid(model, cuts);
  ok = solve_anew(module, &fine);
  bool is_finer = ok && is_better(&fine, best, 0);
  if (is_finer)
    *best = fine;
  if (ok && is_better(&moved, best, 0)) {
    *best = moved;
    is_finer = false;
  }
  if (!is_finer)
    ts_drop_finer_grid(cuts);
  return ok && (!is_finer || !best->may_move_borders || try_borders(module, false, best));
}

/* Layouts that people expect do not change for little. */
static bool try_ranges(MlirOperation module, solution *best) {
  const double least_part = 1.0 / 8;
  solution priced = {.prices_ranges = true, .moves_borders = best->moves_borders};
  bool ok = solve_anew(module, &priced);
  if (ok && is_better(&priced, best, least_part))
    *best = priced;
  return ok;
}

/* ---- loops that are dealt out ---------------------------------------------------------------- */

/* What is better in bytes or work and no worse in the other, or costs few iterations for the bytes
 * that it saves: an update behind the loop is computed by every device. */
static bool saves(const solution *s, const solution *than) {
  const double little = 1e-9;
  double saved = than->total.bytes - s->total.bytes, more = s->total.work - than->total.work;
  double least = than->total.bytes * little, same = than->total.work * little;
  return saved > least ? more <= same + saved / TS_BYTES_PER_ITERATION
                       : saved >= -least && more < -same;
}

static bool all_hold(ts_model *model, const ts_deal *const *deals, int num) {
  for (int i = 0; i < num; i++)
    if (!ts_deal_holds(model, deals[i]))
      return false;
  return true;
}

/* Deals out `num` loops that are not. They stay so, or none of them does. */
static bool try_together(MlirOperation module, const ts_deal *const *deals, int num,
                         solution *best) {
  ts_arena arena = {0};
  ts_model model;
  solution dealt = {.prices_ranges = best->prices_ranges, .moves_borders = best->moves_borders};
  for (int i = 0; i < num; i++)
    ts_write_deal(deals[i]);
  bool ok = ts_model_read(&model, &arena, module, TS_CALLS_BY_LAYOUT);
  ok = ok && solve(&model, &dealt);
  bool stay = ok && saves(&dealt, best) && all_hold(&model, deals, num);
  if (stay)
    *best = dealt;
  for (int i = 0; !stay && i < num; i++)
    ts_drop_deal(deals[i]);
  ts_arena_free(&model.scratch);
  ts_arena_free(&arena);
  return ok;
}

/* Deals out the first loop in its first way, and with it those inside, each in its first: tiles
 * have places of their own by all of them alone. */
static bool try_nest(MlirOperation module, const ts_deal *deals, int num, solution *best) {
  const ts_deal *together[TS_MOST_DEALS];
  int num_together = 0;
  for (int i = 0; i < num; i++) {
    bool is_first = i == 0 || !mlirOperationEqual(deals[i].loop, deals[i - 1].loop);
    if (i > 0 && !ts_is_inside(deals[i].loop, deals[0].loop))
      break;
    if (is_first)
      together[num_together++] = &deals[i];
  }
  return num_together < 2 || try_together(module, together, num_together, best);
}

static bool try_deal(MlirOperation module, const ts_deal *deals, int num, solution *best) {
  const ts_deal *alone = &deals[0];
  if (ts_is_dealt(alone->loop))
    return true;
  bool ok = try_nest(module, deals, num, best);
  return ok && (ts_is_dealt(alone->loop) || try_together(module, &alone, 1, best));
}

/* One loop after the other, in program order, along the axes that a solution without them has. */
static bool try_deals(MlirOperation module, solution *best) {
  ts_arena arena = {0}, found = {0};
  ts_model model;
  const ts_deal *deals = NULL;
  bool ok = ts_model_read(&model, &arena, module, TS_CALLS_BY_LAYOUT) && solve(&model, best);
  int num = ok ? ts_find_deals(&found, &model, &deals) : 0;
  ts_arena_free(&model.scratch);
  ts_arena_free(&arena);
  for (int i = 0; ok && i < num; i++)
    ok = try_deal(module, &deals[i], num - i, best);
  ts_arena_free(&found);
  return ok;
}

/* ---- loops that carry less ------------------------------------------------------------------- */

static bool try_carrying_less(MlirOperation module, solution *best) {
  solution less = *best;
  less.carries_less = true;
  bool ok = solve_anew(module, &less);
  if (ok && is_better(&less, best, 0))
    *best = less;
  return ok;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool moves_data(const ts_op *op) {
  return op->kind == TS_OP_RULE && op->rule->does == TS_MOVES_DATA;
}

static bool has_ties(const ts_op *op) {
  return op->ties;
}

/* Whether an op that is to be laid out is so. */
static bool some_new_op(const ts_model *model, bool (*is_so)(const ts_op *op)) {
  for (int f = 0; f < model->num_functions; f++) {
    const ts_function *function = model->order[f];
    bool is_new = function->is_active && !ts_is_propagated(function->handle);
    for (int i = 0; is_new && i < function->num_ops; i++)
      if (is_so(function->ops[i]))
        return true;
  }
  return false;
}

/* Whether there is anything to try: ops that may hold ranges once layouts are known, dimensions
 * that follow several loops, and loops that may carry values. */
static bool has_choices(const ts_model *model) {
  return some_new_op(model, moves_data) || some_new_op(model, ts_reshapes) ||
         some_new_op(model, has_ties);
}

bool ts_try_solutions(ts_model *model, ts_arena *arena, MlirOperation module, bool refines) {
  ts_grid_cuts cuts = {0};
  bool cuts_grid = refines && ts_find_cuts(model, &cuts);
  bool deals = ts_may_deal(model);
  if (!cuts_grid && !deals && !has_choices(model))
    return true;
  solution best = {0};
  bool ok = solve(model, &best);
  if (ok && best.total.bytes > 0)
    ok = try_pieces(model, module, cuts_grid ? &cuts : NULL, &best);
  bool holds_ranges = best.holds_ranges;
  if (ok && holds_ranges && best.total.bytes > 0)
    ok = try_ranges(module, &best);
  if (ok && holds_ranges && best.may_move_borders && best.total.bytes > 0)
    ok = try_borders(module, true, &best);
  if (ok && deals)
    ok = try_deals(module, &best);
  if (ok && best.carries_partial && best.total.bytes > 0)
    ok = try_carrying_less(module, &best);
  ts_arena_reset(arena);
  ok = ok && ts_model_read(model, arena, module, TS_CALLS_BY_LAYOUT);
  set_ways(model, &best);
  return ok;
}
