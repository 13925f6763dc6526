/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Layouts as the oracle sees them: drawn at random, written as words, and where each element of a
 * piece lies in the whole tensor. It shares no code with the runtime. */
#ifndef TESSERA_TEST_RUNTIME_LAYOUTS_H
#define TESSERA_TEST_RUNTIME_LAYOUTS_H

#include "harness.h"

enum { MAX_FACTORS = 3, MAX_GRID_RANK = 32, MAX_LAYOUT_WORDS = 512 };

typedef struct factor {
  int64_t size;
  int32_t axes[MAX_GRID_RANK];
  int32_t num_axes;
} factor;

typedef struct dimension {
  int32_t num_factors;
  factor factors[MAX_FACTORS];
  int64_t low, high; /* halo */
  bool has_offsets;
  int64_t offsets[MAX_WORDS];
} dimension;

typedef struct layout {
  dimension dims[MAX_RANK];
} layout;

/* A tensor, and the grid of devices that share it. */
typedef struct space {
  int32_t grid_rank, rank;
  int64_t grid[MAX_GRID_RANK];
  int64_t sizes[MAX_RANK];
  bool dynamic[MAX_RANK]; /* told at run time */
} space;

/* A stream of draws. */
typedef struct dice {
  uint64_t seed, count;
} dice;

int64_t roll(dice *dice, int64_t sides);
void draw_layout(dice *dice, const space *space, layout *layout);

/* What a call passes beside the pieces. */
typedef struct numbers {
  int64_t num, values[MAX_WORDS];
} numbers;

/* The sizes that are told come first. */
void tell_sizes(const space *space, numbers *told);
/* Writes words, of which every `one_in`-th number at random is told at run time (0: none); returns
 * how many. */
int64_t write_words(const space *space, const layout *layout, uint64_t seed, uint64_t one_in,
                    int64_t *words, numbers *told);

int64_t shard_count(const space *space, const factor *factor);
void local_shape(const space *space, const layout *layout, int32_t device, int64_t *shape);
/* The row-major index in the whole tensor of a local element, -1 beyond its ends; `in_core` says if
 * it is the device's own, and not of its halo. */
int64_t global_index(const space *space, const layout *layout, int32_t device, int64_t local,
                     bool *in_core);

#endif /* TESSERA_TEST_RUNTIME_LAYOUTS_H */
