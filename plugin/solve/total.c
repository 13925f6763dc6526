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

/* What is paid so far. */
typedef struct sum {
  ts_total total;    /* but for ranges */
  int64_t num;       /* of devices; 0 as long as there are no ranges */
  double *by_device; /* bytes of ranges, of which one device may lack others than another */
} sum;

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

static void grow(ts_arena *arena, sum *sum, int64_t num) {
  if (num <= sum->num)
    return;
  double *larger = TS_NEW(arena, double, num);
  for (int64_t i = 0; i < sum->num; i++)
    larger[i] = sum->by_device[i];
  sum->num = num;
  sum->by_device = larger;
}

/* Adds what is received for ranges, of what devices have at first; where that cannot be said, for
 * the pieces that they are nearest to. */
static void add_ranges(ts_model *model, const ts_sharding *held, const pieces *ranges, double times,
                       sum *sum) {
  ts_arena *scratch = &model->scratch;
  if (ranges->num == 0)
    return;
  if (!held->num_partial && ts_grid_devices(held->grid) != TS_DYNAMIC) {
    grow(model->arena, sum, ts_devices_looked_at(held->grid));
    if (ts_sharding_add_lacking(scratch, held, ranges->num, ranges->layouts, times, sum->by_device))
      return;
  }
  for (int i = 0; i < ranges->num; i++)
    sum->total.bytes +=
        times * ts_reshard_cost(scratch, held, ts_sharding_balanced(scratch, ranges->layouts[i]));
}

/* How an op makes the value; NULL if nothing says that. */
static const ts_sharding *made_as(const ts_value *value) {
  const ts_op *op = value->definition;
  bool makes = op && (op->kind == TS_OP_RULE || op->kind == TS_OP_WHOLE || ts_is_dealt_sum(value));
  return makes ? ts_natural_layout(value) : NULL;
}

/* A view's op is run for each piece that it can make. */
static bool is_made(ts_model *model, const ts_value *value, const ts_sharding *layout) {
  return value->is_view && ts_view_loops(model->arena, value->definition, layout);
}

static void add_value(ts_model *model, ts_value *value, sum *sum) {
  ts_arena *scratch = &model->scratch;
  if (!value || value->is_free || value->is_asked_through || ts_free_source(value))
    return;
  ts_arena_reset(scratch);
  const ts_sharding *made = made_as(value);
  bool stays = made && (value->is_view || ts_sharding_has_ranges(made));
  pieces there = {1, TS_NEW(scratch, const ts_sharding *, value->num_asks + 1)};
  pieces ranges[2] = {{0, TS_NEW(scratch, const ts_sharding *, value->num_asks)},
                      {0, TS_NEW(scratch, const ts_sharding *, value->num_asks)}};
  double element = ts_bytes_of_element(value);
  double weight = value->definition ? value->definition->weight : 1;
  double times[2] = {weight, ts_weight_of_uses(value)}; /* behind a loop, and in its trips */
  there.layouts[0] = stays ? made : value->layout;
  double once = made && !stays ? ts_reshard_cost(scratch, made, value->layout) : 0, each = 0;
  for (int i = 0; i < value->num_asks; i++) {
    const ts_sharding *layout = ts_demanded(model, value, value->asks[i]);
    if (is_made(model, value, layout) || ts_sharding_equal(layout, there.layouts[0]))
      continue;
    if (ts_sharding_has_ranges(layout)) {
      add_piece(&ranges[value->asks[i].is_in_trips], layout);
      continue;
    }
    each += times[value->asks[i].is_in_trips] * cost_of_piece(scratch, &there, layout);
    add_piece(&there, layout);
  }
  sum->total.bytes += element * (weight * once + each);
  for (int i = 0; i < 2; i++)
    add_ranges(model, there.layouts[0], &ranges[i], times[i] * element, sum);
}

static const sum *sum_of_callee(ts_model *model, ts_map *known, const ts_summary *summary);

static void add_times(ts_arena *arena, const sum *once, double times, sum *sum) {
  sum->total.bytes += times * once->total.bytes;
  sum->total.work += times * once->total.work;
  grow(arena, sum, once->num);
  for (int64_t i = 0; i < once->num; i++)
    sum->by_device[i] += times * once->by_device[i];
}

static void add_each(ts_model *model, ts_value **values, int num, ts_map *added, sum *sum) {
  for (int i = 0; i < num; i++)
    if (values[i] && !ts_map_get(added, values[i])) {
      ts_map_set(added, model->arena, values[i], values[i]);
      add_value(model, values[i], sum);
    }
}

/* Arguments of blocks are nothing's results. */
static void add_values(ts_model *model, const ts_function *function, sum *sum) {
  ts_map added = {0};
  add_each(model, function->arguments, function->num_arguments, &added, sum);
  for (int i = 0; i < function->num_ops; i++) {
    const ts_op *op = function->ops[i];
    add_each(model, op->operands, op->num_operands, &added, sum);
    add_each(model, op->results, op->num_results, &added, sum);
  }
}

double ts_bytes_of_function(ts_model *model, const ts_function *function) {
  sum all = {0};
  add_values(model, function, &all);
  return all.total.bytes + ts_largest(all.num, all.by_device);
}

static void add_function(ts_model *model, ts_map *known, const ts_function *function, sum *sum) {
  add_values(model, function, sum);
  for (int i = 0; i < function->num_ops; i++) {
    const ts_op *op = function->ops[i];
    if (op->kind == TS_OP_RULE)
      sum->total.work += op->weight * ts_walk_work_of(op, op->sharding);
    if (op->kind == TS_OP_CALL && op->summary)
      add_times(model->arena, sum_of_callee(model, known, op->summary), op->weight, sum);
  }
}

/* Of all calls that share the solution found once. */
static const sum *sum_of_callee(ts_model *model, ts_map *known, const ts_summary *summary) {
  sum *once = ts_map_get(known, summary);
  if (once)
    return once;
  once = TS_NEW(model->arena, sum, 1);
  add_function(model, known, &summary->function, once);
  ts_map_set(known, model->arena, summary, once);
  return once;
}

ts_total ts_total_of(ts_model *model) {
  sum all = {0};
  ts_map known = {0};
  for (int f = 0; f < model->num_functions; f++)
    if (model->order[f]->is_active)
      add_function(model, &known, model->order[f], &all);
  ts_arena_free(&model->scratch);
  all.total.bytes += ts_largest(all.num, all.by_device);
  return all.total;
}
