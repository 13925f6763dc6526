/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The sum of what all values and ops of a solved model cost. It knows prices; it must not know what
 * ops compute. */
#include "solve/total.h"

#include "solve/price.h"
#include "solve/walk.h"

static void add_value(ts_prices *prices, const ts_value *value, ts_total *total) {
  if (!value || value->is_free || ts_free_source((ts_value *)value))
    return;
  ts_arena_reset(&prices->model->scratch);
  total->price += ts_price_of_value(prices, value, ts_price_layout(prices, value->layout));
}

static void add_function(ts_prices *prices, const ts_function *function, ts_total *total) {
  for (int i = 0; i < function->num_arguments; i++)
    add_value(prices, function->arguments[i], total);
  for (int i = 0; i < function->num_ops; i++) {
    const ts_op *op = function->ops[i];
    for (int r = 0; r < op->num_results; r++)
      add_value(prices, op->results[r], total);
    if (op->kind == TS_OP_RULE)
      total->work += op->weight * ts_walk_work_of(op, op->sharding);
  }
}

ts_total ts_total_of(ts_model *model) {
  ts_total total = {0};
  ts_prices prices = {.model = model};
  for (int f = 0; f < model->num_functions; f++)
    if (model->order[f]->is_active)
      add_function(&prices, model->order[f], &total);
  ts_arena_free(&model->scratch);
  return total;
}
