/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Grids that refine others: the same devices in the same order, an axis as several. It knows
 * numbers only. */
#include <string.h>

#include "sharding/sharding.h"

/* The axes of `fine` that axis `a` of a coarse grid is: from `first` on, as many as multiply to its
 * extent. False if none do. */
typedef struct span {
  int first, num;
} span;

static bool find_spans(const ts_grid *coarse, const ts_grid *fine, span *spans) {
  int next = 0;
  for (int a = 0; a < coarse->rank; a++) {
    int64_t devices = 1;
    spans[a] = (span){next, 0};
    while (devices != coarse->shape[a] && next < fine->rank && fine->shape[next] != TS_DYNAMIC &&
           !__builtin_mul_overflow(devices, fine->shape[next], &devices))
      next++, spans[a].num++;
    if (coarse->shape[a] == TS_DYNAMIC || devices != coarse->shape[a])
      return false;
  }
  while (next < fine->rank && fine->shape[next] == 1)
    next++;
  return next == fine->rank;
}

bool ts_grid_refines(const ts_grid *fine, const ts_grid *coarse) {
  span spans[TS_MAX_AXES];
  return fine != coarse && find_spans(coarse, fine, spans);
}

static ts_factor refined_factor(const ts_factor *factor, const span *spans) {
  ts_factor refined = {.size = factor->size};
  for (int i = 0; i < factor->num_axes; i++)
    for (int k = 0; k < spans[factor->axes[i]].num; k++)
      refined.axes[refined.num_axes++] = (int8_t)(spans[factor->axes[i]].first + k);
  return refined;
}

static ts_dim refined_dim(ts_arena *arena, const ts_dim *dim, const span *spans) {
  ts_factor *factors = TS_NEW(arena, ts_factor, dim->num_factors);
  for (int f = 0; f < dim->num_factors; f++)
    factors[f] = refined_factor(&dim->factors[f], spans);
  ts_dim refined = *dim;
  refined.factors = factors;
  return refined;
}

const ts_sharding *ts_sharding_refined(ts_arena *arena, const ts_sharding *sharding,
                                       const ts_grid *fine) {
  span spans[TS_MAX_AXES];
  if (!find_spans(sharding->grid, fine, spans))
    return NULL;
  ts_dim *dims = TS_NEW(arena, ts_dim, sharding->rank);
  for (int d = 0; d < sharding->rank; d++)
    dims[d] = refined_dim(arena, &sharding->dims[d], spans);
  ts_partial *partial = TS_NEW(arena, ts_partial, TS_MAX_AXES);
  int num = 0;
  for (int i = 0; i < sharding->num_partial; i++)
    for (int k = 0; k < spans[sharding->partial[i].axis].num; k++)
      partial[num++] =
          (ts_partial){spans[sharding->partial[i].axis].first + k, sharding->partial[i].kind};
  ts_sharding *refined = TS_NEW(arena, ts_sharding, 1);
  *refined = (ts_sharding){
      .grid = fine, .rank = sharding->rank, .dims = dims, .num_partial = num, .partial = partial};
  return refined;
}

const ts_sharding *ts_sharding_on(ts_arena *arena, const ts_sharding *sharding,
                                  const ts_grid *grid) {
  return sharding->grid == grid ? sharding : ts_sharding_refined(arena, sharding, grid);
}

ts_axes ts_axes_refined(ts_axes axes, const ts_grid *coarse, const ts_grid *fine) {
  span spans[TS_MAX_AXES];
  ts_axes refined = 0;
  if (find_spans(coarse, fine, spans))
    for (int a = 0; a < coarse->rank; a++)
      for (int k = 0; axes >> a & 1 && k < spans[a].num; k++)
        refined |= (ts_axes)1 << (spans[a].first + k);
  return refined;
}
