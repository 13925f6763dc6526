/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* exchange between random layouts: factors, halos, offsets, uneven and empty pieces, run-time
 * sizes, halos and offsets. Every element carries its global index. usage: exchange [COUNT [SEED]].
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { MAX_FACTORS = 3 };

typedef struct factor {
  int64_t size;
  int32_t axes[MAX_RANK];
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

typedef struct test_case {
  int32_t grid_rank, rank;
  int64_t grid[MAX_RANK];
  int64_t sizes[MAX_RANK];
  bool dynamic[MAX_RANK];
  layout from, to;
  uint64_t seed;
} test_case;

/* ---- drawing ----------------------------------------------------------------------------------
 */

typedef struct dice {
  uint64_t seed, count;
} dice;

static int64_t roll(dice *dice, int64_t sides) {
  return (int64_t)(mix(dice->seed, dice->count++) % (uint64_t)sides);
}

static void draw_factors(dice *dice, const test_case *test, int32_t dim, dimension *result) {
  int64_t rest = test->sizes[dim];
  result->num_factors = 1;
  if (!test->dynamic[dim] && rest > 0 && roll(dice, 2) == 0)
    for (int64_t divisor = 2; divisor <= 6 && result->num_factors < MAX_FACTORS; divisor++)
      if (rest % divisor == 0 && roll(dice, 2) == 0) {
        result->factors[result->num_factors - 1].size = divisor;
        result->num_factors++;
        rest /= divisor;
      }
  result->factors[result->num_factors - 1].size = rest;
}

static int64_t shard_count(const test_case *test, const factor *factor) {
  int64_t shards = 1;
  for (int32_t i = 0; i < factor->num_axes; i++)
    shards *= test->grid[factor->axes[i]];
  return shards;
}

static void draw_extras(dice *dice, const test_case *test, int32_t dim, dimension *result) {
  if (result->num_factors != 1)
    return;
  if (roll(dice, 3) == 0) {
    result->low = roll(dice, 3);
    result->high = roll(dice, 3);
  }
  if (test->dynamic[dim] || roll(dice, 3) != 0)
    return;
  int64_t shards = shard_count(test, &result->factors[0]);
  result->has_offsets = true;
  result->offsets[shards] = test->sizes[dim];
  for (int64_t i = shards - 1; i > 0; i--)
    result->offsets[i] = roll(dice, result->offsets[i + 1] + 1);
}

static void draw_layout(dice *dice, const test_case *test, layout *layout) {
  memset(layout, 0, sizeof(*layout));
  for (int32_t i = 0; i < test->rank; i++)
    draw_factors(dice, test, i, &layout->dims[i]);
  /* Axes in random order, each to some factor or to none. */
  int32_t order[MAX_RANK];
  for (int32_t i = 0; i < test->grid_rank; i++) {
    int64_t k = roll(dice, i + 1);
    order[i] = order[k];
    order[k] = i;
  }
  for (int32_t i = 0; test->rank > 0 && i < test->grid_rank; i++) {
    dimension *dim = &layout->dims[roll(dice, test->rank)];
    factor *factor = &dim->factors[roll(dice, dim->num_factors)];
    if (roll(dice, 4) != 0)
      factor->axes[factor->num_axes++] = order[i];
  }
  for (int32_t i = 0; i < test->rank; i++)
    draw_extras(dice, test, i, &layout->dims[i]);
}

static test_case draw_case(uint64_t seed) {
  static const struct {
    int32_t rank;
    int64_t extents[3];
  } grids[] = {{1, {4}}, {2, {2, 2}}, {2, {2, 3}}, {3, {2, 2, 2}}, {2, {4, 2}}};
  static const int64_t sizes[] = {12, 10, 7, 1, 0, 24, 5, 36};
  dice dice = {seed, 0};
  test_case test = {.seed = seed};
  int64_t grid = roll(&dice, 5);
  test.grid_rank = grids[grid].rank;
  memcpy(test.grid, grids[grid].extents, sizeof(grids[grid].extents));
  test.rank = (int32_t)roll(&dice, 4);
  for (int32_t i = 0; i < test.rank; i++) {
    test.sizes[i] = sizes[roll(&dice, 8)];
    test.dynamic[i] = roll(&dice, 4) == 0;
  }
  draw_layout(&dice, &test, &test.from);
  draw_layout(&dice, &test, &test.to);
  return test;
}

/* ---- words ------------------------------------------------------------------------------------
 */

/* What a call passes beside the pieces. */
typedef struct numbers {
  int64_t num, values[MAX_WORDS];
} numbers;

/* A halo size or offset: in the words, or told at run time. */
static int64_t write_number(const test_case *test, int64_t number, numbers *told) {
  if (mix(test->seed, (uint64_t)(1000 + told->num + number)) % 3 != 0 || told->num == MAX_WORDS)
    return number;
  told->values[told->num++] = number;
  return -1;
}

static int64_t write_words(const test_case *test, const layout *layout, int64_t *words,
                           numbers *told) {
  int64_t n = 0;
  words[n++] = test->rank;
  for (int32_t i = 0; i < test->rank; i++) {
    const dimension *dim = &layout->dims[i];
    words[n++] = test->dynamic[i] ? -1 : test->sizes[i];
    words[n++] = dim->num_factors;
    for (int32_t k = 0; k < dim->num_factors; k++) {
      words[n++] = test->dynamic[i] ? -1 : dim->factors[k].size;
      words[n++] = dim->factors[k].num_axes;
      for (int32_t a = 0; a < dim->factors[k].num_axes; a++)
        words[n++] = dim->factors[k].axes[a];
    }
    bool has_halo = dim->low || dim->high;
    words[n++] = has_halo ? 2 : 0;
    if (has_halo) {
      words[n++] = write_number(test, dim->low, told);
      words[n++] = write_number(test, dim->high, told);
    }
    int64_t offsets = dim->has_offsets ? shard_count(test, &dim->factors[0]) + 1 : 0;
    words[n++] = offsets;
    for (int64_t k = 0; k < offsets; k++)
      words[n++] = write_number(test, dim->offsets[k], told);
  }
  words[n++] = 0;
  return n;
}

/* ---- the oracle's view of a piece --------------------------------------------------------------
 */

static int64_t shard_index(const test_case *test, const factor *factor, int32_t device) {
  int64_t coordinates[MAX_RANK] = {0}, index = 0;
  for (int32_t i = test->grid_rank - 1; i >= 0; i--) {
    coordinates[i] = device % test->grid[i];
    device /= (int32_t)test->grid[i];
  }
  for (int32_t i = 0; i < factor->num_axes; i++)
    index = index * test->grid[factor->axes[i]] + coordinates[factor->axes[i]];
  return index;
}

static int64_t factor_start(const test_case *test, const dimension *dim, const factor *factor,
                            int64_t shard) {
  if (dim->has_offsets)
    return dim->offsets[shard];
  int64_t shards = shard_count(test, factor), start = 0;
  for (int64_t i = 0; i < shard; i++)
    start += factor->size / shards + (i >= shards - factor->size % shards);
  return start;
}

static int64_t factor_length(const test_case *test, const dimension *dim, const factor *factor,
                             int32_t device) {
  int64_t shard = shard_index(test, factor, device);
  return factor_start(test, dim, factor, shard + 1) - factor_start(test, dim, factor, shard);
}

static int64_t local_extent(const test_case *test, const dimension *dim, int32_t device) {
  int64_t extent = 1;
  for (int32_t i = 0; i < dim->num_factors; i++)
    extent *= factor_length(test, dim, &dim->factors[i], device);
  return extent + dim->low + dim->high;
}

/* Where a local row lies in the global dimension; -1 beyond its ends; `in_core` says if it is the
 * device's own. */
static int64_t global_row(const test_case *test, const dimension *dim, int32_t which,
                          int32_t device, int64_t local, bool *in_core) {
  int64_t row = 0, core = local - dim->low, stride = 1;
  *in_core = local >= dim->low && local < local_extent(test, dim, device) - dim->high;
  if (dim->num_factors == 1) {
    const factor *only = &dim->factors[0];
    row = core + factor_start(test, dim, only, shard_index(test, only, device));
    return row >= 0 && row < test->sizes[which] ? row : -1;
  }
  for (int32_t i = dim->num_factors - 1; i >= 0; i--) {
    const factor *factor = &dim->factors[i];
    int64_t length = factor_length(test, dim, factor, device);
    int64_t start = factor_start(test, dim, factor, shard_index(test, factor, device));
    row += (start + core % length) * stride;
    core /= length;
    stride *= factor->size;
  }
  return row;
}

/* The global index of a local element, -1 beyond the ends. */
static int64_t global_index(const test_case *test, const layout *layout, int32_t device,
                            int64_t local, bool *in_core) {
  int64_t rows[MAX_RANK], index = 0;
  *in_core = true;
  for (int32_t i = test->rank - 1; i >= 0; i--) {
    int64_t extent = local_extent(test, &layout->dims[i], device);
    bool row_in_core;
    rows[i] = global_row(test, &layout->dims[i], i, device, local % extent, &row_in_core);
    *in_core = *in_core && row_in_core;
    local /= extent;
  }
  for (int32_t i = 0; i < test->rank; i++) {
    if (rows[i] < 0)
      return -1;
    index = index * test->sizes[i] + rows[i];
  }
  return index;
}

/* ---- one case ---------------------------------------------------------------------------------
 */

static memref make_piece(const test_case *test, const layout *layout, int32_t device,
                         arrangement how) {
  int64_t shape[MAX_RANK] = {0};
  for (int32_t i = 0; i < test->rank; i++)
    shape[i] = local_extent(test, &layout->dims[i], device);
  return memref_create(test->rank, shape, sizeof(int64_t), how);
}

static void fill_source(const test_case *test, int32_t device, const memref *in) {
  for (int64_t i = 0; i < memref_elements(in, test->rank); i++) {
    bool in_core;
    int64_t value = global_index(test, &test->from, device, i, &in_core);
    if (!in_core)
      value = -7; /* nobody may take a halo's word */
    memcpy(memref_at(in, test->rank, sizeof(value), i), &value, sizeof(value));
  }
}

static void check_target(const test_case *test, int32_t device, const memref *out) {
  for (int64_t i = 0; i < memref_elements(out, test->rank); i++) {
    bool in_core;
    int64_t expected = global_index(test, &test->to, device, i, &in_core), found;
    memcpy(&found, memref_at(out, test->rank, sizeof(found), i), sizeof(found));
    if (expected >= 0 && found != expected) {
      fail_test("seed %llu: device %d element %d is %lld, not %lld", (unsigned long long)test->seed,
                device, (int)i, (long long)found, (long long)expected);
      return;
    }
  }
}

static void run_case(const test_case *test, int32_t device) {
  int64_t from[256], to[256];
  numbers told = {0};
  for (int32_t i = 0; i < test->rank; i++)
    if (test->dynamic[i])
      told.values[told.num++] = test->sizes[i];
  EXPECT(write_words(test, &test->from, from, &told) == tessera_layout_words(from));
  EXPECT(write_words(test, &test->to, to, &told) == tessera_layout_words(to));
  tessera_grid grid = {sizeof(grid), test->grid_rank, "g", test->grid};
  tessera_site site = {.struct_size = sizeof(site),
                       .kind = TESSERA_SITE_EXCHANGE,
                       .name = "exchange",
                       .location = "",
                       .grid = &grid,
                       .index = -1,
                       .input_rank = test->rank,
                       .output_rank = test->rank,
                       .input_type = TESSERA_I64,
                       .output_type = TESSERA_I64,
                       .from = from,
                       .to = to};
  memref in = make_piece(test, &test->from, device, (arrangement)(test->seed % NUM_ARRANGEMENTS));
  memref out =
      make_piece(test, &test->to, device, (arrangement)(test->seed / 3 % NUM_ARRANGEMENTS));
  fill_source(test, device, &in);
  for (int repeat = 0; repeat < 2; repeat++) { /* the second time by the kept plan */
    tessera_rt_exchange(&site, NULL, &in, &out, told.num ? told.values : NULL);
    check_target(test, device, &out);
  }
  memref_destroy(&in);
  memref_destroy(&out);
}

typedef struct range {
  uint64_t first, count;
} range;

static void run_range(int32_t rank, int32_t size, void *data) {
  const range *range = data;
  for (uint64_t i = 0; i < range->count; i++) {
    test_case test = draw_case(range->first + i);
    int64_t devices = 1;
    for (int32_t k = 0; k < test.grid_rank; k++)
      devices *= test.grid[k];
    if (devices == size)
      run_case(&test, rank);
  }
}

int main(int argc, char **argv) {
  range range = {argc > 2 ? strtoull(argv[2], NULL, 10) : 1,
                 argc > 1 ? strtoull(argv[1], NULL, 10) : 3000};
  static const int32_t sizes[] = {4, 6, 8};
  for (int i = 0; i < 3 && !under_mpi(); i++)
    run_local(sizes[i], run_range, &range);
  if (under_mpi())
    run_here(run_range, &range);
  return finish_tests();
}
