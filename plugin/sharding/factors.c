/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The algebra of factored dimensions: normal form, cutting and joining. It knows numbers only. */
#include <string.h>

#include "sharding/sharding.h"

/* ---- unknown extents ------------------------------------------------------------------------- */

/* Stands for an extent that only the launch knows: a prime larger than any number of shards. What
 * divides it, or what is known to be a multiple of it, then divides the extent whatever it is. */
static const int64_t unknown = INT64_C(2147483647);

static int64_t with_stand_in(int64_t size) {
  return size == TS_DYNAMIC ? unknown : size;
}

static int64_t without_stand_in(int64_t size) {
  return size != 0 && size % unknown == 0 ? TS_DYNAMIC : size;
}

int64_t ts_gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Some numbers and the product of those that are known. */
typedef struct extents {
  int num;
  int64_t *sizes;
  int num_unknown;
  int64_t known;
} extents;

/* Products stay below the stand-in, or the extents are of no use (known: 0). */
static void add_extent(extents *e, int64_t size) {
  e->sizes[e->num++] = size;
  if (size == TS_DYNAMIC)
    e->num_unknown++;
  else if (size > 0 && e->known < unknown / size)
    e->known *= size;
  else
    e->known = 0;
}

static extents extents_of_dim(ts_arena *arena, const ts_dim *dim) {
  extents e = {.sizes = TS_NEW(arena, int64_t, dim->num_factors), .known = 1};
  for (int f = 0; f < dim->num_factors; f++)
    add_extent(&e, dim->factors[f].size);
  return e;
}

static extents extents_of_sizes(ts_arena *arena, int num, const int64_t *sizes) {
  extents e = {.sizes = TS_NEW(arena, int64_t, num), .known = 1};
  for (int i = 0; i < num; i++)
    add_extent(&e, sizes[i]);
  return e;
}

/* Two ways to write one extent: puts numbers in place of the unknown one of each, so that both
 * multiply to the same. False if they cannot be told apart: two unknowns in one, or numbers that do
 * not fit. */
static bool fill_in(extents *a, extents *b) {
  if (!a->num_unknown && !b->num_unknown)
    return true;
  if (a->num_unknown > 1 || b->num_unknown > 1 || !a->known || !b->known)
    return false;
  int64_t common = a->known / ts_gcd(a->known, b->known);
  if (common > unknown / b->known)
    return false;
  int64_t whole = common * b->known * unknown; /* of unknown extent: a multiple of both */
  if (!a->num_unknown)
    whole = a->known;
  if (!b->num_unknown)
    whole = b->known;
  if (whole % a->known || whole % b->known)
    return false;
  for (int i = 0; i < a->num; i++)
    if (a->sizes[i] == TS_DYNAMIC)
      a->sizes[i] = whole / a->known;
  for (int i = 0; i < b->num; i++)
    if (b->sizes[i] == TS_DYNAMIC)
      b->sizes[i] = whole / b->known;
  return true;
}

ts_dim ts_dim_sized(ts_arena *arena, const ts_dim *dim, int64_t extent) {
  if (ts_dim_size(dim) == extent || dim->num_factors == 0)
    return *dim;
  ts_dim sized = ts_dim_of_factors(arena, dim->num_factors, dim->factors);
  ts_factor *factors = (ts_factor *)sized.factors;
  int chosen = 0; /* what makes room for an extent that is not known: the outermost factor */
  int64_t others = 1;
  for (int f = 0; f < dim->num_factors; f++) {
    if (factors[f].size == TS_DYNAMIC)
      chosen = f;
    else
      others *= factors[f].size;
  }
  bool fits = extent == TS_DYNAMIC || (others > 0 && extent % others == 0);
  if (!fits)
    return ts_dim_plain(arena, extent, 0, NULL);
  factors[chosen].size = extent == TS_DYNAMIC ? extent : extent / others;
  sized.halo[0] = dim->halo[0];
  sized.halo[1] = dim->halo[1];
  sized.offsets = dim->offsets;
  return sized;
}

/* ---- normal form ----------------------------------------------------------------------------- */

/* `factor` without axes of extent 1, which split nothing. */
static ts_factor without_unit_axes(const ts_grid *grid, const ts_factor *factor) {
  ts_factor result = {.size = factor->size};
  for (int i = 0; i < factor->num_axes; i++)
    if (grid->shape[factor->axes[i]] != 1)
      result.axes[result.num_axes++] = factor->axes[i];
  return result;
}

/* Joins `inner` to `outer` if the two split on their own are one factor split plainly:
 * (a)(b) = (ab); (a@X)(b) = (ab)@X if |X| divides a; (a@X)(b@Y) = (ab)@(X,Y) if |X| = a and |Y|
 * divides b. */
