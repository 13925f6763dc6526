/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What changes between two shardings, and what devices hold in between. It knows numbers only. */
#include "reshard/problem.h"

#include <string.h>

#include "sharding/ranges.h"

/* ---- comparing both ends --------------------------------------------------------------------- */

/* What the making of a problem appends to. */
typedef struct maker {
  ts_arena *arena;
  ts_problem *problem;
  ts_expansion expansion;
  bool has_partial;
  /* The expanded tensor so far, if layouts are asked for. */
  int num_dims, capacity;
  ts_dim *from, *to;
} maker;

static ts_axis_list list_of(const ts_grid *grid, const ts_factor *factor) {
  ts_axis_list list = {.num = 0};
  for (int i = 0; i < factor->num_axes; i++)
    if (grid->shape[factor->axes[i]] != 1)
      list.axes[list.num++] = factor->axes[i];
  return list;
}

static bool lists_equal(const ts_axis_list *a, const ts_axis_list *b) {
  return a->num == b->num && memcmp(a->axes, b->axes, (size_t)a->num) == 0;
}

static void append_dim(maker *m, const ts_dim *from, const ts_dim *to) {
  if (m->expansion == TS_NUMBERS_ONLY) {
    m->num_dims++;
    return;
  }
  if (m->num_dims == m->capacity) {
    int capacity = m->capacity ? 2 * m->capacity : 8;
    ts_dim *from_dims = TS_NEW(m->arena, ts_dim, capacity);
    ts_dim *to_dims = TS_NEW(m->arena, ts_dim, capacity);
    for (int d = 0; d < m->num_dims; d++) {
      from_dims[d] = m->from[d];
      to_dims[d] = m->to[d];
    }
    m->from = from_dims;
    m->to = to_dims;
    m->capacity = capacity;
  }
  m->from[m->num_dims] = *from;
  m->to[m->num_dims++] = *to;
}

static bool has_known_offsets(const ts_grid *grid, const ts_dim *dim) {
  int64_t shards = dim->offsets ? ts_dim_shards(grid, dim) : TS_DYNAMIC;
  for (int64_t i = 0; i <= shards; i++)
    if (ts_is_run_time(dim->offsets[i]))
      return false;
  return shards != TS_DYNAMIC;
}

/* Elements of the largest shard of a dimension; unknown extents count as 1024, unknown offsets as
 * balanced. */
static double held_of_dim(const ts_grid *grid, const ts_dim *dim) {
  double held = 1;
  int64_t shards;
  if (has_known_offsets(grid, dim)) {
    shards = ts_dim_shards(grid, dim);
    int64_t most = 0;
    for (int64_t i = 0; i < shards; i++) {
      int64_t size = dim->offsets[i + 1].known - dim->offsets[i].known;
      most = size > most ? size : most;
    }
    return (double)most;
  }
  for (int f = 0; f < dim->num_factors; f++) {
    int64_t size = dim->factors[f].size == TS_DYNAMIC ? 1024 : dim->factors[f].size;
    shards = ts_factor_shards(grid, &dim->factors[f]);
    held *= (double)(shards == TS_DYNAMIC ? size : (size + shards - 1) / shards);
  }
  return held;
}

/* A dimension that stays as it is. */
static void append_fixed(maker *m, const ts_dim *from, const ts_dim *to) {
  m->problem->fixed |= ts_dim_axes(from);
  m->problem->others *= held_of_dim(m->problem->grid, from);
  m->problem->others_after *= held_of_dim(m->problem->grid, to);
  append_dim(m, from, to);
}

/* A plain dimension, or a factor of one that was cut, without halo and offsets. */
static void append_plain(maker *m, const ts_factor *from, const ts_factor *to) {
  ts_problem *p = m->problem;
  ts_axis_list a = list_of(p->grid, from), b = list_of(p->grid, to);
  if (lists_equal(&a, &b) && (!m->has_partial || p->num >= TS_MAX_LISTED)) {
    double held = held_of_dim(p->grid, &(ts_dim){.num_factors = 1, .factors = from});
    p->others *= held;
    p->others_after *= held;
    for (int i = 0; i < a.num; i++)
      p->fixed |= (ts_axes)1 << a.axes[i];
  } else {
    p->sizes[p->num] = from->size;
    p->where[p->num] = m->num_dims;
    p->from[p->num] = a;
    p->to[p->num++] = b;
  }
  if (m->expansion == TS_NUMBERS_ONLY) {
    m->num_dims++;
    return;
  }
  ts_dim from_dim = ts_dim_plain(m->arena, from->size, a.num, a.axes);
  ts_dim to_dim = ts_dim_plain(m->arena, to->size, b.num, b.axes);
  append_dim(m, &from_dim, &to_dim);
}

