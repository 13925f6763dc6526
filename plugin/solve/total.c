/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The sum of what is paid for all values of a solved model: for the pieces that are asked for, so
 * that moves behind each other count as the one that they become. It knows asks and prices; it must
 * not know what ops compute. */
#include "solve/total.h"

#include "reshard/reshard.h"
#include "solve/demand.h"
#include "solve/price.h"
#include "solve/summary.h"
#include "solve/views.h"
#include "solve/walk.h"

typedef struct pieces {
  int num;
  const ts_sharding **layouts; /* room for all that there can be */
} pieces;

static void add_piece(pieces *all, const ts_sharding *layout) {
  for (int i = 0; i < all->num; i++)
    if (ts_sharding_equal(all->layouts[i], layout))
      return;
  all->layouts[all->num++] = layout;
}

/* Elements that are received for a piece, from the nearest one that is there. */
static double cost_of_piece(ts_arena *arena, const pieces *there, const ts_sharding *layout) {
  double least = ts_reshard_cost(arena, there->layouts[0], layout);
  for (int i = 1; i < there->num && least > 0; i++) {
    double cost = ts_reshard_cost(arena, there->layouts[i], layout);
    least = cost < least ? cost : least;
  }
  return least;
}

/* The same for all ranges together, of what devices have at first; where that cannot be said, of
 * the pieces that they are nearest to. */
static double cost_of_ranges(ts_arena *arena, const ts_sharding *held, const pieces *ranges) {
  double lacking = ranges->num == 0 || held->num_partial
                       ? -1
                       : ts_sharding_lacking_each(arena, held, ranges->num, ranges->layouts);
  double sum = 0;
  for (int i = 0; lacking < 0 && i < ranges->num; i++)
    sum += ts_reshard_cost(arena, held, ts_sharding_balanced(arena, ranges->layouts[i]));
  return lacking < 0 ? sum : lacking;
}

/* How an op makes the value; NULL if nothing says that. */
static const ts_sharding *made_as(const ts_value *value) {
  const ts_op *op = value->definition;
  for (int r = 0; op && (op->kind == TS_OP_RULE || op->kind == TS_OP_WHOLE) && r < op->num_results;
       r++)
    if (op->results[r] == value)
      return op->natural[r];
  return NULL;
}

/* A view's op is run for each piece that it can make. */
static bool is_made(ts_model *model, const ts_value *value, const ts_sharding *layout) {
  return value->is_view && ts_view_loops(model, value->definition, layout);
}

static void add_value(ts_model *model, ts_value *value, ts_total *total) {
  ts_arena *scratch = &model->scratch;
  if (!value || value->is_free || value->is_asked_through || ts_free_source(value))
    return;
  ts_arena_reset(scratch);
  const ts_sharding *made = made_as(value);
  bool stays = made && (value->is_view || ts_sharding_has_ranges(made));
  pieces there = {1, TS_NEW(scratch, const ts_sharding *, value->num_asks + 1)};
  pieces ranges = {0, TS_NEW(scratch, const ts_sharding *, value->num_asks)};
  there.layouts[0] = stays ? made : value->layout;
  double once = made && !stays ? ts_reshard_cost(scratch, made, value->layout) : 0, each = 0;
  for (int i = 0; i < value->num_asks; i++) {
    const ts_sharding *layout = ts_demanded(model, value, value->asks[i]);
    if (is_made(model, value, layout) || ts_sharding_equal(layout, there.layouts[0]))
      continue;
    if (ts_sharding_has_ranges(layout)) {
      add_piece(&ranges, layout);
      continue;
    }
    each += cost_of_piece(scratch, &there, layout);
    add_piece(&there, layout);
  }
  each += cost_of_ranges(scratch, there.layouts[0], &ranges);
  double weight = value->definition ? value->definition->weight : 1;
  total->bytes += (weight * once + ts_weight_of_uses(value) * each) * ts_bytes_of_element(value);
}

static const ts_total *total_of_callee(ts_model *model, ts_map *known, const ts_summary *summary);

static void add_function(ts_model *model, ts_map *known, const ts_function *function,
                         ts_total *total) {
  for (int i = 0; i < function->num_arguments; i++)
    add_value(model, function->arguments[i], total);
  for (int i = 0; i < function->num_ops; i++) {
    const ts_op *op = function->ops[i];
    for (int r = 0; r < op->num_results; r++)
      add_value(model, op->results[r], total);
    if (op->kind == TS_OP_RULE)
      total->work += op->weight * ts_walk_work_of(op, op->sharding);
    if (op->kind == TS_OP_CALL && op->summary) {
      const ts_total *once = total_of_callee(model, known, op->summary);
      total->bytes += op->weight * once->bytes;
      total->work += op->weight * once->work;
    }
  }
}

/* Of all calls that share the solution found once. */
static const ts_total *total_of_callee(ts_model *model, ts_map *known, const ts_summary *summary) {
  ts_total *total = ts_map_get(known, summary);
  if (total)
    return total;
  total = TS_NEW(model->arena, ts_total, 1);
  add_function(model, known, &summary->function, total);
  ts_map_set(known, model->arena, summary, total);
  return total;
}

ts_total ts_total_of(ts_model *model) {
  ts_total total = {0};
  ts_map known = {0};
  for (int f = 0; f < model->num_functions; f++)
    if (model->order[f]->is_active) {
      ts_demand(model, model->order[f]);
      add_function(model, &known, model->order[f], &total);
    }
  ts_arena_free(&model->scratch);
  return total;
}
