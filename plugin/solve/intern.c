/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What outlives the turn of one op: descriptions, layouts and loop shardings move from scratch
 * memory to the model's, those that came before once only: programs repeat themselves, and what is
 * small stays in the caches. Knows shardings and loops, not ops. */
#include "model/model.h"

const ts_sharding *ts_keep(ts_model *model, const ts_sharding *layout) {
  for (int i = 0; i < TS_KEPT; ++i)
    if (model->kept[i] && ts_sharding_equal(model->kept[i], layout))
      return model->kept[i];
  const ts_sharding *copy = ts_sharding_copy(model->arena, layout);
  model->kept[model->next_kept] = copy;
  model->next_kept = (model->next_kept + 1) % TS_KEPT;
  return copy;
}

static bool same_loops(const ts_loop_sharding *a, const ts_loop_sharding *b) {
  if (!a || a->grid != b->grid || a->num_loops != b->num_loops)
    return false;
  for (int l = 0; l < a->num_loops; ++l)
    if (a->loops[l].offsets || !ts_dim_equal(&a->loops[l], &b->loops[l]))
      return false;
  return true;
}

const ts_loop_sharding *ts_keep_loops(ts_model *model, const ts_loop_sharding *known,
                                      const ts_loop_sharding *sharding) {
  if (same_loops(known, sharding))
    return known;
  if (same_loops(model->kept_loops, sharding))
    return model->kept_loops;
  ts_loop_sharding *kept = ts_arena_copy(model->arena, sharding, sizeof(*sharding));
  kept->loops = TS_NEW(model->arena, ts_dim, sharding->num_loops);
  for (int l = 0; l < sharding->num_loops; ++l)
    kept->loops[l] = ts_dim_copy(model->arena, sharding->grid, &sharding->loops[l]);
  return model->kept_loops = kept;
}

const ts_op_loops *ts_keep_description(ts_model *model, const ts_op_loops *loops) {
  for (int i = 0; i < TS_KEPT; ++i)
    if (model->descriptions[i] && ts_op_loops_equal(model->descriptions[i], loops))
      return model->descriptions[i];
  const ts_op_loops *copy = ts_op_loops_copy(model->arena, loops);
  model->descriptions[model->next_description] = copy;
  model->next_description = (model->next_description + 1) % TS_KEPT;
  return copy;
}
