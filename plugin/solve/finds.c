/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
#include "solve/finds.h"

#include "solve/price.h"

/* Of how many other devices each receives what they found along loop `l`, for so many places of the
 * loop that a piece of the results has. */
static double others_along(const ts_op *op, const ts_loop_sharding *sharding, int l,
                           double *places) {
  const ts_loop *loop = &op->loops->loops[l];
  *places = 1;
  if (loop->kind != TS_LOOP_CHOICE && loop->kind != TS_LOOP_SCAN)
    return 0;
  double shards = (double)ts_dim_shards(sharding->grid, &sharding->loops[l]);
  if (loop->kind == TS_LOOP_SCAN && (double)loop->size > shards)
    *places = (double)loop->size / shards;
  return shards - 1;
}

/* Of an op that gives one element of a split tensor: all receive it, each time. Where it is asked
 * for more often than the tensor is made, each of these messages is one for which there could be
 * none. */
static double bytes_of_element(const ts_op *op, const ts_loop_sharding *sharding) {
  double shards = 1;
  for (int l = 0; l < sharding->num_loops; l++) {
    int64_t own = op->loops->loops[l].kind == TS_LOOP_LOOKUP
                      ? ts_dim_shards(sharding->grid, &sharding->loops[l])
                      : 1;
    shards *= own == TS_DYNAMIC ? 2 : (double)own;
  }
  if (shards <= 1 || op->num_results != 1 || op->results[0])
    return 0;
  const ts_value *tensor = op->operands[0];
  double more = op->weight > 0 ? 1 - ts_times_brought(op, tensor) / op->weight : 0;
  return 2 * (1 - 1 / shards) * ts_bytes_of_element(tensor) + more * TS_BYTES_OF_MESSAGE;
}

double ts_bytes_of_finds(ts_arena *arena, const ts_op *op, const ts_loop_sharding *sharding) {
  double bytes = bytes_of_element(op, sharding), places;
  for (int l = 0; l < sharding->num_loops; l++) {
    double others = others_along(op, sharding, l, &places);
    for (int r = 0; others > 0 && r < op->num_results; r++) {
      const ts_value *value = op->results[r];
      if (!value)
        continue;
      int each = op->loops->loops[l].number_of == r + 1 ? 2 : 1;
      const ts_sharding *flow =
          ts_loops_project(arena, op->loops, sharding, &op->loops->results[r], value->shape);
      bytes +=
          each * others * ts_sharding_local_elements(flow) / places * ts_bytes_of_element(value);
    }
  }
  return bytes;
}
