/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The least that any sequence of collectives moves between two layouts: shortest paths (Dijkstra,
 * 1959) through all layouts, whose edges are single collectives. */
#include "search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIMS = 3, AXES = 4 };

/* A layout as lists of axes, outermost first. */
typedef struct state {
  int8_t num[DIMS], axes[DIMS][AXES];
  uint8_t partial;
} state;

typedef struct keyed {
  uint64_t key;
  int place;
} keyed;

struct search {
  const ts_grid *grid;
  int num, rank;
  int64_t sizes[DIMS];
  state *states;
  keyed *sorted;
  double *costs;
  double *lacking; /* from each to each, of those without partial axes; -1: not known yet */
  bool *done;
};

/* ---- layouts --------------------------------------------------------------------------------- */

static state state_of(const ts_sharding *layout) {
  state s = {0};
  for (int d = 0; d < layout->rank; d++) {
    const ts_factor *factor = &layout->dims[d].factors[0];
    s.num[d] = (int8_t)factor->num_axes;
    memcpy(s.axes[d], factor->axes, (size_t)factor->num_axes);
  }
  for (int i = 0; i < layout->num_partial; i++)
    s.partial |= (uint8_t)(1 << layout->partial[i].axis);
  return s;
}

static uint64_t key_of(const state *s) {
  uint64_t key = s->partial;
  for (int d = 0; d < DIMS; d++)
    for (int i = 0; i < AXES; i++)
      key = key * (AXES + 1) + (i < s->num[d] ? (uint64_t)s->axes[d][i] + 1 : 0);
  return key;
}

static int compare_keys(const void *a, const void *b) {
  uint64_t x = ((const keyed *)a)->key, y = ((const keyed *)b)->key;
  return (x > y) - (x < y);
}

/* -1 if it is none of the layouts. */
static int place_of(const search *s, const state *wanted) {
  keyed key = {.key = key_of(wanted)};
  const keyed *found = bsearch(&key, s->sorted, (size_t)s->num, sizeof(key), compare_keys);
  return found ? found->place : -1;
}

static uint8_t splitting(const state *s) {
  uint8_t axes = 0;
  for (int d = 0; d < DIMS; d++)
    for (int i = 0; i < s->num[d]; i++)
      axes |= (uint8_t)(1 << s->axes[d][i]);
  return axes;
}

static double extent_of(const search *s, uint8_t axes) {
  double extent = 1;
  for (int a = 0; a < s->grid->rank; a++)
    extent *= axes >> a & 1 ? (double)s->grid->shape[a] : 1;
  return extent;
}

static double elements_held(const search *s, const state *held) {
  double elements = 1;
  for (int d = 0; d < s->rank; d++)
    elements *= (double)s->sizes[d];
  return elements / extent_of(s, splitting(held));
}

search *search_start(ts_arena *arena, int num, const ts_sharding *const *layouts) {
  search *s = TS_NEW(arena, search, 1);
  *s = (search){.grid = layouts[0]->grid, .num = num, .rank = layouts[0]->rank};
  for (int d = 0; d < s->rank; d++)
    s->sizes[d] = ts_dim_size(&layouts[0]->dims[d]);
  s->states = TS_NEW(arena, state, num);
  s->sorted = TS_NEW(arena, keyed, num);
  s->costs = TS_NEW(arena, double, num);
  s->done = TS_NEW(arena, bool, num);
  s->lacking = TS_NEW(arena, double, (int64_t)num *num);
  for (int i = 0; i < num; i++) {
    s->states[i] = state_of(layouts[i]);
    s->sorted[i] = (keyed){key_of(&s->states[i]), i};
    for (int k = 0; k < num; k++)
      s->lacking[(int64_t)i * num + k] = -1;
  }
  qsort(s->sorted, (size_t)num, sizeof(keyed), compare_keys);
  return s;
}

/* ---- exchanges ------------------------------------------------------------------------------- */

/* Where the piece of dimension `d` begins that a device has, in pieces, and how many there are. */
static void find_piece(const search *s, const state *held, int d, int device, int64_t *place,
                       int64_t *pieces) {
  *place = 0;
  *pieces = 1;
  for (int i = 0; i < held->num[d]; i++) {
    int64_t below = 1, extent = s->grid->shape[held->axes[d][i]];
    for (int a = s->grid->rank - 1; a > held->axes[d][i]; a--)
      below *= s->grid->shape[a];
    *place = *place * extent + device / below % extent;
    *pieces *= extent;
  }
}