static bool merge(const ts_grid *grid, ts_factor *outer, const ts_factor *inner) {
  int64_t a = with_stand_in(outer->size), b = with_stand_in(inner->size);
  if (outer->size == TS_DYNAMIC && inner->size == TS_DYNAMIC)
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
  outer->size = outer->size == TS_DYNAMIC || inner->size == TS_DYNAMIC ? TS_DYNAMIC : a * b;
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
  for (int f = 0; f < dim->num_factors; f++) {
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

/* ---- cutting --------------------------------------------------------------------------------- */

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
  for (int i = first; i < factor->num_axes; i++)
    axes |= (ts_axes)1 << factor->axes[i];
  return axes;
}

/* Takes the outer `room` indices off `factor` and leaves its inner rest in it. */
static void cut_factor(cutter *cut, ts_factor *factor) {
  int64_t outer_size = cut->room, inner_size = factor->size / cut->room;
  ts_factor outer = {.size = outer_size}, inner = {.size = inner_size};
  int64_t shards = 1;
  int i = 0;
  for (; i < factor->num_axes; i++) {
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

/* Fills one list of extent `cut->room` from `factors`, of which `*next` comes next. False if a
 * factor crosses the cut in a way that has no common refinement. */
static bool fill_list(cutter *cut, ts_factor *factors, int num_factors, int *next) {
  while (cut->room != 1 && *next < num_factors) {
    ts_factor *factor = &factors[*next];
    if (factor->size == 0 || cut->room == 0)
      return false;
    if (cut->room % factor->size == 0) {
      cut->room /= factor->size;
      cut->parts[cut->num_parts++] = factors[(*next)++];
    } else if (factor->size % cut->room == 0) {
      cut_factor(cut, factor);
    } else {
      return false;
    }
  }
  return true;
}

static ts_dim list_of(ts_arena *arena, const cutter *cut) {
  ts_dim list = ts_dim_of_factors(arena, cut->num_parts, cut->parts);
  list = ts_dim_normal(arena, cut->grid, &list);
  ts_factor *factors = (ts_factor *)list.factors;
  for (int f = 0; f < list.num_factors; f++)
    factors[f].size = without_stand_in(factors[f].size);
  return list;
}

ts_axes ts_dim_split(ts_arena *arena, const ts_grid *grid, const ts_dim *dim, int num,
                     const int64_t *sizes, ts_dim *lists) {
  if (num == 1) {
    ts_dim plain = ts_dim_of_factors(arena, dim->num_factors, dim->factors);
    plain = ts_dim_normal(arena, grid, &plain);
    lists[0] = ts_dim_sized(arena, &plain, sizes[0]);
    return dim->offsets ? ts_dim_axes(dim) : ts_dim_axes(&plain) & ~ts_dim_axes(&lists[0]);
  }
  ts_dim normal = ts_dim_normal(arena, grid, dim);
  extents have = extents_of_dim(arena, &normal), want = extents_of_sizes(arena, num, sizes);
  bool fits = fill_in(&have, &want) && !dim->offsets;
  ts_factor *factors =
      ts_arena_copy(arena, normal.factors, sizeof(ts_factor) * (size_t)normal.num_factors);
  for (int f = 0; f < normal.num_factors; f++)
    factors[f].size = have.sizes[f];
  cutter cut = {.grid = grid, .dropped = dim->offsets ? ts_dim_axes(dim) : 0};
  int next = 0;
  for (int i = 0; i < num; i++) {
    cut.parts = TS_NEW(arena, ts_factor, normal.num_factors + 1);
    cut.num_parts = 0;
    cut.room = want.sizes[i];
    fits = fits && fill_list(&cut, factors, normal.num_factors, &next);
    for (int p = 0; !fits && p < cut.num_parts; p++)
      cut.dropped |= axes_of(&cut.parts[p], 0);
    lists[i] = fits ? list_of(arena, &cut) : ts_dim_plain(arena, sizes[i], 0, NULL);
  }
  for (; next < normal.num_factors; next++)
    cut.dropped |= axes_of(&factors[next], 0);
  return cut.dropped;
}

int ts_dim_common_cuts(ts_arena *arena, const ts_dim *a, const ts_dim *b, int64_t **sizes) {
  extents in_a = extents_of_dim(arena, a), in_b = extents_of_dim(arena, b);
  if (!fill_in(&in_a, &in_b))
    return 0;
  int64_t *cuts = TS_NEW(arena, int64_t, in_a.num + in_b.num);
  int num = 0, i = 0, j = 0;
  int64_t done = 1, at_a = 1, at_b = 1; /* indices outside of the current border */
  while (i < in_a.num || j < in_b.num) {
    int64_t next_a = i < in_a.num ? at_a * in_a.sizes[i] : INT64_MAX;
    int64_t next_b = j < in_b.num ? at_b * in_b.sizes[j] : INT64_MAX;
    int64_t next = next_a < next_b ? next_a : next_b;
    if (next <= 0 || next % done != 0)
      return 0;
    if (next_a == next) {
      at_a = next_a;
      i++;
    }
    if (next_b == next) {
      at_b = next_b;
      j++;
    }
    if (next != done)
      cuts[num++] = without_stand_in(next / done);
    done = next;
  }
  *sizes = cuts;
  return num;
}

ts_dim ts_dim_join(ts_arena *arena, const ts_grid *grid, int num, const ts_dim *const *parts) {
  int total = 0;
  for (int i = 0; i < num; i++)
    total += parts[i]->num_factors;
  ts_factor *factors = TS_NEW(arena, ts_factor, total);
  int used = 0;
  for (int i = 0; i < num; i++) {
    memcpy(factors + used, parts[i]->factors, sizeof(*factors) * (size_t)parts[i]->num_factors);
    used += parts[i]->num_factors;
  }
  ts_dim dim = ts_dim_of_factors(arena, used, factors);
  return ts_dim_normal(arena, grid, &dim);
}
