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

/* What asking changes of an op, and of a value. */
typedef struct saved {
  const ts_loop_sharding *sharding;
  const ts_sharding **required, **natural;
} saved;

typedef struct answer {
  ts_value *value;
  ts_ask *asks, *unions;
  int num_asks, max_asks, num_unions;
  bool is_view, could_be_view, is_asked_through;
} answer;

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

/* ---- values ---------------------------------------------------------------------------------- */

static void add_values(ts_value **values, int num, answer *all, int *num_all) {
  for (int i = 0; values && i < num; i++)
    if (values[i])
      all[(*num_all)++].value = values[i];
}

/* All that can be asked for, some more than once: arguments of blocks are nothing's results. */
static answer *list_values(ts_arena *arena, const ts_function *function, int *num) {
  int most = function->num_arguments;
  for (int i = 0; i < function->num_ops; i++)
    most += function->ops[i]->num_results + function->ops[i]->num_operands;
  answer *all = TS_NEW(arena, answer, most);
  add_values(function->arguments, function->num_arguments, all, num);
  for (int i = 0; i < function->num_ops; i++) {
    const ts_op *op = function->ops[i];
    add_values(op->results, op->num_results, all, num);
    add_values(op->operands, op->num_operands, all, num);
  }
  return all;
}

static answer answer_of(ts_value *value) {
  return (answer){.value = value,
                  .asks = value->asks,
                  .unions = value->unions,
                  .num_asks = value->num_asks,
                  .max_asks = value->max_asks,
                  .num_unions = value->num_unions,
                  .is_view = value->is_view,
                  .could_be_view = value->could_be_view,
                  .is_asked_through = value->is_asked_through};
}

static void give(const answer *a) {
  ts_value *value = a->value;
  value->asks = a->asks;
  value->unions = a->unions;
  value->num_asks = a->num_asks;
  value->max_asks = a->max_asks;
  value->num_unions = a->num_unions;
  value->is_view = a->is_view;
  value->could_be_view = a->could_be_view;
  value->is_asked_through = a->is_asked_through;
}

/* Keeps what each value is asked for, and expects it. */
static void expect(answer *all, int num) {
  for (int i = 0; i < num; i++) {
    ts_value *value = all[i].value;
    all[i] = answer_of(value);
    value->expected = value->asks;
    value->num_expected = value->num_asks;
  }
}

static void expect_nothing(const answer *all, int num) {
  for (int i = 0; i < num; i++) {
    all[i].value->expected = NULL;
    all[i].value->num_expected = 0;
  }
}

/* ---- asking again ---------------------------------------------------------------------------- */

static void restore(ts_function *function, const saved *all) {
  for (int i = 0; i < function->num_ops; i++) {
    ts_op *op = function->ops[i];
    op->sharding = all[i].sharding;
    for (int k = 0; op->required && k < op->num_operands; k++)
      op->required[k] = all[i].required[k];
    for (int r = 0; op->natural && r < op->num_results; r++)
      op->natural[r] = all[i].natural[r];
  }
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
  int num = 0;
  answer *first = list_values(model->arena, function, &num);
  const saved *behind = save(model->arena, function);
  expect(first, num);
  restore(function, before);
  for (int i = 0; i < num; i++)
    give(&(answer){.value = first[i].value});
  model->hopes = true;
  ts_demand_once(model, function);
  model->hopes = false;
  bool is_better = ts_bytes_of_function(model, function) < bytes - least_gain;
  expect_nothing(first, num);
  if (is_better)
    return;
  restore(function, behind);
  for (int i = 0; i < num; i++)
    give(&first[i]);
}
