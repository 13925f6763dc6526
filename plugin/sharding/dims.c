/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One dimension of a sharding and its factors: what they are, and what can be asked of them. It
 * knows numbers only. */
#include "sharding/sharding.h"

#include <string.h>

ts_dim ts_dim_plain(ts_arena *arena, int64_t size, int num_axes, const int8_t *axes) {
  ts_factor *factor = TS_NEW(arena, ts_factor, 1);
  factor->size = size;
  factor->num_axes = (int8_t)num_axes;
  if (num_axes)
    memcpy(factor->axes, axes, (size_t)num_axes);
  return (ts_dim){.num_factors = 1, .factors = factor};
}

ts_axes ts_dim_axes(const ts_dim *dim) {
  ts_axes axes = 0;
  for (int f = 0; f < dim->num_factors; f++)
    for (int i = 0; i < dim->factors[f].num_axes; i++)
      axes |= (ts_axes)1 << dim->factors[f].axes[i];
  return axes;
}

bool ts_dim_is_split(const ts_dim *dim) {
  for (int f = 0; f < dim->num_factors; f++)
    if (dim->factors[f].num_axes)
      return true;
  return false;
}

bool ts_dim_is_cut(const ts_dim *dim) {
  return ts_dim_is_split(dim) || dim->offsets;
}

bool ts_dim_has_halo(const ts_dim *dim) {
  return !ts_number_is(dim->halo[0], 0) || !ts_number_is(dim->halo[1], 0);
}

bool ts_dim_is_balanced(const ts_grid *grid, const ts_dim *dim) {
  if (!dim->offsets)
    return true;
  int64_t shards = ts_dim_shards(grid, dim), size = ts_dim_size(dim);
  if (shards == TS_DYNAMIC || size == TS_DYNAMIC)
    return false;
  for (int64_t i = 0; i <= shards; i++)
    if (!ts_number_is(dim->offsets[i], ts_balanced_offset(size, shards, i)))
      return false;
  return true;
}

static bool factor_equal(const ts_factor *a, const ts_factor *b) {
  return a->size == b->size && a->num_axes == b->num_axes &&
         memcmp(a->axes, b->axes, (size_t)a->num_axes) == 0;
}

bool ts_dim_equal(const ts_dim *a, const ts_dim *b) {
  if (a->num_factors != b->num_factors || !ts_number_equal(a->halo[0], b->halo[0]) ||
      !ts_number_equal(a->halo[1], b->halo[1]))
    return false;
  for (int f = 0; f < a->num_factors; f++)
    if (!factor_equal(&a->factors[f], &b->factors[f]))
      return false;
  /* Offsets are compared by the caller that knows the grid; here only their presence counts. */
  return a->offsets == b->offsets || (a->offsets && b->offsets);
}

int64_t ts_factor_shards(const ts_grid *grid, const ts_factor *factor) {
  int64_t shards = 1;
  for (int i = 0; i < factor->num_axes; i++) {
    int64_t extent = grid->shape[factor->axes[i]];
    if (extent == TS_DYNAMIC)
      return TS_DYNAMIC;
    shards *= extent;
  }
  return shards;
}

int64_t ts_dim_shards(const ts_grid *grid, const ts_dim *dim) {
  int64_t shards = 1;
  for (int f = 0; f < dim->num_factors; f++) {
    int64_t part = ts_factor_shards(grid, &dim->factors[f]);
    if (part == TS_DYNAMIC)
      return TS_DYNAMIC;
    shards *= part;
  }
  return shards;
}

bool ts_fills_shards(int64_t size, int64_t shards) {
  return size != TS_DYNAMIC && shards != TS_DYNAMIC && size >= shards;
}

const ts_factor *ts_dim_as_one(const ts_grid *grid, const ts_dim *dim, bool moves_borders) {
  const ts_factor *outermost = &dim->factors[0];
  if (dim->num_factors == 1)
    return outermost;
  if (!moves_borders || dim->offsets ||
      !ts_fills_shards(outermost->size, ts_factor_shards(grid, outermost)))
    return NULL;
  for (int f = 1; f < dim->num_factors; f++)
    if (dim->factors[f].num_axes)
      return NULL;
  return outermost;
}

int64_t ts_dim_size(const ts_dim *dim) {
  int64_t size = 1;
  for (int f = 0; f < dim->num_factors; f++) {
    if (dim->factors[f].size == TS_DYNAMIC)
      return TS_DYNAMIC;
    size *= dim->factors[f].size;
  }
  return size;
}

bool ts_factor_even(const ts_grid *grid, const ts_factor *factor) {
  int64_t shards = ts_factor_shards(grid, factor);
  return shards != TS_DYNAMIC && factor->size != TS_DYNAMIC && shards > 0 &&
         factor->size % shards == 0;
}

int64_t ts_balanced_offset(int64_t n, int64_t p, int64_t i) {
  int64_t small = p - n % p; /* shards that have no extra index; they come first */
  return i * (n / p) + (i > small ? i - small : 0);
}
