/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Uses ask from the last op to the first, so that an op is looked at before those ahead of it have
 * asked for the rows that it would take: of a difference of products of fields, the rows of the
 * fields are there for their own differences. It knows asks and totals; it must not know what ops
 * compute. */
#include "solve/rehearsal.h"

#include "solve/demand.h"
#include "solve/total.h"

/* Bytes: less is no gain. */
static const double least_gain = 0.5;

/* An op before it is asked for anything. */
typedef struct saved {
  const ts_loop_sharding *sharding;
  const ts_sharding **required, **natural;
} saved;

static const ts_sharding **copy_layouts(ts_arena *arena, const ts_sharding **layouts, int num) {
  return layouts ? ts_arena_copy(arena, layouts, sizeof(*layouts) * (size_t)num) : NULL;
}

static saved *save(ts_arena *arena, const ts_function *function) {
  saved *all = TS_NEW(arena, saved, function->num_ops);
  for (int i = 0; i < function->num_ops; i++) {
    const ts_op *op = function->ops[i];
    all[i] = (saved){op->sharding, copy_layouts(arena, op->required, op->num_operands),
                     copy_layouts(arena, op->natural, op->num_results)};
  }
  return all;
}

static void each_of(ts_value **values, int num, void (*change)(ts_value *value)) {
  for (int i = 0; values && i < num; i++)
    if (values[i])
      change(values[i]);
}

/* All that can be asked for, some more than once: arguments of blocks are nothing's results. */
static void each_value(ts_function *function, void (*change)(ts_value *value)) {
  each_of(function->arguments, function->num_arguments, change);
  for (int i = 0; i < function->num_ops; i++) {
    const ts_op *op = function->ops[i];
    each_of(op->results, op->num_results, change);
    each_of(op->operands, op->num_operands, change);
  }
}

static void forget_asks(ts_value *value) {
  value->asks = value->unions = NULL;
  value->num_asks = value->max_asks = value->num_unions = 0;
  value->is_view = value->could_be_view = value->is_asked_through = false;
}

static void restore(ts_function *function, const saved *all) {
  each_value(function, forget_asks);
  for (int i = 0; i < function->num_ops; i++) {
    ts_op *op = function->ops[i];
    op->sharding = all[i].sharding;
    for (int k = 0; op->required && k < op->num_operands; k++)
      op->required[k] = all[i].required[k];
    for (int r = 0; op->natural && r < op->num_results; r++)
      op->natural[r] = all[i].natural[r];
  }
}

static void expect_asks(ts_value *value) {
  value->expected = value->asks;
  value->num_expected = value->num_asks;
}

static void expect_nothing(ts_value *value) {
  value->expected = NULL;
  value->num_expected = 0;
}

static bool some_could_be_views(const ts_function *function) {
  for (int i = 0; i < function->num_ops; i++)
    for (int r = 0; r < function->ops[i]->num_results; r++)
      if (function->ops[i]->results[r] && function->ops[i]->results[r]->could_be_view)
        return true;
  return false;
}

void ts_demand(ts_model *model, ts_function *function) {
  const saved *before = save(model->arena, function);
  ts_demand_once(model, function);
  if (!some_could_be_views(function))
    return;
  double bytes = ts_bytes_of_function(model, function);
  each_value(function, expect_asks);
  restore(function, before);
  model->hopes = true;
  ts_demand_once(model, function);
  model->hopes = false;
  bool is_better = ts_bytes_of_function(model, function) < bytes - least_gain;
  each_value(function, expect_nothing);
  if (is_better)
    return;
  restore(function, before);
  ts_demand_once(model, function);
}