static double elements_kept(const search *s, const state *from, const state *to, int device) {
  double kept = 1;
  for (int d = 0; d < s->rank; d++) {
    int64_t a, num_a, b, num_b;
    find_piece(s, from, d, device, &a, &num_a);
    find_piece(s, to, d, device, &b, &num_b);
    int64_t size_a = s->sizes[d] / num_a, size_b = s->sizes[d] / num_b;
    int64_t first = a * size_a > b * size_b ? a * size_a : b * size_b;
    int64_t end_a = (a + 1) * size_a, end_b = (b + 1) * size_b;
    int64_t end = end_a < end_b ? end_a : end_b;
    kept *= end > first ? (double)(end - first) : 0;
  }
  return kept;
}

/* What the device that lacks most lacks. */
static double elements_lacking(search *s, int from, int to) {
  double *known = &s->lacking[(int64_t)from * s->num + to], most = 0;
  if (*known >= 0)
    return *known;
  const state *a = &s->states[from], *b = &s->states[to];
  int devices = (int)ts_grid_devices(s->grid);
  for (int device = 0; device < devices; device++) {
    double lacks = elements_held(s, b) - elements_kept(s, a, b, device);
    most = lacks > most ? lacks : most;
  }
  return *known = most;
}

/* ---- edges ----------------------------------------------------------------------------------- */

static void reach(search *s, int from, const state *to, double elements) {
  int place = place_of(s, to);
  if (place >= 0 && s->costs[from] + elements < s->costs[place])
    s->costs[place] = s->costs[from] + elements;
}

static state with_axis(const state *from, int d, int axis) {
  state to = *from;
  to.axes[d][to.num[d]++] = (int8_t)axis;
  return to;
}

/* One axis of which nothing or a partial value is known: a slice, or a reduce-scatter. Of several
 * axes that is as much as one after another. */
static void append_axis(search *s, int from, int axis) {
  const state *at = &s->states[from];
  bool is_partial = at->partial >> axis & 1;
  double extent = (double)s->grid->shape[axis];
  double elements = is_partial ? elements_held(s, at) * (extent - 1) / extent : 0;
  for (int d = 0; d < s->rank; d++) {
    state to = with_axis(at, d, axis);
    to.partial &= (uint8_t)~(1 << axis);
    reach(s, from, &to, elements);
  }
}

static void append_axes(search *s, int from) {
  const state *at = &s->states[from];
  uint8_t used = splitting(at);
  for (int a = 0; a < s->grid->rank; a++) {
    state to = *at;
    to.partial |= (uint8_t)(1 << a);
    if (used >> a & 1)
      continue;
    append_axis(s, from, a);
    if (!(at->partial >> a & 1)) /* zeros on all devices but one */
      reach(s, from, &to, 0);
  }
}

/* Of any set of the partial axes. */
static void reduce_all(search *s, int from) {
  const state *at = &s->states[from];
  for (int axes = 1; axes <= at->partial; axes++) {
    double extent = extent_of(s, (uint8_t)axes);
    state to = *at;
    to.partial &= (uint8_t)~axes;
    if ((axes & ~at->partial) == 0)
      reach(s, from, &to, 2 * elements_held(s, at) * (extent - 1) / extent);
  }
}

/* The last `count` axes of a dimension are gathered, or split another one. */
static void take_off(search *s, int from, int d, int count) {
  state off = s->states[from];
  uint8_t axes = 0;
  for (int i = 0; i < count; i++)
    axes |= (uint8_t)(1 << off.axes[d][--off.num[d]]);
  double held = elements_held(s, &s->states[from]), extent = extent_of(s, axes);
  reach(s, from, &off, held * (extent - 1));
  for (int other = 0; other < s->rank; other++) {
    state to = off;
    for (int i = 0; other != d && i < count; i++)
      to = with_axis(&to, other, s->states[from].axes[d][off.num[d] + i]);
    if (other != d)
      reach(s, from, &to, held * (extent - 1) / extent);
  }
}

static void exchange(search *s, int from) {
  if (s->states[from].partial)
    return;
  for (int to = 0; to < s->num; to++)
    if (!s->done[to] && !s->states[to].partial)
      reach(s, from, &s->states[to], elements_lacking(s, from, to));
}

const double *search_from(search *s, int from) {
  for (int i = 0; i < s->num; i++) {
    s->costs[i] = i == from ? 0 : INFINITY;
    s->done[i] = false;
  }
  for (int round = 0; round < s->num; round++) {
    int next = -1;
    for (int i = 0; i < s->num; i++)
      if (!s->done[i] && (next < 0 || s->costs[i] < s->costs[next]))
        next = i;
    s->done[next] = true;
    append_axes(s, next);
    reduce_all(s, next);
    for (int d = 0; d < s->rank; d++)
      for (int count = 1; count <= s->states[next].num[d]; count++)
        take_off(s, next, d, count);
    exchange(s, next);
  }
  return s->costs;
}
