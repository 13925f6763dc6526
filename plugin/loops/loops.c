/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* From the sharding of an op's loops to the layouts of its operands and results. Knows loops and
 * factors, not MLIR. */
#include "loops/loops.h"

static ts_dim project_dim(ts_arena *arena, const ts_loop_sharding *loops, const ts_dim_loops *dim,
                          int64_t extent) {
  const ts_dim **parts = TS_NEW(arena, const ts_dim *, dim->num_loops);
  bool split = false;
  for (int i = 0; i < dim->num_loops; ++i) {
    parts[i] = &loops->loops[dim->loops[i]];
    split |= ts_dim_is_split(parts[i]);
  }
  if (!split)
    return ts_dim_plain(arena, extent, 0, NULL);
  ts_dim joined = ts_dim_join(arena, loops->grid, dim->num_loops, parts);
  return ts_dim_sized(arena, &joined, extent);
}

const ts_sharding *ts_loops_project(ts_arena *arena, const ts_loop_sharding *loops,
                                    const ts_port *port, const int64_t *shape) {
  ts_sharding *sharding = TS_NEW(arena, ts_sharding, 1);
  ts_dim *dims = TS_NEW(arena, ts_dim, port->rank);
  for (int d = 0; d < port->rank; ++d)
    dims[d] = project_dim(arena, loops, &port->dims[d], shape[d]);
  *sharding = (ts_sharding){.grid = loops->grid, .rank = port->rank, .dims = dims};
  return sharding;
}

ts_axes ts_loops_partial_axes(const ts_op_loops *op, const ts_loop_sharding *loops) {
  ts_axes axes = 0;
  for (int l = 0; l < op->num_loops; ++l)
    if (op->loops[l].kind == TS_LOOP_REDUCTION)
      axes |= ts_dim_axes(&loops->loops[l]);
  return axes;
}
