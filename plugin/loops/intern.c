/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Keeping one of what is equal, as far as that is found cheaply. It knows shardings and loops; it
 * must not know ops. */
#include "loops/intern.h"

const ts_sharding *ts_intern_layout(ts_interned *interned, const ts_sharding *layout) {
  for (int i = 0; i < TS_KEPT; i++)
    if (interned->layouts[i] && ts_sharding_equal(interned->layouts[i], layout))
      return interned->layouts[i];
  const ts_sharding *copy = ts_sharding_copy(interned->arena, layout);
  interned->layouts[interned->next_layout] = copy;
  interned->next_layout = (interned->next_layout + 1) % TS_KEPT;
  return copy;
}

static bool same_loops(const ts_loop_sharding *a, const ts_loop_sharding *b) {
  if (!a || a->grid != b->grid || a->num_loops != b->num_loops)
    return false;
  for (int l = 0; l < a->num_loops; l++)
    if (a->loops[l].offsets || !ts_dim_equal(&a->loops[l], &b->loops[l]))
      return false;
  return true;
}

const ts_loop_sharding *ts_intern_loops(ts_interned *interned, const ts_loop_sharding *known,
                                        const ts_loop_sharding *sharding) {
  if (same_loops(known, sharding))
    return known;
  if (same_loops(interned->loops, sharding))
    return interned->loops;
  ts_loop_sharding *kept = ts_arena_copy(interned->arena, sharding, sizeof(*sharding));
  kept->loops = TS_NEW(interned->arena, ts_dim, sharding->num_loops);
  for (int l = 0; l < sharding->num_loops; l++)
    kept->loops[l] = ts_dim_copy(interned->arena, sharding->grid, &sharding->loops[l]);
  return interned->loops = kept;
}

const ts_op_loops *ts_intern_description(ts_interned *interned, const ts_op_loops *loops) {
  for (int i = 0; i < TS_KEPT; i++)
    if (interned->descriptions[i] && ts_op_loops_equal(interned->descriptions[i], loops))
      return interned->descriptions[i];
  const ts_op_loops *copy = ts_op_loops_copy(interned->arena, loops);
  interned->descriptions[interned->next_description] = copy;
  interned->next_description = (interned->next_description + 1) % TS_KEPT;
  return copy;
}
