/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ranges of indices, shard by shard. It knows numbers only. */
#include "sharding/ranges.h"

#include <string.h>

static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

static bool is_empty(ts_range range) {
  return range.first >= range.end;
}

/* ---- one dimension --------------------------------------------------------------------------- */

ts_ranges ts_dim_ranges(ts_arena *arena, const ts_grid *grid, const ts_dim *dim) {
  const ts_ranges unknown = {0};
  int64_t shards = ts_dim_shards(grid, dim), size = ts_dim_size(dim);
  if (dim->num_factors != 1 || shards == TS_DYNAMIC || size == TS_DYNAMIC ||
      ts_is_run_time(dim->halo[0]) || ts_is_run_time(dim->halo[1]))
    return unknown;
  ts_ranges ranges = {shards, ts_arena_room(arena, sizeof(ts_range) * (size_t)shards), dim};
  int64_t first = 0, each = size / shards, larger_from = shards - size % shards;
  for (int64_t i = 0; i < shards; i++) {
    int64_t end = first + each + (i >= larger_from);
    if (dim->offsets) {
      if (ts_is_run_time(dim->offsets[i]) || ts_is_run_time(dim->offsets[i + 1]))
        return unknown;
      first = dim->offsets[i].known;
      end = dim->offsets[i + 1].known;
    }
    ranges.of[i] = (ts_range){first - dim->halo[0].known, end + dim->halo[1].known};
    first = end;
  }
  return ranges;
}

/* Empty ranges begin where the next others do, or at the last end: what lies between two offsets is
 * held. False if the others do not rise in [0, size]. */
static bool place_empty(ts_range *ranges, int64_t num, int64_t size) {
  int64_t first = 0, end = 0;
  for (int64_t i = 0; i < num; i++) {
    if (is_empty(ranges[i]))
      continue;
    if (ranges[i].first < first || ranges[i].end < end || ranges[i].end > size)
      return false;
    first = ranges[i].first;
    end = ranges[i].end;
  }
  for (int64_t i = num - 1; i >= 0; i--) {
    if (is_empty(ranges[i]))
      ranges[i] = (ts_range){end, end};
    end = ranges[i].first;
  }
  return true;
}

/* Some indices each, and both ends of each before those of the one before. */
static bool all_fall(ts_ranges ranges) {
  bool fall = ranges.num > 1 && !is_empty(ranges.of[0]);
  for (int64_t i = 1; fall && i < ranges.num; i++)
    fall = !is_empty(ranges.of[i]) && ranges.of[i].first < ranges.of[i - 1].first &&
           ranges.of[i].end < ranges.of[i - 1].end;
  return fall;
}

/* Of ranges that fall: offsets are their ends, and a halo before reaches back to where they begin.
 */
static bool dim_of_falling(ts_arena *arena, const ts_dim *like, int64_t size, ts_ranges ranges,
                           ts_dim *dim) {
  int64_t reach = 0;
  for (int64_t i = 1; i < ranges.num; i++)
    reach = larger(reach, ranges.of[i - 1].end - ranges.of[i].first);
  ts_number *offsets = TS_NEW(arena, ts_number, ranges.num + 1);
  offsets[0] = ts_known_number(ranges.of[0].first + reach);
  for (int64_t i = 0; i < ranges.num; i++) {
    offsets[i + 1] = ts_known_number(ranges.of[i].end);
    if (offsets[i].known < reach || ranges.of[i].end > size)
      return false;
  }
  *dim = ts_dim_plain(arena, size, like->factors[0].num_axes, like->factors[0].axes);
  dim->offsets = offsets;
  dim->halo[0] = ts_known_number(reach);
  return true;
}

static bool is_balanced(const ts_grid *grid, const ts_dim *dim) {
  return !ts_dim_has_halo(dim) && ts_dim_is_balanced(grid, dim);
}