static bool same_offsets(const ts_grid *grid, const ts_dim *a, const ts_dim *b) {
  if (!a->offsets || !b->offsets)
    return ts_dim_is_balanced(grid, a) && ts_dim_is_balanced(grid, b);
  int64_t shards = ts_dim_shards(grid, a);
  for (int64_t i = 0; i <= shards; i++)
    if (!ts_number_equal(a->offsets[i], b->offsets[i]))
      return false;
  return true;
}

/* The two are written alike, but for how balanced offsets are said. Both are in normal form. */
static bool same_dim(const ts_grid *grid, const ts_dim *a, const ts_dim *b) {
  ts_dim x = *a, y = *b;
  x.offsets = y.offsets = NULL;
  return ts_dim_equal(&x, &y) && same_offsets(grid, a, b);
}

/* Pieces whose extents differ between devices. MLIR expands a dimension into one such at most. */
static int num_uneven(const ts_grid *grid, int num, const ts_dim *pieces) {
  int uneven = 0;
  for (int i = 0; i < num; i++)
    uneven += ts_dim_local_size(grid, &pieces[i]) == TS_DYNAMIC;
  return uneven;
}

/* Cuts both dimensions into plain ones; false if they have no common refinement. */
static bool append_cut(maker *m, const ts_dim *from, const ts_dim *to, int *pieces) {
  int64_t *sizes = NULL;
  int num = ts_dim_common_cuts(m->arena, from, to, &sizes);
  if (num < 2)
    return false;
  ts_dim *a = TS_NEW(m->arena, ts_dim, num), *b = TS_NEW(m->arena, ts_dim, num);
  const ts_grid *grid = m->problem->grid;
  if (ts_dim_split(m->arena, grid, from, num, sizes, a) ||
      ts_dim_split(m->arena, grid, to, num, sizes, b))
    return false;
  for (int i = 0; i < num; i++)
    if (a[i].num_factors != 1 || b[i].num_factors != 1)
      return false;
  if (num_uneven(grid, num, a) > 1)
    return false;
  for (int i = 0; i < num; i++)
    append_plain(m, &a[i].factors[0], &b[i].factors[0]);
  *pieces = num;
  return true;
}

/* A change that only an exchange knows how to make. */
static void append_exchanged(maker *m, const ts_dim *from, const ts_dim *to) {
  m->problem->needs_exchange = true;
  append_fixed(m, from, to);
}

static void compare_dims(maker *m, const ts_dim *from, const ts_dim *to, int *pieces) {
  const ts_grid *grid = m->problem->grid;
  *pieces = 1;
  bool plain = from->num_factors == 1 && to->num_factors == 1;
  bool simple = !ts_dim_has_halo(from) && !ts_dim_has_halo(to) && ts_dim_is_balanced(grid, from) &&
                ts_dim_is_balanced(grid, to);
  if (plain && simple) {
    append_plain(m, &from->factors[0], &to->factors[0]);
    return;
  }
  ts_dim a = ts_dim_normal(m->arena, grid, from), b = ts_dim_normal(m->arena, grid, to);
  if (same_dim(grid, &a, &b))
    append_fixed(m, &a, &b);
  else if (simple && a.num_factors == 1 && b.num_factors == 1)
    append_plain(m, &a.factors[0], &b.factors[0]);
  else if (!simple || !append_cut(m, &a, &b, pieces))
    append_exchanged(m, &a, &b);
}

