/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which loops a nest becomes on a CPU. It knows nests, writes no code. */
#ifndef TESSERA_LOWERING_TARGETS_CPU_LEVELS_H
#define TESSERA_LOWERING_TARGETS_CPU_LEVELS_H

#include "lowering/kernels/nest.h"

enum { TS_MOST_TAPS = 16 }; /* steps that are done one after the other without a loop */

/* One loop of the code. A loop of the nest is one of these, or two: one that goes from tile to
 * tile, and one inside the tile. Or one step of it, if that is one. */
typedef enum ts_level_kind {
  TS_LEVEL_FULL,
  TS_LEVEL_TILES,
  TS_LEVEL_IN_TILE,
  TS_LEVEL_UNROLLED, /* no loop, but its steps one after the other */
  TS_LEVEL_PICKED
} ts_level_kind;

/* Whether a level is a loop in the machine's code, too, which is not unrolled as a whole. */
typedef enum ts_level_kept {
  TS_KEPT_NOT,     /* as LLVM decides */
  TS_KEPT_VECTORS, /* of vectors */
  TS_KEPT_SHORT,   /* of vectors, as many as there are elements for, and the rest one by one */
  TS_KEPT_SCALAR   /* of elements */
} ts_level_kept;

typedef struct ts_level {
  ts_level_kind kind;
  int loop;
  int64_t tile;
  ts_level_kept kept;
} ts_level;

typedef struct ts_levels {
  int num;
  ts_level levels[2 * TS_NEST_LOOPS];
  int first_carried; /* levels from here on carry the outputs in registers */
  int sum_level;     /* this one adds up from zero what it adds to what it was given; -1: none */
} ts_levels;

/* Of the loops of `nest` from `first` on. */
void ts_levels_choose(const ts_nest *nest, int first, ts_levels *levels);

#endif /* TESSERA_LOWERING_TARGETS_CPU_LEVELS_H */