bool ts_dim_of_ranges(ts_arena *arena, const ts_grid *grid, const ts_dim *like, int64_t size,
                      ts_ranges ranges, ts_dim *dim) {
  int64_t num = ts_dim_shards(grid, like), overlap = 0;
  if (!ranges.of || num != ranges.num || like->num_factors != 1)
    return false;
  if (all_fall(ranges))
    return dim_of_falling(arena, like, size, ranges, dim);
  ts_range *placed = ts_arena_copy(arena, ranges.of, sizeof(*placed) * (size_t)num);
  if (!place_empty(placed, num, size))
    return false;
  for (int64_t i = 0; i + 1 < num; i++)
    overlap = larger(overlap, placed[i].end - placed[i + 1].first);
  /* Behind here a halo of that width would reach beyond the end: shards that begin there hold more.
   */
  int64_t last = size - overlap;
  if (last < 0)
    return false;
  ts_number *offsets = TS_NEW(arena, ts_number, num + 1);
  for (int64_t i = 0; i < num; i++)
    offsets[i] = ts_known_number(smaller(placed[i].first, last));
  offsets[num] =
      ts_known_number(smaller(larger(placed[num - 1].first, placed[num - 1].end - overlap), last));
  const ts_factor *factor = &like->factors[0];
  *dim = ts_dim_plain(arena, size, factor->num_axes, factor->axes);
  dim->offsets = offsets;
  dim->halo[1] = ts_known_number(overlap);
  if (is_balanced(grid, dim))
    dim->offsets = NULL;
  return true;
}

/* ---- ranges ---------------------------------------------------------------------------------- */

ts_ranges ts_ranges_union(ts_arena *arena, ts_ranges a, ts_ranges b) {
  if (!a.of || !b.of || a.num != b.num)
    return (ts_ranges){0};
  ts_ranges both = {a.num, TS_NEW(arena, ts_range, a.num), a.shards};
  for (int64_t i = 0; i < a.num; i++) {
    ts_range x = a.of[i], y = b.of[i];
    both.of[i] = is_empty(x)   ? y
                 : is_empty(y) ? x
                               : (ts_range){smaller(x.first, y.first), larger(x.end, y.end)};
  }
  return both;
}

bool ts_ranges_contain(ts_ranges whole, ts_ranges part) {
  for (int64_t i = 0; i < part.num; i++) {
    ts_range held = whole.of[whole.num == 1 ? 0 : i];
    if (!is_empty(part.of[i]) && (part.of[i].first < held.first || part.of[i].end > held.end))
      return false;
  }
  return true;
}

bool ts_ranges_equal(ts_ranges a, ts_ranges b) {
  return a.of && b.of && a.num == b.num &&
         memcmp(a.of, b.of, sizeof(ts_range) * (size_t)a.num) == 0;
}

int64_t ts_ranges_longest(ts_ranges ranges) {
  int64_t longest = 0;
  for (int64_t i = 0; i < ranges.num; i++)
    longest = larger(longest, ranges.of[i].end - ranges.of[i].first);
  return longest;
}

bool ts_are_as_short(ts_ranges asked, ts_ranges held) {
  int64_t longest = ts_ranges_longest(held);
  return ts_ranges_longest(asked) <= longest + 1 + longest / 16;
}

/* ---- shardings ------------------------------------------------------------------------------- */

bool ts_sharding_has_ranges(const ts_sharding *sharding) {
  bool any = false;
  for (int d = 0; d < sharding->rank; d++)
    any = any || sharding->dims[d].offsets || ts_dim_has_halo(&sharding->dims[d]);
  return any && !ts_sharding_run_time(sharding, NULL);
}

bool ts_sharding_has_all(const ts_sharding *sharding) {
  for (int d = 0; d < sharding->rank; d++) {
    const ts_dim *dim = &sharding->dims[d];
    if (!dim->offsets)
      continue;
    ts_number start = dim->offsets[0], end = dim->offsets[ts_dim_shards(sharding->grid, dim)];
    if ((!ts_is_run_time(start) && start.known != 0) ||
        (!ts_is_run_time(end) && ts_dim_size(dim) != TS_DYNAMIC && end.known != ts_dim_size(dim)))
      return false;
  }
  return true;
}

