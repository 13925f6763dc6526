/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The algebra of factored dimensions: normal form, cutting and joining. Knows numbers only. */
#include <string.h>

#include "sharding/sharding.h"

/* `factor` without axes of extent 1, which split nothing. */
static ts_factor without_unit_axes(const ts_grid *grid, const ts_factor *factor) {
  ts_factor result = {.size = factor->size};
  for (int i = 0; i < factor->num_axes; ++i)
    if (grid->shape[factor->axes[i]] != 1)
      result.axes[result.num_axes++] = factor->axes[i];
  return result;
}

/* Joins `inner` to `outer` if the two split on their own are one factor split plainly:
 * (a)(b) = (ab); (a@X)(b) = (ab)@X if |X| divides a; (a@X)(b@Y) = (ab)@(X,Y) if |X| = a and |Y|
 * divides b. */
static bool merge(const ts_grid *grid, ts_factor *outer, const ts_factor *inner) {
  int64_t a = outer->size, b = inner->size;
  if (a == TS_DYNAMIC || b == TS_DYNAMIC)
    return false;
  int64_t x = ts_factor_shards(grid, outer), y = ts_factor_shards(grid, inner);
  if (x == TS_DYNAMIC || y == TS_DYNAMIC)
    return false;
  bool plain;
  if (!inner->num_axes)
    plain = !outer->num_axes || a % x == 0;
  else
    plain = x == a && b % y == 0 && outer->num_axes + inner->num_axes <= TS_MAX_AXES;
  if (!plain)
    return false;
  outer->size = a * b;
  memcpy(outer->axes + outer->num_axes, inner->axes, (size_t)inner->num_axes);
  outer->num_axes = (int8_t)(outer->num_axes + inner->num_axes);
  return true;
}

ts_dim ts_dim_of_factors(ts_arena *arena, int num_factors, const ts_factor *factors) {
  if (num_factors == 0)
    return ts_dim_plain(arena, 1, 0, NULL);
  return (ts_dim){.num_factors = num_factors,
                  .factors = ts_arena_copy(arena, factors, sizeof(*factors) * (size_t)num_factors)};
}

ts_dim ts_dim_normal(ts_arena *arena, const ts_grid *grid, const ts_dim *dim) {
  ts_factor *factors = TS_NEW(arena, ts_factor, dim->num_factors);
  int num = 0;
  for (int f = 0; f < dim->num_factors; ++f) {
    ts_factor factor = without_unit_axes(grid, &dim->factors[f]);
    if (factor.size == 1 && factor.num_axes == 0 && dim->num_factors > 1)
      continue;
    if (num && merge(grid, &factors[num - 1], &factor))
      continue;
    factors[num++] = factor;
  }
  if (!num)
    factors[num++].size = 1;
  ts_dim normal = *dim;
  normal.num_factors = num;
  normal.factors = factors;
  return normal;
}

/* What is left to distribute while a dimension is cut. */
typedef struct cutter {
  const ts_grid *grid;
  ts_factor *parts; /* factors of the list being filled */
  int num_parts;
  int64_t room; /* extent that the list still lacks */
  ts_axes dropped;
} cutter;

static ts_axes axes_of(const ts_factor *factor, int first) {
  ts_axes axes = 0;
  for (int i = first; i < factor->num_axes; ++i)
    axes |= (ts_axes)1 << factor->axes[i];
  return axes;
}

/* Takes the outer `room` indices off `factor` and leaves its inner rest in it. */
static void cut_factor(cutter *cut, ts_factor *factor) {
  int64_t outer_size = cut->room, inner_size = factor->size / cut->room;
  ts_factor outer = {.size = outer_size}, inner = {.size = inner_size};
  int64_t shards = 1;
  int i = 0;
  for (; i < factor->num_axes; ++i) {
    int64_t extent = cut->grid->shape[factor->axes[i]];
    if (extent == TS_DYNAMIC || outer_size % (shards * extent) != 0)
      break;
    shards *= extent;
    outer.axes[outer.num_axes++] = factor->axes[i];
  }
  /* Axes after the cut stay only where the outer part is split to single indices and the rest is
   * even; otherwise their shards would cross the cut. */
  ts_factor rest = {.size = inner_size, .num_axes = (int8_t)(factor->num_axes - i)};
  memcpy(rest.axes, factor->axes + i, (size_t)rest.num_axes);
  if (rest.num_axes && shards == outer_size && ts_factor_even(cut->grid, &rest))
    inner = rest;
  else
    cut->dropped |= axes_of(factor, i);
  cut->parts[cut->num_parts++] = outer;
  cut->room = 1;
  *factor = inner;
}

ts_axes ts_dim_split(ts_arena *arena, const ts_grid *grid, const ts_dim *dim, int num,
                     const int64_t *sizes, ts_dim *lists) {
  if (num == 1) {
    lists[0] = ts_dim_normal(arena, grid, dim);
    lists[0].halo[0] = lists[0].halo[1] = 0;
    lists[0].offsets = NULL;
    return dim->offsets ? ts_dim_axes(dim) : 0;
  }
  ts_dim normal = ts_dim_normal(arena, grid, dim);
  ts_factor *factors =
      ts_arena_copy(arena, normal.factors, sizeof(ts_factor) * (size_t)normal.num_factors);
  cutter cut = {.grid = grid, .dropped = dim->offsets ? ts_dim_axes(dim) : 0};
  bool fits =
      !dim->offsets; /* until a factor crosses a cut in a way that has no common refinement */
  int f = 0;
  for (int i = 0; i < num; ++i) {
    cut.parts = TS_NEW(arena, ts_factor, normal.num_factors + 1);
    cut.num_parts = 0;
    cut.room = sizes[i];
    while (fits && cut.room != 1 && f < normal.num_factors) {
      if (cut.room == TS_DYNAMIC || factors[f].size == TS_DYNAMIC || factors[f].size == 0 ||
          cut.room == 0) {
        fits = false;
      } else if (cut.room % factors[f].size == 0) {
        cut.room /= factors[f].size;
        cut.parts[cut.num_parts++] = factors[f++];
      } else if (factors[f].size % cut.room == 0) {
        cut_factor(&cut, &factors[f]);
      } else {
        fits = false;
      }
    }
    if (!fits) {
      for (int p = 0; p < cut.num_parts; ++p)
        cut.dropped |= axes_of(&cut.parts[p], 0);
      lists[i] = ts_dim_plain(arena, sizes[i], 0, NULL);
      continue;
    }
    ts_dim list = ts_dim_of_factors(arena, cut.num_parts, cut.parts);
    lists[i] = ts_dim_normal(arena, grid, &list);
  }
  for (; f < normal.num_factors; ++f)
    cut.dropped |= axes_of(&factors[f], 0);
  return cut.dropped;
}

ts_dim ts_dim_join(ts_arena *arena, const ts_grid *grid, int num, const ts_dim *const *parts) {
  int total = 0;
  for (int i = 0; i < num; ++i)
    total += parts[i]->num_factors;
  ts_factor *factors = TS_NEW(arena, ts_factor, total);
  int used = 0;
  for (int i = 0; i < num; ++i) {
    memcpy(factors + used, parts[i]->factors, sizeof(*factors) * (size_t)parts[i]->num_factors);
    used += parts[i]->num_factors;
  }
  ts_dim dim = ts_dim_of_factors(arena, used, factors);
  return ts_dim_normal(arena, grid, &dim);
}
