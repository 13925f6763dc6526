/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Layouts drawn at random, their words, and the elements of their pieces, written plainly.
 * It shares no code with the runtime. */
#include "layouts.h"

#include <string.h>

/* ---- drawing --------------------------------------------------------------------------------- */

int64_t roll(dice *dice, int64_t sides) {
  return (int64_t)(mix(dice->seed, dice->count++) % (uint64_t)sides);
}

static void draw_factors(dice *dice, const space *space, int32_t dim, dimension *result) {
  int64_t rest = space->sizes[dim];
  result->num_factors = 1;
  if (!space->dynamic[dim] && rest > 0 && roll(dice, 2) == 0)
    for (int64_t divisor = 2; divisor <= 6 && result->num_factors < MAX_FACTORS; divisor++)
      if (rest % divisor == 0 && roll(dice, 2) == 0) {
        result->factors[result->num_factors - 1].size = divisor;
        result->num_factors++;
        rest /= divisor;
      }
  result->factors[result->num_factors - 1].size = rest;
}

int64_t shard_count(const space *space, const factor *factor) {
  int64_t shards = 1;
  for (int32_t i = 0; i < factor->num_axes; i++)
    shards *= space->grid[factor->axes[i]];
  return shards;
}

static void draw_extras(dice *dice, const space *space, int32_t dim, dimension *result) {
  if (result->num_factors != 1)
    return;
  if (roll(dice, 3) == 0) {
    result->low = roll(dice, 3);
    result->high = roll(dice, 3);
  }
  if (space->dynamic[dim] || roll(dice, 3) != 0)
    return;
  int64_t shards = shard_count(space, &result->factors[0]);
  result->has_offsets = true;
  result->offsets[shards] = space->sizes[dim];
  for (int64_t i = shards - 1; i > 0; i--)
    result->offsets[i] = roll(dice, result->offsets[i + 1] + 1);
}

void draw_layout(dice *dice, const space *space, layout *layout) {
  memset(layout, 0, sizeof(*layout));
  for (int32_t i = 0; i < space->rank; i++)
    draw_factors(dice, space, i, &layout->dims[i]);
  /* Axes in random order, each to some factor or to none. */
  int32_t order[MAX_GRID_RANK];
  for (int32_t i = 0; i < space->grid_rank; i++) {
    int64_t k = roll(dice, i + 1);
    order[i] = order[k];
    order[k] = i;
  }
  for (int32_t i = 0; space->rank > 0 && i < space->grid_rank; i++) {
    dimension *dim = &layout->dims[roll(dice, space->rank)];
    factor *factor = &dim->factors[roll(dice, dim->num_factors)];
    if (roll(dice, 4) != 0)
      factor->axes[factor->num_axes++] = order[i];
  }
  for (int32_t i = 0; i < space->rank; i++)
    draw_extras(dice, space, i, &layout->dims[i]);
}

/* ---- words ----------------------------------------------------------------------------------- */

void tell_sizes(const space *space, numbers *told) {
  for (int32_t i = 0; i < space->rank; i++)
    if (space->dynamic[i])
      told->values[told->num++] = space->sizes[i];
}

/* Which numbers of the words are told at run time, whatever they are. */
typedef struct choice {
  uint64_t seed, one_in;
} choice;

/* A halo size or offset, as word number `place`. */
static int64_t write_number(choice choice, int64_t place, int64_t number, numbers *told) {
  if (choice.one_in == 0 || mix(choice.seed, (uint64_t)place) % choice.one_in != 0 ||
      told->num == MAX_WORDS)
    return number;
  told->values[told->num++] = number;
  return -1;
}

