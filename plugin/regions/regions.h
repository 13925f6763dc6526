/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops with regions, as ties: which values are one, however the op runs. One row per op kind in
 * regions.c. The one thing that propagation and partition know about control flow. It knows ops
 * with regions; it must not know what is tied for. */
#ifndef TESSERA_PLUGIN_REGIONS_REGIONS_H
#define TESSERA_PLUGIN_REGIONS_REGIONS_H

#include <stdbool.h>

#include "mlir-c/IR.h"

#include "support/arena.h"

/* Operand `operand` of `op`, which is the op with regions or ends a block inside it. */
typedef struct ts_tie_source {
  MlirOperation op;
  int operand;
} ts_tie_source;

/* Values of one type that always have one layout: each of `values`, which are arguments of blocks
 * inside and results of the op, becomes what one of `sources` gives. A tie has a value at least;
 * without sources nobody knows what it becomes. */
typedef struct ts_tie {
  int num_values;
  const MlirValue *values;
  int num_sources;
  const ts_tie_source *sources; /* in program order, the op's own operands first */
} ts_tie;

/* Of every kind of value, tensors or not; each operand is a source of one tie at most. Block
 * arguments that no tie has are the op's own (a loop's index, a function's arguments). */
typedef struct ts_ties {
  int num;
  const ts_tie *ties;
} ts_ties;

/* The ties of `op`, in the arena; NULL if it has no row: all that is inside it then runs whole.
 * Those of a func.func are between its blocks. */
const ts_ties *ts_region_ties(ts_arena *arena, MlirOperation op);
/* The tie between an op with regions and its blocks, but not of branches between blocks, that has
 * `value`. False if there is none with sources. */
bool ts_tie_of(ts_arena *arena, MlirValue value, ts_tie *tie);

/* How often the blocks inside `op` run each time that it does: a loop's trip count, or a guess
 * where only the launch knows it; of branches of which one is taken, each its share. */
double ts_region_trips(MlirOperation op);
/* The trip count of a loop, -1 where only the launch knows it; 1 of what is no loop. */
double ts_loop_trips(MlirOperation op);

#endif /* TESSERA_PLUGIN_REGIONS_REGIONS_H */