static void compare_partial(ts_problem *p, const ts_sharding *from, const ts_sharding *to) {
  ts_axes in_from = 0, in_to = 0;
  for (int i = 0; i < from->num_partial; i++) {
    in_from |= (ts_axes)1 << from->partial[i].axis;
    p->kind_from[from->partial[i].axis] = (int8_t)from->partial[i].kind;
  }
  for (int i = 0; i < to->num_partial; i++) {
    in_to |= (ts_axes)1 << to->partial[i].axis;
    p->kind_to[to->partial[i].axis] = (int8_t)to->partial[i].kind;
  }
  for (int a = 0; a < p->grid->rank; a++) {
    ts_axes bit = (ts_axes)1 << a;
    if (p->grid->shape[a] == 1)
      continue;
    /* A value with halos or offsets of its own can only be exchanged, and only when complete. */
    if (in_from & in_to & bit && p->kind_from[a] == p->kind_to[a] && !p->needs_exchange)
      p->carried |= bit;
    else {
      p->complete |= in_from & bit;
      p->make |= in_to & bit;
    }
  }
}

void ts_problem_make(ts_arena *arena, const ts_sharding *from, const ts_sharding *to,
                     ts_expansion expansion, ts_problem *problem) {
  problem->grid = from->grid;
  problem->num = 0;
  problem->others = problem->others_after = 1;
  problem->fixed = problem->complete = problem->carried = problem->make = 0;
  problem->needs_exchange = false;
  problem->rank = from->rank;
  problem->pieces = NULL;
  maker m = {.arena = arena,
             .problem = problem,
             .expansion = expansion,
             .has_partial = from->num_partial > 0};
  if (expansion == TS_WITH_LAYOUTS)
    problem->pieces = TS_NEW(arena, int, from->rank);
  for (int d = 0; d < from->rank; d++) {
    int pieces;
    compare_dims(&m, &from->dims[d], &to->dims[d], &pieces);
    if (problem->pieces)
      problem->pieces[d] = pieces;
  }
  problem->lacking = problem->needs_exchange ? ts_sharding_lacking(arena, from, to) : -1;
  compare_partial(problem, from, to);
  if (expansion == TS_NUMBERS_ONLY)
    return;
  ts_sharding *ends = TS_NEW(arena, ts_sharding, 2);
  ends[0] = (ts_sharding){.grid = from->grid, .rank = m.num_dims, .dims = m.from};
  ends[1] = (ts_sharding){.grid = from->grid, .rank = m.num_dims, .dims = m.to};
  problem->expanded_from = &ends[0];
  problem->expanded_to = &ends[1];
}

/* ---- what devices hold ----------------------------------------------------------------------- */

ts_axes ts_axes_used(const ts_problem *problem, const ts_axis_list *lists) {
  ts_axes axes = problem->fixed;
  for (int d = 0; d < problem->num; d++)
    for (int i = 0; i < lists[d].num; i++)
      axes |= (ts_axes)1 << lists[d].axes[i];
  return axes;
}

int64_t ts_axes_shards(const ts_grid *grid, int num, const int8_t *axes) {
  int64_t shards = 1;
  for (int i = 0; i < num; i++) {
    if (grid->shape[axes[i]] == TS_DYNAMIC)
      return TS_DYNAMIC;
    shards *= grid->shape[axes[i]];
  }
  return shards;
}

bool ts_list_nests(const ts_problem *problem, int d, const ts_axis_list *list, int keep) {
  if (keep == 0 || keep >= list->num)
    return true;
  int64_t n = problem->sizes[d];
  int64_t outer = ts_axes_shards(problem->grid, keep, list->axes);
  int64_t inner = ts_axes_shards(problem->grid, list->num - keep, list->axes + keep);
  if (n == TS_DYNAMIC || outer == TS_DYNAMIC || inner == TS_DYNAMIC)
    return false;
  if (outer == 1 || inner == 1)
    return true;
  /* The larger shards come last. Grouping the fine ones by `inner` leaves coarse ones that differ
   * by at most one index exactly if there are no larger ones, or one, or all but one. */
  int64_t larger = n % (outer * inner);
  return larger <= 1 || larger == outer * inner - 1;
}

/* Stand-ins for numbers that only the launch knows. */
static int64_t assumed_extent(const ts_grid *grid, int axis) {
  return grid->shape[axis] == TS_DYNAMIC ? 2 : grid->shape[axis];
}

static int64_t assumed_size(int64_t size) {
  return size == TS_DYNAMIC ? 1024 : size;
}

static int64_t assumed_shards(const ts_grid *grid, const ts_axis_list *list) {
  int64_t shards = 1;
  for (int i = 0; i < list->num; i++)
    shards *= assumed_extent(grid, list->axes[i]);
  return shards;
}