int64_t write_words(const space *space, const layout *layout, uint64_t seed, uint64_t one_in,
                    int64_t *words, numbers *told) {
  choice choice = {seed, one_in};
  int64_t n = 0;
  words[n++] = space->rank;
  for (int32_t i = 0; i < space->rank; i++) {
    const dimension *dim = &layout->dims[i];
    words[n++] = space->dynamic[i] ? -1 : space->sizes[i];
    words[n++] = dim->num_factors;
    for (int32_t k = 0; k < dim->num_factors; k++) {
      words[n++] = space->dynamic[i] ? -1 : dim->factors[k].size;
      words[n++] = dim->factors[k].num_axes;
      for (int32_t a = 0; a < dim->factors[k].num_axes; a++)
        words[n++] = dim->factors[k].axes[a];
    }
    bool has_halo = dim->low || dim->high;
    words[n++] = has_halo ? 2 : 0;
    if (has_halo) {
      words[n] = write_number(choice, n, dim->low, told);
      n++;
      words[n] = write_number(choice, n, dim->high, told);
      n++;
    }
    int64_t offsets = dim->has_offsets ? shard_count(space, &dim->factors[0]) + 1 : 0;
    words[n++] = offsets;
    for (int64_t k = 0; k < offsets; k++, n++)
      words[n] = write_number(choice, n, dim->offsets[k], told);
  }
  words[n++] = 0;
  return n;
}

/* ---- the oracle's view of a piece ------------------------------------------------------------ */

static int64_t shard_index(const space *space, const factor *factor, int32_t device) {
  int64_t coordinates[MAX_GRID_RANK] = {0}, index = 0;
  for (int32_t i = space->grid_rank - 1; i >= 0 && device > 0; i--) {
    coordinates[i] = device % space->grid[i];
    device /= (int32_t)space->grid[i];
  }
  for (int32_t i = 0; i < factor->num_axes; i++)
    index = index * space->grid[factor->axes[i]] + coordinates[factor->axes[i]];
  return index;
}

static int64_t factor_start(const space *space, const dimension *dim, const factor *factor,
                            int64_t shard) {
  if (dim->has_offsets)
    return dim->offsets[shard];
  int64_t shards = shard_count(space, factor), first_larger = shards - factor->size % shards;
  return factor->size / shards * shard + (shard > first_larger ? shard - first_larger : 0);
}

static int64_t factor_length(const space *space, const dimension *dim, const factor *factor,
                             int32_t device) {
  int64_t shard = shard_index(space, factor, device);
  return factor_start(space, dim, factor, shard + 1) - factor_start(space, dim, factor, shard);
}

static int64_t local_extent(const space *space, const dimension *dim, int32_t device) {
  int64_t extent = 1;
  for (int32_t i = 0; i < dim->num_factors; i++)
    extent *= factor_length(space, dim, &dim->factors[i], device);
  return extent + dim->low + dim->high;
}

/* Where a local row lies in the global dimension; -1 beyond its ends; `in_core` says if it is the
 * device's own. */
static int64_t global_row(const space *space, const dimension *dim, int32_t which, int32_t device,
                          int64_t local, bool *in_core) {
  int64_t row = 0, core = local - dim->low, stride = 1;
  *in_core = local >= dim->low && local < local_extent(space, dim, device) - dim->high;
  if (dim->num_factors == 1) {
    const factor *only = &dim->factors[0];
    row = core + factor_start(space, dim, only, shard_index(space, only, device));
    return row >= 0 && row < space->sizes[which] ? row : -1;
  }
  for (int32_t i = dim->num_factors - 1; i >= 0; i--) {
    const factor *factor = &dim->factors[i];
    int64_t length = factor_length(space, dim, factor, device);
    int64_t start = factor_start(space, dim, factor, shard_index(space, factor, device));
    row += (start + core % length) * stride;
    core /= length;
    stride *= factor->size;
  }
  return row;
}

void local_shape(const space *space, const layout *layout, int32_t device, int64_t *shape) {
  for (int32_t i = 0; i < space->rank; i++)
    shape[i] = local_extent(space, &layout->dims[i], device);
}

int64_t global_index(const space *space, const layout *layout, int32_t device, int64_t local,
                     bool *in_core) {
  int64_t rows[MAX_RANK], index = 0;
  *in_core = true;
  for (int32_t i = space->rank - 1; i >= 0; i--) {
    int64_t extent = local_extent(space, &layout->dims[i], device);
    bool row_in_core;
    rows[i] = global_row(space, &layout->dims[i], i, device, local % extent, &row_in_core);
    *in_core = *in_core && row_in_core;
    local /= extent;
  }
  for (int32_t i = 0; i < space->rank; i++) {
    if (rows[i] < 0)
      return -1;
    index = index * space->sizes[i] + rows[i];
  }
  return index;
}
