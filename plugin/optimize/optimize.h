/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The transformations of tessera-optimize. Each takes a function of one device's program and leaves
 * one that means the same and communicates less. They must not know each other. */
#ifndef TESSERA_PLUGIN_OPTIMIZE_OPTIMIZE_H
#define TESSERA_PLUGIN_OPTIMIZE_OPTIMIZE_H

#include "optimize/plain.h"
#include "sharding/annotation.h"
#include "support/arena.h"

/* What a transformation works with; all of it is the caller's. */
typedef struct ts_optimizer {
  ts_arena *arena; /* given back after each function */
  ts_grids *grids;
  ts_plain *plain;
  int64_t hoisted_bytes; /* that a loop may keep from before it */
  int64_t small_bytes;   /* of a tensor that may share a message */
  int64_t bucket_bytes;  /* of a message that is shared */
} ts_optimizer;

typedef void ts_transform(ts_optimizer *optimizer, MlirOperation function);

/* Equal collectives, and what makes their operands equal, once. */
ts_transform ts_merge_equal;
/* What nobody uses and has no effect, gone. */
ts_transform ts_drop_unused;
/* Gathers of slices and slices of gathers, gone. */
ts_transform ts_cancel_inverses;
/* Reductions that are cut afterwards, and reduced pieces that are joined, in one step. */
ts_transform ts_join_reductions;
/* Values that a loop gathers and cuts in each of its trips, carried as the trips want them. */
ts_transform ts_carry_wanted;
/* Collectives that are the same in each trip of a loop, before it. */
ts_transform ts_hoist_invariant;
/* Collectives that one branch alone needs, in that branch. */
ts_transform ts_sink_into_branches;
/* Small ones that do not wait for each other, in one message. */
ts_transform ts_combine_small;

#endif /* TESSERA_PLUGIN_OPTIMIZE_OPTIMIZE_H */