/* `others` times the largest shards of the changing dimensions. */
static double split_elements(const ts_problem *problem, const ts_axis_list *lists, double others) {
  double held = others;
  for (int d = 0; d < problem->num; d++) {
    int64_t shards = assumed_shards(problem->grid, &lists[d]);
    int64_t largest = (assumed_size(problem->sizes[d]) + shards - 1) / shards;
    held *= (double)largest;
  }
  return held;
}

double ts_elements_held(const ts_problem *problem, const ts_axis_list *lists) {
  return split_elements(problem, lists, problem->others);
}

double ts_elements_wanted(const ts_problem *problem) {
  return split_elements(problem, problem->to, problem->others_after);
}

/* How a list of axes cuts a dimension: the last shards have one index more than the others. */
typedef struct cut {
  int64_t regular; /* size of the smaller shards */
  int64_t small;   /* how many they are */
} cut;

static void cut_all(const ts_problem *problem, const ts_axis_list *lists, cut *cuts) {
  for (int d = 0; d < problem->num; d++) {
    int64_t size = assumed_size(problem->sizes[d]);
    int64_t shards = assumed_shards(problem->grid, &lists[d]);
    cuts[d] = (cut){.regular = size / shards, .small = shards - size % shards};
  }
}

/* First index and end of the shard that the device at these coordinates holds. */
static void shard_range(const ts_grid *grid, const ts_axis_list *list, const cut *cut,
                        const int64_t *at, int64_t range[2]) {
  int64_t shard = 0;
  for (int i = 0; i < list->num; i++)
    shard = shard * assumed_extent(grid, list->axes[i]) + at[list->axes[i]];
  int64_t larger_before = shard - cut->small;
  range[0] = shard * cut->regular + (larger_before > 0 ? larger_before : 0);
  range[1] = range[0] + cut->regular + (larger_before >= 0);
}

/* Both sides of a move. */
typedef struct sides {
  const ts_axis_list *before, *after;
  cut cuts_before[TS_MAX_CHANGING], cuts_after[TS_MAX_CHANGING];
} sides;

static double lacking_at(const ts_problem *problem, const sides *s, const int64_t *at) {
  double needed = problem->others, kept = problem->others;
  for (int d = 0; d < problem->num; d++) {
    int64_t has[2], wants[2];
    shard_range(problem->grid, &s->before[d], &s->cuts_before[d], at, has);
    shard_range(problem->grid, &s->after[d], &s->cuts_after[d], at, wants);
    int64_t first = has[0] > wants[0] ? has[0] : wants[0];
    int64_t end = has[1] < wants[1] ? has[1] : wants[1];
    needed *= (double)(wants[1] - wants[0]);
    kept *= (double)(end > first ? end - first : 0);
  }
  return needed - kept;
}

/* The device before this one among those that differ on `axes`; false at the first. */
static bool step_back(const ts_grid *grid, ts_axes axes, int64_t *at) {
  for (int a = grid->rank - 1; a >= 0; a--) {
    if (!(axes >> a & 1))
      continue;
    if (at[a]-- > 0)
      return true;
    at[a] = assumed_extent(grid, a) - 1;
  }
  return false;
}

double ts_elements_lacking(const ts_problem *problem, const ts_axis_list *before,
                           const ts_axis_list *after) {
  const int most = 512; /* devices looked at; the last ones, with the larger shards, come first */
  sides s = {.before = before, .after = after};
  cut_all(problem, before, s.cuts_before);
  cut_all(problem, after, s.cuts_after);
  ts_axes axes = 0;
  for (int d = 0; d < problem->num; d++) {
    for (int i = 0; i < before[d].num; i++)
      axes |= (ts_axes)1 << before[d].axes[i];
    for (int i = 0; i < after[d].num; i++)
      axes |= (ts_axes)1 << after[d].axes[i];
  }
  int64_t at[TS_MAX_AXES];
  for (int a = 0; a < problem->grid->rank; a++)
    at[a] = assumed_extent(problem->grid, a) - 1;
  double worst = 0;
  int looked_at = 0;
  do {
    double lacking = lacking_at(problem, &s, at);
    worst = lacking > worst ? lacking : worst;
  } while (++looked_at < most && step_back(problem->grid, axes, at));
  return worst;
}
