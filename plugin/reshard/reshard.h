/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* From one sharding of a tensor to another: the plan (numbers only, plan.c) and its IR
 * (emit_plan.c). It knows shardings and costs; it must not know what the tensor is for. */
#ifndef TESSERA_PLUGIN_RESHARD_RESHARD_H
#define TESSERA_PLUGIN_RESHARD_RESHARD_H

#include "collectives/collectives.h"
#include "emit/emit.h"
#include "sharding/sharding.h"

/* A kind of collective, or what is none. */
typedef enum ts_step_kind {
  /* Complete -> partial: the value on coordinate 0, neutral elements elsewhere; or, of a split of
   * `joined`, each shard in its place, neutral elements around it. */
  TS_STEP_MAKE_PARTIAL,
  TS_STEP_ALL_REDUCE = TESSERA_SITE_ALL_REDUCE,         /* partial axes -> complete */
  TS_STEP_REDUCE_SCATTER = TESSERA_SITE_REDUCE_SCATTER, /* partial axes -> split of `cut` */
  TS_STEP_ALL_SLICE = TESSERA_SITE_ALL_SLICE,           /* no communication */
  TS_STEP_ALL_GATHER = TESSERA_SITE_ALL_GATHER,
  TS_STEP_ALL_TO_ALL = TESSERA_SITE_ALL_TO_ALL, /* from the split of `joined` to that of `cut` */
  TS_STEP_EXCHANGE = TESSERA_SITE_EXCHANGE      /* any layout to any other, neither partial */
} ts_step_kind;

typedef struct ts_step {
  ts_step_kind kind;
  int num_axes;
  int8_t axes[TS_MAX_AXES]; /* in group order */
  int joined;               /* the dimension that the innermost `axes` are taken away from, or -1 */
  int cut;                  /* the one to whose split they are appended, or -1 */
  ts_reduction reduction;
  const ts_sharding *before; /* layout of the step's input and of its result */
  const ts_sharding *after;
  /* A factored dimension that changes is cut into plain ones, so that a collective acts on one of
   * them: `before`, `after`, `joined` and `cut` are about the tensor thus expanded. For each of the
   * `rank` dimensions of the tensor the number of dimensions that it is cut into. */
  int rank;
  const int *pieces;
  double bytes; /* received by the device that receives most, per byte of element: elements */
} ts_step;

typedef struct ts_plan {
  int num_steps;
  const ts_step *steps;
} ts_plan;

/* The steps that turn `from` into `to` (same grid, same shape). Always succeeds on static grids. An
 * empty plan means that every device already holds its data. */
ts_plan ts_reshard_plan(ts_arena *arena, const ts_sharding *from, const ts_sharding *to);

/* Elements received by the busiest device; 0 where nothing moves. Cheap enough to ask often. */
double ts_reshard_cost(ts_arena *arena, const ts_sharding *from, const ts_sharding *to);

/* Emits the plan for `value`, a device's piece under `from`, at the insertion point. `extents` has
 * those of the dimensions that are dynamic in `global`. The result has type
 * ts_local_type(to, global). Null after a located error (a reduction without a neutral
 * element, an element type that cannot be reduced). */
MlirValue ts_reshard(ts_emit *emit, MlirValue value, const ts_sharding *from, const ts_sharding *to,
                     MlirType global, const ts_extents *extents);

#endif /* TESSERA_PLUGIN_RESHARD_RESHARD_H */
