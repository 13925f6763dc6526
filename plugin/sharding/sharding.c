/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Making and asking of shardings. Dimensions are in dims.c, the algebra of factors is in factors.c.
 * It knows numbers only. */
#include "sharding/sharding.h"

#include <string.h>

int64_t ts_grid_devices(const ts_grid *grid) {
  int64_t devices = 1;
  for (int a = 0; a < grid->rank; a++) {
    if (grid->shape[a] == TS_DYNAMIC)
      return TS_DYNAMIC;
    devices *= grid->shape[a];
  }
  return devices;
}

/* ---- making ---------------------------------------------------------------------------------- */

const ts_sharding *ts_sharding_replicated(ts_arena *arena, const ts_grid *grid, int rank,
                                          const int64_t *shape) {
  ts_sharding *sharding = TS_NEW(arena, ts_sharding, 1);
  ts_dim *dims = TS_NEW(arena, ts_dim, rank);
  ts_factor *factors = TS_NEW(arena, ts_factor, rank);
  for (int d = 0; d < rank; d++) {
    factors[d].size = shape[d];
    dims[d] = (ts_dim){.num_factors = 1, .factors = &factors[d]};
  }
  *sharding = (ts_sharding){.grid = grid, .rank = rank, .dims = dims};
  return sharding;
}

const ts_sharding *ts_sharding_with_partial(ts_arena *arena, const ts_sharding *sharding,
                                            int num_partial, const ts_partial *partial) {
  ts_sharding *copy = ts_arena_copy(arena, sharding, sizeof(*sharding));
  ts_partial *sorted = ts_arena_copy(arena, partial, sizeof(*partial) * (size_t)num_partial);
  for (int i = 1; i < num_partial; i++)
    for (int j = i; j > 0 && sorted[j].axis < sorted[j - 1].axis; j--) {
      ts_partial swap = sorted[j];
      sorted[j] = sorted[j - 1];
      sorted[j - 1] = swap;
    }
  copy->num_partial = num_partial;
  copy->partial = sorted;
  return copy;
}

const ts_sharding *ts_completed(ts_arena *arena, const ts_sharding *layout) {
  return layout->num_partial ? ts_sharding_with_partial(arena, layout, 0, NULL) : layout;
}

ts_dim ts_dim_without(ts_arena *arena, const ts_grid *grid, const ts_dim *dim, ts_axes axes) {
  if (!(ts_dim_axes(dim) & axes))
    return *dim;
  ts_factor *factors =
      ts_arena_copy(arena, dim->factors, sizeof(ts_factor) * (size_t)dim->num_factors);
  for (int f = 0; f < dim->num_factors; f++) {
    int kept = 0;
    for (int i = 0; i < factors[f].num_axes; i++)
      if (!(axes >> factors[f].axes[i] & 1))
        factors[f].axes[kept++] = factors[f].axes[i];
    factors[f].num_axes = (int8_t)kept;
  }
  ts_dim left = ts_dim_of_factors(arena, dim->num_factors, factors);
  return ts_dim_normal(arena, grid, &left);
}

const ts_sharding *ts_sharding_without(ts_arena *arena, const ts_sharding *layout, ts_axes axes) {
  for (int d = 0; d < layout->rank; d++)
    if (ts_dim_axes(&layout->dims[d]) & axes)
      layout = ts_sharding_with_dim(arena, layout, d,
                                    ts_dim_without(arena, layout->grid, &layout->dims[d], axes));
  return layout;
}

const ts_sharding *ts_add_partial(ts_arena *arena, const ts_sharding *layout, ts_axes axes,
                                  ts_reduction kind) {
  ts_partial partial[TS_MAX_AXES];
  int num = 0;
  bool added = false;
  for (int a = 0, i = 0; a < layout->grid->rank; a++) {
    if (i < layout->num_partial && layout->partial[i].axis == a) {
      partial[num++] = layout->partial[i++];
    } else if (axes >> a & 1 && layout->grid->shape[a] != 1) {
      partial[num++] = (ts_partial){a, kind};
      added = true;
    }
  }
  return added ? ts_sharding_with_partial(arena, layout, num, partial) : layout;
}

const ts_sharding *ts_sharding_with_dim(ts_arena *arena, const ts_sharding *sharding, int d,
                                        ts_dim dim) {
  ts_sharding *copy = ts_arena_copy(arena, sharding, sizeof(*sharding));
  ts_dim *dims = ts_arena_copy(arena, sharding->dims, sizeof(*dims) * (size_t)sharding->rank);
  dims[d] = dim;
  copy->dims = dims;
  return copy;
}

