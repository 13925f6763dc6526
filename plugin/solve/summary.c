/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Functions without annotations, solved for the layouts that calls pass: each a model of its own,
 * so that one function may be there several times. It knows functions and layouts; it must not know
 * what becomes of the calls. */
#include "solve/summary.h"

#include "model/read_function.h"
#include "solve/rehearsal.h"

/* ---- what is asked for ----------------------------------------------------------------------- */

/* The plain form of what `value` has: halos and offsets are the caller's. */
static const ts_sharding *plain_layout(ts_model *model, const ts_grid *grid,
                                       const ts_value *value) {
  ts_arena *arena = model->arena;
  if (!value)
    return NULL;
  if (value->is_free || value->layout->grid != grid)
    return ts_sharding_replicated(arena, grid, value->rank, value->shape);
  const ts_sharding *layout = ts_sharding_balanced(arena, value->layout);
  return layout->num_partial ? ts_sharding_with_partial(arena, layout, 0, NULL) : layout;
}

static const ts_sharding **asked_by(ts_model *model, const ts_grid *grid, const ts_op *op) {
  const ts_sharding **asked =
      TS_NEW(model->arena, const ts_sharding *, op->num_operands + op->num_results);
  for (int i = 0; i < op->num_operands; i++)
    asked[i] = plain_layout(model, grid, op->operands[i]);
  for (int r = 0; r < op->num_results; r++)
    asked[op->num_operands + r] = plain_layout(model, grid, op->results[r]);
  return asked;
}

static bool answers(const ts_summary *summary, const ts_grid *grid,
                    const ts_sharding *const *asked) {
  int num = summary->function.num_arguments + summary->function.num_results;
  bool same = summary->grid == grid;
  for (int i = 0; same && i < num; i++)
    same = !asked[i] || ts_sharding_equal(asked[i], summary->asked[i]);
  return same;
}

/* ---- solving --------------------------------------------------------------------------------- */

/* The function with values of its own, which have the layouts that are asked for. */
static bool read_callee(ts_model *model, ts_summary *summary) {
  ts_function *function = &summary->function;
  summary->model = *model;
  summary->model.values = summary->model.calls = (ts_map){0};
  summary->model.scratch = (ts_arena){0};
  summary->model.interned = (ts_interned){.arena = model->arena};
  summary->model.notes = NULL;
  summary->model.num_notes = summary->model.max_notes = 0;
  *function = *summary->callee;
  function->grid = summary->grid;
  function->is_active = true;
  function->is_solved_for_calls = true;
  function->calls = function->references = (ts_op_list){0};
  ts_declare_function(&summary->model, function);
  for (int i = 0; i < function->num_arguments; i++)
    if (function->arguments[i])
      function->arguments[i]->layout = summary->asked[i];
  for (int r = 0; r < function->num_results; r++)
    if (function->results[r])
      function->results[r]->layout = summary->asked[function->num_arguments + r];
  return ts_read_function(&summary->model, function);
}

/* The layout in which all that is read of `argument` is asked for; what it has if there are
 * several. Then a caller that has it so, or can make it so once for many calls, passes it so. */
static const ts_sharding *wanted(ts_model *model, const ts_grid *grid, const ts_value *argument) {
  const ts_sharding *common = NULL;
  if (argument->is_captured)
    common = ts_sharding_replicated(model->arena, grid, argument->rank, argument->shape);
  for (int i = 0; i < argument->num_asks; i++) {
    const ts_sharding *layout = argument->asks[i].layout;
    if (common && !ts_sharding_equal(common, layout))
      return argument->layout;
    common = layout;
  }
  bool fits = common && !common->num_partial &&
              ts_sharding_equal(common, ts_sharding_balanced(model->arena, common));
  return fits ? common : argument->layout;
}

static void read_solution(ts_model *model, ts_summary *summary) {
  const ts_function *function = &summary->function;
  int num = function->num_arguments;
  summary->grown = TS_NEW(model->arena, const ts_sharding *, 2 * num + function->num_results);
  summary->taken = summary->grown + num;
  summary->results = summary->taken + num;
  summary->is_whole = true;
  for (int i = 0; i < num; i++) {
    if (!function->arguments[i])
      continue;
    summary->grown[i] = function->arguments[i]->layout;
    summary->taken[i] = wanted(model, summary->grid, function->arguments[i]);
    summary->is_whole &= !ts_sharding_split_axes(summary->taken[i]);
  }
  for (int r = 0; r < function->num_results; r++) {
    if (!function->results[r])
      continue;
    summary->results[r] = function->results[r]->layout;
    summary->is_whole &= !ts_sharding_split_axes(summary->results[r]);
  }
}

ts_summary *ts_summary_of_call(ts_model *model, const ts_grid *grid, const ts_op *op) {
  const ts_sharding **asked = asked_by(model, grid, op);
  ts_summary *first = ts_map_get(model->summaries, op->callee);
  for (ts_summary *known = first; known; known = known->next)
    if (answers(known, grid, asked))
      return known->failed ? NULL : known;
  ts_summary *summary = TS_NEW(model->arena, ts_summary, 1);
  *summary = (ts_summary){.callee = op->callee, .grid = grid, .asked = asked, .next = first};
  ts_map_set(model->summaries, model->arena, op->callee, summary);
  summary->failed =
      !read_callee(model, summary) || !model->solve_function(&summary->model, &summary->function);
  if (!summary->failed)
    ts_demand(&summary->model, &summary->function);
  ts_arena_free(&summary->model.scratch);
  if (summary->failed)
    return NULL;
  read_solution(model, summary);
  return summary;
}
