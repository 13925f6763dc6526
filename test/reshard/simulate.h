/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A grid of devices in one array, on which the steps of a plan are carried out as the collectives
 * define them: by pieces and positions in groups, never by looking at layouts. */
#ifndef TESSERA_TEST_RESHARD_SIMULATE_H
#define TESSERA_TEST_RESHARD_SIMULATE_H

#include "reshard/reshard.h"

enum { MAX_RANK = 24 };

/* A device's piece of a tensor, in row-major order. */
typedef struct piece {
  int rank;
  int64_t shape[MAX_RANK];
  int64_t *data;
} piece;

typedef struct devices {
  ts_arena *arena; /* of one test case */
  const ts_grid *grid;
  int num;
  piece *pieces;
  double received; /* by the device that received most in the last step, in elements */
} devices;

/* The value that takes part in no maximum. */
#define LOWEST (INT64_MIN / 4)

int64_t piece_elements(const piece *p);
int64_t combine(ts_reduction kind, int64_t a, int64_t b);
int64_t coordinate_of(const ts_grid *grid, int device, int axis);

/* Global indices along dimension `d` that `device` holds, in the order in which it holds them. */
int64_t held_indices(ts_arena *arena, const ts_sharding *layout, int d, int device,
                     int64_t **indices);

/* Carries out one step. Returns what is wrong with it, or NULL. */
const char *simulate(devices *all, const ts_step *step);

#endif /* TESSERA_TEST_RESHARD_SIMULATE_H */