bool ts_dim_splits_alike(const ts_dim *a, const ts_dim *b) {
  if (a->num_factors != 1 || b->num_factors != 1)
    return false;
  const ts_factor *x = &a->factors[0], *y = &b->factors[0];
  return x->num_axes == y->num_axes && memcmp(x->axes, y->axes, (size_t)x->num_axes) == 0;
}

/* `read` is what is read of a piece under `part`, or all of it. */
static bool dim_contains(ts_arena *arena, const ts_grid *grid, const ts_dim *whole,
                         const ts_dim *part, ts_ranges read) {
  ts_ranges held = ts_dim_ranges(arena, grid, whole);
  if (!read.of)
    read = ts_dim_ranges(arena, grid, part);
  if (!held.of || !read.of || (held.num != 1 && !ts_dim_splits_alike(whole, part)))
    return false;
  return ts_ranges_contain(held, read);
}

bool ts_sharding_contains_read(ts_arena *arena, const ts_sharding *whole, const ts_sharding *part,
                               const ts_ranges *read) {
  if (whole->grid != part->grid || whole->rank != part->rank || whole->num_partial ||
      part->num_partial)
    return false;
  for (int d = 0; d < whole->rank; d++) {
    const ts_dim *a = &whole->dims[d], *b = &part->dims[d];
    bool same = !a->offsets && !b->offsets && ts_dim_equal(a, b);
    if (!same && !dim_contains(arena, whole->grid, a, b, read ? read[d] : (ts_ranges){0}))
      return false;
  }
  return true;
}

bool ts_sharding_contains(ts_arena *arena, const ts_sharding *whole, const ts_sharding *part) {
  return ts_sharding_contains_read(arena, whole, part, NULL);
}

/* ---- elements -------------------------------------------------------------------------------- */

/* This device's shard of a dimension of which no factor but the outermost is split. */
static int64_t shard_at(const ts_grid *grid, const ts_dim *dim, const int64_t *at) {
  int64_t shard = 0;
  const ts_factor *factor = &dim->factors[0];
  for (int i = 0; i < factor->num_axes; i++)
    shard = shard * grid->shape[factor->axes[i]] + at[factor->axes[i]];
  return shard;
}

static int64_t length_in(ts_range range, int64_t size) {
  return larger(0, smaller(range.end, size) - larger(range.first, 0));
}

/* What is wanted of a dimension, and what is held of it. */
typedef struct wished_dim {
  const ts_dim *from, *to;
  ts_ranges held, wanted;
  int64_t size;
} wished_dim;

/* A piece that is wanted, and what is held of it. */
typedef struct wish {
  const ts_sharding *from, *to; /* `from` NULL: nothing */
  double all, kept;             /* along dimensions that are whole on both sides */
  int num;                      /* the others */
  wished_dim *dims;
} wish;

static void count_dim(const wish *w, const wished_dim *dim, int64_t wanted, int64_t held,
                      double *all, double *kept) {
  ts_range want = dim->wanted.of[wanted];
  *all *= (double)length_in(want, dim->size);
  if (!w->from)
    return;
  ts_range have = dim->held.of[held];
  ts_range both = {larger(want.first, have.first), smaller(want.end, have.end)};
  *kept *= (double)length_in(both, dim->size);
}

/* The pieces of a dimension of several factors, too, where only the outermost is split. */
static ts_ranges pieces_of(ts_arena *arena, const ts_grid *grid, const ts_dim *dim) {
  const ts_factor *outermost = ts_dim_as_one(grid, dim, true);
  int64_t size = ts_dim_size(dim);
  if (dim->num_factors == 1 || !outermost || size == TS_DYNAMIC || ts_dim_has_halo(dim))
    return ts_dim_ranges(arena, grid, dim);
  ts_dim rows = ts_dim_plain(arena, outermost->size, outermost->num_axes, outermost->axes);
  ts_ranges pieces = ts_dim_ranges(arena, grid, &rows);
  pieces.shards = dim;
  for (int64_t i = 0; pieces.of && i < pieces.num; i++) {
    pieces.of[i].first *= size / rows.factors[0].size;
    pieces.of[i].end *= size / rows.factors[0].size;
  }
  return pieces;
}