const ts_sharding *ts_sharding_normal(ts_arena *arena, const ts_sharding *sharding) {
  ts_sharding *copy = ts_arena_copy(arena, sharding, sizeof(*sharding));
  ts_dim *dims = TS_NEW(arena, ts_dim, sharding->rank);
  for (int d = 0; d < sharding->rank; d++)
    dims[d] = ts_dim_normal(arena, sharding->grid, &sharding->dims[d]);
  copy->dims = dims;
  ts_partial *partial = TS_NEW(arena, ts_partial, sharding->num_partial);
  copy->num_partial = 0;
  for (int i = 0; i < sharding->num_partial; i++)
    if (sharding->grid->shape[sharding->partial[i].axis] != 1)
      partial[copy->num_partial++] = sharding->partial[i];
  copy->partial = partial;
  return copy;
}

ts_dim ts_dim_copy(ts_arena *arena, const ts_grid *grid, const ts_dim *dim) {
  ts_dim copy = *dim;
  copy.factors =
      ts_arena_copy(arena, dim->factors, sizeof(*dim->factors) * (size_t)dim->num_factors);
  if (dim->offsets)
    copy.offsets = ts_arena_copy(arena, dim->offsets,
                                 sizeof(*dim->offsets) * (size_t)(ts_dim_shards(grid, dim) + 1));
  return copy;
}

const ts_sharding *ts_sharding_copy(ts_arena *arena, const ts_sharding *sharding) {
  ts_dim *dims = TS_NEW(arena, ts_dim, sharding->rank);
  for (int d = 0; d < sharding->rank; d++)
    dims[d] = ts_dim_copy(arena, sharding->grid, &sharding->dims[d]);
  ts_sharding whole = *sharding;
  whole.dims = dims;
  return ts_sharding_with_partial(arena, &whole, sharding->num_partial, sharding->partial);
}

const ts_sharding *ts_sharding_balanced(ts_arena *arena, const ts_sharding *sharding) {
  for (int d = 0; d < sharding->rank; d++) {
    const ts_dim *dim = &sharding->dims[d];
    if (dim->offsets || ts_dim_has_halo(dim))
      sharding = ts_sharding_with_dim(arena, sharding, d,
                                      ts_dim_of_factors(arena, dim->num_factors, dim->factors));
  }
  return sharding;
}

/* ---- asking ---------------------------------------------------------------------------------- */

ts_axes ts_sharding_split_axes(const ts_sharding *sharding) {
  ts_axes axes = 0;
  for (int d = 0; d < sharding->rank; d++)
    axes |= ts_dim_axes(&sharding->dims[d]);
  return axes;
}

ts_axes ts_sharding_partial_axes(const ts_sharding *sharding) {
  ts_axes axes = 0;
  for (int i = 0; i < sharding->num_partial; i++)
    axes |= (ts_axes)1 << sharding->partial[i].axis;
  return axes;
}

bool ts_sharding_is_replicated(const ts_sharding *sharding) {
  ts_axes axes = ts_sharding_split_axes(sharding) | ts_sharding_partial_axes(sharding);
  for (int a = 0; a < sharding->grid->rank; a++)
    if (axes >> a & 1 && sharding->grid->shape[a] != 1)
      return false;
  return true;
}

bool ts_partial_equal(const ts_sharding *a, const ts_sharding *b) {
  if (a->num_partial != b->num_partial)
    return false;
  for (int i = 0; i < a->num_partial; i++)
    if (a->partial[i].axis != b->partial[i].axis || a->partial[i].kind != b->partial[i].kind)
      return false;
  return true;
}

static bool offsets_equal(const ts_dim *a, const ts_dim *b, int64_t shards) {
  if (!a->offsets || !b->offsets)
    return a->offsets == b->offsets;
  for (int64_t i = 0; i <= shards; i++)
    if (!ts_number_equal(a->offsets[i], b->offsets[i]))
      return false;
  return true;
}

bool ts_sharding_equal(const ts_sharding *a, const ts_sharding *b) {
  if (a == b)
    return true;
  if (a->grid != b->grid || a->rank != b->rank || !ts_partial_equal(a, b))
    return false;
  for (int d = 0; d < a->rank; d++)
    if (!ts_dim_equal(&a->dims[d], &b->dims[d]) ||
        (a->dims[d].offsets &&
         !offsets_equal(&a->dims[d], &b->dims[d], ts_dim_shards(a->grid, &a->dims[d]))))
      return false;
  return true;
}

