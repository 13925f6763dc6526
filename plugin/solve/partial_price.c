/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
#include "solve/partial_price.h"

#include "solve/price.h"

double ts_bytes_to_complete(ts_model *model, const ts_value *value, double weight,
                            const ts_sharding *natural, ts_partiality s) {
  const ts_sharding *from = ts_add_partial(&model->scratch, natural, s.axes, s.kind);
  const ts_sharding *to =
      value->is_fixed ? value->layout : ts_completed(&model->scratch, value->layout);
  return weight * ts_bytes_moved(&model->scratch, value, from, to);
}

/* Another use asks for the value as `layout`, too; so may one of many. */
static bool is_asked_elsewhere(const ts_value *value, const ts_op *op, const ts_sharding *layout) {
  const int most_users = 12;
  if (value->num_users > most_users)
    return true;
  for (int u = 0; u < value->num_users; u++) {
    const ts_op *user = value->users[u];
    for (int i = 0; user != op && user->kind == TS_OP_RULE && i < user->num_operands; i++)
      if (user->operands[i] == value && ts_sharding_equal(user->required[i], layout))
        return true;
  }
  return false;
}

double ts_bytes_spared(ts_model *model, const ts_op *op, const ts_passage *p) {
  ts_arena *scratch = &model->scratch;
  double bytes = 0;
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++) {
    const ts_value *value = p->once >> i & 1 ? op->operands[i] : NULL;
    if (!value || value->is_free || value->layout->num_partial ||
        (ts_sharding_split_axes(op->required[i]) & p->what.axes) ||
        ts_sharding_equal(value->layout, op->required[i]) ||
        is_asked_elsewhere(value, op, op->required[i]))
      continue;
    const ts_sharding *once = ts_add_partial(scratch, op->required[i], p->what.axes, p->what.kind);
    bytes += op->weight * (ts_bytes_moved(scratch, value, value->layout, op->required[i]) -
                           ts_bytes_moved(scratch, value, value->layout, once));
  }
  return bytes;
}