/* False if ranges do not say it. */
static bool read_wish(ts_arena *arena, const ts_sharding *from, const ts_sharding *to, wish *out) {
  *out = (wish){from, to, 1, 1, 0, TS_NEW(arena, wished_dim, to->rank)};
  for (int d = 0; d < to->rank; d++) {
    wished_dim dim = {.to = &to->dims[d], .size = ts_dim_size(&to->dims[d])};
    dim.wanted = pieces_of(arena, to->grid, dim.to);
    if (from) {
      dim.from = &from->dims[d];
      dim.held = pieces_of(arena, from->grid, dim.from);
    }
    if (!dim.wanted.of || (from && !dim.held.of))
      return false;
    if (dim.wanted.num > 1 || dim.held.num > 1)
      out->dims[out->num++] = dim;
    else
      count_dim(out, &dim, 0, 0, &out->all, &out->kept);
  }
  return true;
}

/* Elements of the piece that the device at these coordinates does not have. */
static double lacking_at(const wish *w, const int64_t *at) {
  double all = w->all, kept = w->kept;
  for (int d = 0; d < w->num; d++)
    count_dim(w, &w->dims[d], shard_at(w->to->grid, w->dims[d].to, at),
              w->from ? shard_at(w->from->grid, w->dims[d].from, at) : 0, &all, &kept);
  return w->from ? all - kept : all;
}

static void next_device(const ts_grid *grid, int64_t *at) {
  for (int a = grid->rank - 1; a >= 0; a--) {
    if (++at[a] < grid->shape[a])
      return;
    at[a] = 0;
  }
}

enum { MOST_DEVICES = 4096 };

int64_t ts_devices_looked_at(const ts_grid *grid) {
  int64_t devices = ts_grid_devices(grid);
  return devices == TS_DYNAMIC ? 0 : smaller(devices, MOST_DEVICES);
}

bool ts_sharding_add_lacking(ts_arena *arena, const ts_sharding *from, int num,
                             const ts_sharding *const *to, double times, double *by_device) {
  wish *wishes = TS_NEW(arena, wish, num);
  if (ts_grid_devices(to[0]->grid) == TS_DYNAMIC)
    return false;
  for (int i = 0; i < num; i++)
    if (!read_wish(arena, from, to[i], &wishes[i]))
      return false;
  int64_t at[TS_MAX_AXES] = {0}, looked_at = ts_devices_looked_at(to[0]->grid);
  for (int64_t device = 0; device < looked_at; device++, next_device(to[0]->grid, at))
    for (int i = 0; i < num; i++)
      by_device[device] += times * lacking_at(&wishes[i], at);
  return true;
}

double ts_largest(int64_t num, const double *numbers) {
  double largest = 0;
  for (int64_t i = 0; i < num; i++)
    largest = numbers[i] > largest ? numbers[i] : largest;
  return largest;
}

double ts_sharding_lacking_each(ts_arena *arena, const ts_sharding *from, int num,
                                const ts_sharding *const *to) {
  double by_device[MOST_DEVICES];
  int64_t devices = ts_devices_looked_at(to[0]->grid);
  for (int64_t i = 0; i < devices; i++)
    by_device[i] = 0;
  return ts_sharding_add_lacking(arena, from, num, to, 1, by_device)
             ? ts_largest(devices, by_device)
             : -1;
}

double ts_sharding_most_elements(ts_arena *arena, const ts_sharding *layout) {
  return ts_sharding_lacking_each(arena, NULL, 1, &layout);
}

double ts_sharding_lacking(ts_arena *arena, const ts_sharding *from, const ts_sharding *to) {
  return ts_sharding_lacking_each(arena, from, 1, &to);
}