bool ts_sharding_equivalent(ts_arena *arena, const ts_sharding *a, const ts_sharding *b) {
  if (ts_sharding_equal(a, b))
    return true;
  if (a->grid != b->grid || a->rank != b->rank)
    return false;
  a = ts_sharding_normal(arena, a);
  b = ts_sharding_normal(arena, b);
  if (!ts_partial_equal(a, b))
    return false;
  for (int d = 0; d < a->rank; d++) {
    ts_dim x = a->dims[d], y = b->dims[d];
    if (ts_dim_is_balanced(a->grid, &x))
      x.offsets = NULL;
    if (ts_dim_is_balanced(b->grid, &y))
      y.offsets = NULL;
    if (!ts_dim_equal(&x, &y) || !offsets_equal(&x, &y, ts_dim_shards(a->grid, &x)))
      return false;
  }
  return true;
}

static int64_t run_time_of_dim(const ts_grid *grid, const ts_dim *dim, ts_number *numbers) {
  int64_t num = 0;
  int64_t offsets = dim->offsets ? ts_dim_shards(grid, dim) + 1 : 0;
  for (int64_t i = 0; i < 2 + offsets; i++) {
    ts_number number = i < 2 ? dim->halo[i] : dim->offsets[i - 2];
    if (!ts_is_run_time(number))
      continue;
    if (numbers)
      numbers[num] = number;
    num++;
  }
  return num;
}

int64_t ts_sharding_run_time(const ts_sharding *sharding, ts_number *numbers) {
  int64_t num = 0;
  for (int d = 0; d < sharding->rank; d++)
    num += run_time_of_dim(sharding->grid, &sharding->dims[d], numbers ? numbers + num : NULL);
  return num;
}

/* The extent that all shards of explicit `offsets` share, or TS_DYNAMIC. */
static int64_t common_extent(const ts_number *offsets, int64_t shards) {
  for (int64_t i = 0; i <= shards; i++)
    if (ts_is_run_time(offsets[i]))
      return TS_DYNAMIC;
  for (int64_t i = 0; i < shards; i++)
    if (offsets[i + 1].known - offsets[i].known != offsets[1].known - offsets[0].known)
      return TS_DYNAMIC;
  return offsets[1].known - offsets[0].known;
}

int64_t ts_dim_local_size(const ts_grid *grid, const ts_dim *dim) {
  int64_t local = 1;
  if (ts_is_run_time(dim->halo[0]) || ts_is_run_time(dim->halo[1]))
    return TS_DYNAMIC;
  if (dim->offsets) {
    int64_t shards = ts_dim_shards(grid, dim);
    local = shards == TS_DYNAMIC ? TS_DYNAMIC : common_extent(dim->offsets, shards);
    return local == TS_DYNAMIC ? local : local + dim->halo[0].known + dim->halo[1].known;
  }
  for (int f = 0; f < dim->num_factors; f++) {
    if (!ts_factor_even(grid, &dim->factors[f]))
      return TS_DYNAMIC;
    local *= dim->factors[f].size / ts_factor_shards(grid, &dim->factors[f]);
  }
  return local + dim->halo[0].known + dim->halo[1].known;
}

double ts_sharding_local_elements(const ts_sharding *sharding) {
  double elements = 1;
  for (int d = 0; d < sharding->rank; d++)
    for (int f = 0; f < sharding->dims[d].num_factors; f++) {
      const ts_factor *factor = &sharding->dims[d].factors[f];
      int64_t shards = ts_factor_shards(sharding->grid, factor);
      int64_t size = factor->size == TS_DYNAMIC ? 1024 : factor->size;
      elements *= (double)(shards == TS_DYNAMIC ? size : (size + shards - 1) / shards);
    }
  return elements;
}

/* ---- mistakes -------------------------------------------------------------------------------- */

typedef enum coverage { COVERS_ALL, COVERS_PART } coverage;

/* The pieces of a part that lies from its end to its start, each inside of the dimension with its
 * halo. */
static bool falls_inside(const ts_dim *dim, int64_t shards, int64_t size) {
  bool falls = shards > 1 && size != TS_DYNAMIC && !ts_is_run_time(dim->halo[0]) &&
               !ts_is_run_time(dim->halo[1]) && !ts_is_run_time(dim->offsets[0]);
  for (int64_t i = 0; falls && i < shards; i++) {
    ts_number start = dim->offsets[i], end = dim->offsets[i + 1];
    falls = !ts_is_run_time(end) && end.known < start.known &&
            start.known - dim->halo[0].known >= 0 && end.known + dim->halo[1].known <= size &&
            start.known - dim->halo[0].known <= end.known + dim->halo[1].known;
  }
  return falls;
}

static const char *offsets_mistake(ts_arena *arena, const ts_grid *grid, const ts_dim *dim, int d,
                                   coverage coverage) {
  int64_t shards = ts_dim_shards(grid, dim), size = ts_dim_size(dim);
  bool all = coverage == COVERS_ALL;
  if (!dim->offsets || shards == TS_DYNAMIC || (!all && falls_inside(dim, shards, size)))
    return NULL;
  /* What only the launch knows is checked there. */
  int64_t last = 0;
  ts_number start = dim->offsets[0], end = dim->offsets[shards];
  if (all && !ts_is_run_time(start) && start.known != 0)
    return ts_arena_format(arena, "the shard offsets of dimension %d start at %lld, expected 0", d,
                           (long long)start.known);
  for (int64_t i = 0; i <= shards; i++) {
    ts_number offset = dim->offsets[i];
    if (ts_is_run_time(offset))
      continue;
    if (offset.known < last)
      return ts_arena_format(arena, "the shard offsets of dimension %d decrease from %lld to %lld",
                             d, (long long)last, (long long)offset.known);
    last = offset.known;
  }
  if (size != TS_DYNAMIC && !ts_is_run_time(end) && (all ? end.known != size : end.known > size))
    return ts_arena_format(
        arena, "the shard offsets of dimension %d end at %lld, expected its extent %lld", d,
        (long long)end.known, (long long)size);
  return NULL;
}

static const char *halo_mistake(ts_arena *arena, const ts_dim *dim, int d) {
  for (int side = 0; side < 2; side++) {
    const char *mistake =
        ts_number_mistake(arena, "a halo size", ts_number_to_attribute(dim->halo[side]));
    if (mistake)
      return ts_arena_format(arena, "%s, for dimension %d", mistake, d);
  }
  return NULL;
}

const char *ts_axis_mistake(ts_arena *arena, const ts_grid *grid, int axis, ts_axes *seen) {
  if (axis < 0 || axis >= grid->rank)
    return ts_arena_format(arena, "axis %d is outside grid @%s, which has %d axes", axis,
                           grid->name, grid->rank);
  if (*seen >> axis & 1)
    return ts_arena_format(arena, "axis %d of grid @%s is used twice, expected at most once", axis,
                           grid->name);
  *seen |= (ts_axes)1 << axis;
  return NULL;
}

static const char *size_text(ts_arena *arena, int64_t size) {
  return size == TS_DYNAMIC ? "?" : ts_arena_format(arena, "%lld", (long long)size);
}

static int num_unknown_factors(const ts_dim *dim) {
  int num = 0;
  for (int f = 0; f < dim->num_factors; f++)
    num += dim->factors[f].size == TS_DYNAMIC;
  return num;
}

static const char *mistake_of(ts_arena *arena, const ts_sharding *sharding, int rank,
                              const int64_t *shape, coverage coverage) {
  if (sharding->rank != rank)
    return ts_arena_format(arena, "the sharding has %d dimensions, expected the tensor's %d",
                           sharding->rank, rank);
  ts_axes seen = 0;
  const char *mistake = NULL;
  for (int d = 0; d < rank && !mistake; d++) {
    const ts_dim *dim = &sharding->dims[d];
    for (int f = 0; f < dim->num_factors && !mistake; f++)
      for (int i = 0; i < dim->factors[f].num_axes && !mistake; i++)
        mistake = ts_axis_mistake(arena, sharding->grid, dim->factors[f].axes[i], &seen);
    if (!mistake && num_unknown_factors(dim) > 1)
      mistake = ts_arena_format(arena,
                                "%d factors of dimension %d have extents known only at run time, "
                                "expected one at most",
                                num_unknown_factors(dim), d);
    if (!mistake && ts_dim_size(dim) != shape[d])
      mistake = ts_arena_format(arena, "the factors of dimension %d multiply to %s, expected %s", d,
                                size_text(arena, ts_dim_size(dim)), size_text(arena, shape[d]));
    if (!mistake)
      mistake = halo_mistake(arena, dim, d);
    if (!mistake)
      mistake = offsets_mistake(arena, sharding->grid, dim, d, coverage);
  }
  for (int i = 0; i < sharding->num_partial && !mistake; i++)
    mistake = ts_axis_mistake(arena, sharding->grid, sharding->partial[i].axis, &seen);
  return mistake;
}

const char *ts_sharding_mistake(ts_arena *arena, const ts_sharding *sharding, int rank,
                                const int64_t *shape) {
  return mistake_of(arena, sharding, rank, shape, COVERS_ALL);
}

const char *ts_sharding_mistake_of_part(ts_arena *arena, const ts_sharding *sharding, int rank,
                                        const int64_t *shape) {
  return mistake_of(arena, sharding, rank, shape, COVERS_PART);
}
