/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Plans between shardings, simulated: every device ends with exactly its data, and each step moves
 * the elements that the plan says, and all steps no more than an exact search finds. All pairs on
 * small grids, and random factored ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "search.h"
#include "sharding/annotation.h"
#include "simulate.h"

/* ---- random numbers and values --------------------------------------------------------------- */

static uint64_t random_state = 1;

static int random_below(int bound) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (int)((random_state >> 33) % (uint64_t)bound);
}

/* The complete value of element `global`. */
static int64_t true_value(int64_t global) {
  return 1000 + (global * 7919 + 13) % 997;
}

/* What the device at these coordinates contributes to an element: over sum axes contributions add
 * up, over max axes the first is largest, in whatever order the axes are reduced. */
static int64_t contribution(const ts_sharding *layout, int device, int64_t global) {
  int64_t sum_place = 0, sum_size = 1, behind = 0;
  for (int i = 0; i < layout->num_partial; i++) {
    int axis = layout->partial[i].axis;
    int64_t coordinate = coordinate_of(layout->grid, device, axis);
    if (layout->partial[i].kind == TS_MAX) {
      behind += coordinate * (1 + global % 3);
    } else {
      sum_place = sum_place * layout->grid->shape[axis] + coordinate;
      sum_size *= layout->grid->shape[axis];
    }
  }
  int64_t part = sum_place * 31 + global % 11;
  if (sum_place == sum_size - 1) {
    part = true_value(global);
    for (int64_t p = 0; p < sum_size - 1; p++)
      part -= p * 31 + global % 11;
  }
  return part - behind;
}

/* ---- one case -------------------------------------------------------------------------------- */

typedef struct local_view {
  int64_t *held[MAX_RANK], num[MAX_RANK], elements;
} local_view;

static local_view view_of(ts_arena *arena, const ts_sharding *layout, int device) {
  local_view view = {.elements = 1};
  for (int d = 0; d < layout->rank; d++) {
    view.num[d] = held_indices(arena, layout, d, device, &view.held[d]);
    view.elements *= view.num[d];
  }
  return view;
}

static int64_t global_index(const local_view *view, const ts_sharding *layout, int64_t position) {
  int64_t global = 0, stride = 1;
  for (int d = layout->rank - 1; d >= 0; d--) {
    global += view->held[d][position % view->num[d]] * stride;
    position /= view->num[d];
    stride *= ts_dim_size(&layout->dims[d]);
  }
  return global;
}

static void fill(devices *all, const ts_sharding *from) {
  for (int device = 0; device < all->num; device++) {
    local_view view = view_of(all->arena, from, device);
    piece *p = &all->pieces[device];
    p->rank = from->rank;
    memcpy(p->shape, view.num, sizeof(int64_t) * (size_t)from->rank);
    p->data = TS_NEW(all->arena, int64_t, view.elements);
    for (int64_t i = 0; i < view.elements; i++)
      p->data[i] = contribution(from, device, global_index(&view, from, i));
  }
}

/* Combines over the partial axes, sums first: by then the maxima do not mix. */
static int64_t combined(devices *all, const ts_sharding *to, int device, int64_t position) {
  ts_axes sums = 0, maxima = 0;
  for (int i = 0; i < to->num_partial; i++)
    *(to->partial[i].kind == TS_MAX ? &maxima : &sums) |= (ts_axes)1 << to->partial[i].axis;
  int64_t largest = LOWEST * 2;
  for (int leader = 0; leader < all->num; leader++) {
    int64_t sum = 0;
    bool is_leader = true;
    for (int a = 0; a < to->grid->rank; a++) {
      int64_t c = coordinate_of(to->grid, leader, a), own = coordinate_of(to->grid, device, a);
      if (sums >> a & 1 ? c != 0 : !(maxima >> a & 1) && c != own)
        is_leader = false;
    }
    for (int other = 0; other < all->num && is_leader; other++) {
      bool member = true;
      for (int a = 0; a < to->grid->rank; a++)
        if (!(sums >> a & 1) &&
            coordinate_of(to->grid, other, a) != coordinate_of(to->grid, leader, a))
          member = false;
      if (member)
        sum += all->pieces[other].data[position];
    }
    if (is_leader)
      largest = sum > largest ? sum : largest;
  }
  return largest;
}

static const char *check_result(devices *all, const ts_sharding *to) {
  for (int device = 0; device < all->num; device++) {
    local_view view = view_of(all->arena, to, device);
    if (view.elements != piece_elements(&all->pieces[device]))
      return ts_arena_format(all->arena, "device %d ends with %lld elements, expected %lld", device,
                             (long long)piece_elements(&all->pieces[device]),
                             (long long)view.elements);
    for (int64_t i = 0; i < view.elements; i++) {
      int64_t expected = true_value(global_index(&view, to, i));
      int64_t found = combined(all, to, device, i);
      if (found != expected)
        return ts_arena_format(all->arena, "element %lld of device %d is %lld, expected %lld",
                               (long long)i, device, (long long)found, (long long)expected);
    }
  }
  return NULL;
}

/* The pieces seen as the expanded tensor that the plan's steps are about. */
static void expand(devices *all, const ts_sharding *expanded) {
  for (int device = 0; device < all->num; device++) {
    local_view view = view_of(all->arena, expanded, device);
    all->pieces[device].rank = expanded->rank;
    memcpy(all->pieces[device].shape, view.num, sizeof(int64_t) * (size_t)expanded->rank);
  }
}

/* Of exchanges of what no list of axes describes, plans give an upper bound. */
static bool bytes_are_exact(const ts_step *step) {
  if (step->kind != TS_STEP_EXCHANGE)
    return true;
  for (int d = 0; d < step->before->rank; d++) {
    const ts_dim *a = &step->before->dims[d], *b = &step->after->dims[d];
    if (a->num_factors > 1 || b->num_factors > 1 || a->offsets || b->offsets)
      return false;
  }
  return true;
}

static const char *check_plan(devices *all, const ts_sharding *from, const ts_sharding *to) {
  ts_plan plan = ts_reshard_plan(all->arena, from, to);
  double cost = ts_reshard_cost(all->arena, from, to), bytes = 0;
  fill(all, from);
  if (plan.num_steps)
    expand(all, plan.steps[0].before);
  for (int i = 0; i < plan.num_steps; i++) {
    const ts_step *step = &plan.steps[i];
    const char *mistake = simulate(all, step);
    if (mistake)
      return ts_arena_format(all->arena, "step %d, kind %d: %s", i, step->kind, mistake);
    bool wrong = bytes_are_exact(step) ? fabs(all->received - step->bytes) > 1e-6
                                       : all->received > step->bytes + 1e-6;
    if (wrong)
      return ts_arena_format(all->arena, "step %d, kind %d: %g elements, expected %g", i,
                             step->kind, step->bytes, all->received);
    bytes += step->bytes;
  }
  if (fabs(bytes - cost) > 1e-6)
    return ts_arena_format(all->arena, "cost %g, but the steps take %g", cost, bytes);
  if (ts_sharding_equivalent(all->arena, from, to) && plan.num_steps)
    return "steps between equivalent shardings";
  return check_result(all, to);
}

typedef struct tally {
  const char *name;
  int64_t cases, failures, steps[TS_STEP_EXCHANGE + 1];
} tally;

static void check_pair(tally *t, const ts_sharding *from, const ts_sharding *to) {
  ts_arena arena = {0};
  devices all = {.arena = &arena, .grid = from->grid, .num = (int)ts_grid_devices(from->grid)};
  all.pieces = TS_NEW(&arena, piece, all.num);
  const char *mistake = check_plan(&all, from, to);
  t->cases++;
  ts_plan plan = ts_reshard_plan(&arena, from, to);
  for (int i = 0; i < plan.num_steps; i++)
    t->steps[plan.steps[i].kind]++;
  if (mistake && ++t->failures <= 5) {
    fprintf(stderr, "%s: %s -> %s: %s\n", t->name, ts_sharding_text(&arena, from),
            ts_sharding_text(&arena, to), mistake);
    for (int i = 0; i < plan.num_steps; i++)
      fprintf(stderr, "  kind %d joined %d cut %d: %s -> %s\n", plan.steps[i].kind,
              plan.steps[i].joined, plan.steps[i].cut,
              ts_sharding_text(&arena, plan.steps[i].before),
              ts_sharding_text(&arena, plan.steps[i].after));
  }
  ts_arena_free(&arena);
}

static int finish(const tally *t) {
  printf("%s %s (%lld pairs; steps:", t->failures ? "FAIL" : "PASS", t->name, (long long)t->cases);
  for (int k = 0; k <= TS_STEP_EXCHANGE; k++)
    printf(" %lld", (long long)t->steps[k]);
  printf(")\n");
  return t->failures ? 1 : 0;
}

/* ---- all shardings --------------------------------------------------------------------------- */

typedef struct shardings {
  ts_arena *arena;
  int num, capacity;
  const ts_sharding **list;
} shardings;

static void add_sharding(shardings *all, const ts_sharding *sharding) {
  if (all->num == all->capacity) {
    int capacity = all->capacity ? 2 * all->capacity : 64;
    const ts_sharding **list = TS_NEW(all->arena, const ts_sharding *, capacity);
    for (int i = 0; i < all->num; i++)
      list[i] = all->list[i];
    all->list = list;
    all->capacity = capacity;
  }
  all->list[all->num++] = sharding;
}

/* `dim`, plain, with `axis` inserted at `place`. */
static ts_dim with_axis(ts_arena *arena, const ts_dim *dim, int axis, int place) {
  int8_t axes[TS_MAX_AXES];
  const ts_factor *factor = &dim->factors[0];
  int num = 0;
  for (int i = 0; i <= factor->num_axes; i++) {
    if (i == place)
      axes[num++] = (int8_t)axis;
    if (i < factor->num_axes)
      axes[num++] = factor->axes[i];
  }
  return ts_dim_plain(arena, factor->size, num, axes);
}

typedef enum partial_choice { WITHOUT_PARTIAL, WITH_PARTIAL, WITH_SUMS } partial_choice;

/* Every way to use the axes from `axis` on, each at most once. */
static void enumerate(shardings *all, const ts_sharding *so_far, int axis, partial_choice partial) {
  if (axis == so_far->grid->rank) {
    add_sharding(all, so_far);
    return;
  }
  enumerate(all, so_far, axis + 1, partial);
  for (int d = 0; d < so_far->rank; d++)
    for (int place = 0; place <= so_far->dims[d].factors[0].num_axes; place++) {
      ts_dim dim = with_axis(all->arena, &so_far->dims[d], axis, place);
      enumerate(all, ts_sharding_with_dim(all->arena, so_far, d, dim), axis + 1, partial);
    }
  if (partial == WITHOUT_PARTIAL)
    return;
  ts_partial more[TS_MAX_AXES];
  for (int i = 0; i < so_far->num_partial; i++)
    more[i] = so_far->partial[i];
  more[so_far->num_partial] =
      (ts_partial){.axis = axis, .kind = partial == WITH_PARTIAL && axis == 1 ? TS_MAX : TS_SUM};
  enumerate(all, ts_sharding_with_partial(all->arena, so_far, so_far->num_partial + 1, more),
            axis + 1, partial);
}

/* Leaves those of which all pieces are equal. */
static void keep_even(shardings *all) {
  int num = 0;
  for (int i = 0; i < all->num; i++) {
    bool is_even = true;
    for (int d = 0; d < all->list[i]->rank; d++)
      is_even &= ts_dim_local_size(all->list[i]->grid, &all->list[i]->dims[d]) != TS_DYNAMIC;
    if (is_even)
      all->list[num++] = all->list[i];
  }
  all->num = num;
}

static int check_all_pairs(const char *name, const ts_grid *grid, int rank, const int64_t *shape,
                           partial_choice partial) {
  ts_arena arena = {0};
  shardings all = {.arena = &arena};
  enumerate(&all, ts_sharding_replicated(&arena, grid, rank, shape), 0, partial);
  tally t = {.name = name};
  for (int i = 0; i < all.num; i++)
    for (int j = 0; j < all.num; j++)
      check_pair(&t, all.list[i], all.list[j]);
  ts_arena_free(&arena);
  return finish(&t);
}

/* ---- plans beside a search --------------------------------------------------------------------
 */

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Elements that the plan's steps move, and the time that finding it took. */
static double planned(const ts_sharding *from, const ts_sharding *to, double *seconds) {
  ts_arena arena = {0};
  double bytes = 0, start = seconds_now();
  ts_plan plan = ts_reshard_plan(&arena, from, to);
  *seconds += seconds_now() - start;
  for (int i = 0; i < plan.num_steps; i++)
    bytes += plan.steps[i].bytes;
  ts_arena_free(&arena);
  return bytes;
}

/* A tally, and how plans do beside the search. */
typedef struct contest {
  tally tally;
  int64_t above;
  double seconds;
} contest;

static void compare_with(contest *c, double least, const ts_sharding *from, const ts_sharding *to) {
  ts_arena arena = {0};
  double elements = planned(from, to, &c->seconds);
  check_pair(&c->tally, from, to);
  if (elements > least + 1e-6 && ++c->above <= 5)
    fprintf(stderr, "%s: %s -> %s: %g elements, found %g\n", c->tally.name,
            ts_sharding_text(&arena, from), ts_sharding_text(&arena, to), elements, least);
  ts_arena_free(&arena);
}

enum { ALL_PAIRS = 0, TARGETS = 20 /* of a random source */ };

/* So many random pairs, or all, of all layouts of a tensor whose pieces are equal: no plan moves
 * more than the search. */
static int check_against_search(const char *name, const ts_grid *grid, const int64_t *shape,
                                int64_t pairs) {
  ts_arena arena = {0};
  shardings all = {.arena = &arena};
  enumerate(&all, ts_sharding_replicated(&arena, grid, 3, shape), 0, WITH_SUMS);
  keep_even(&all);
  search *s = search_start(&arena, all.num, all.list);
  contest c = {.tally = {.name = name}};
  for (int i = 0; pairs == ALL_PAIRS && i < all.num; i++) {
    const double *least = search_from(s, i);
    for (int j = 0; j < all.num; j++)
      compare_with(&c, least[j], all.list[i], all.list[j]);
  }
  for (int64_t p = 0; p < pairs; p += TARGETS) {
    int i = random_below(all.num);
    const double *least = search_from(s, i);
    for (int k = 0; k < TARGETS; k++) {
      int j = random_below(all.num);
      compare_with(&c, least[j], all.list[i], all.list[j]);
    }
  }
  ts_arena_free(&arena);
  printf("%s %s: %lld plans above the search, %.3f ms a plan\n", c.above ? "FAIL" : "PASS", name,
         (long long)c.above, c.seconds / (double)c.tally.cases * 1e3);
  return finish(&c.tally) + (c.above > 0);
}

/* ---- memory ---------------------------------------------------------------------------------- */

enum { ROOM_BETWEEN = 1 << 16 };

/* Elements that each device holds; of even pieces. */
static int64_t elements_of(const ts_sharding *layout) {
  int64_t elements = 1;
  for (int d = 0; d < layout->rank; d++)
    elements *= ts_dim_local_size(layout->grid, &layout->dims[d]);
  return elements;
}

/* Between two steps no device holds more than at the larger end, but for a little; where partial
 * sums pass, which no exchange may move, no more than at both ends together. */
static bool fits(const ts_plan *plan, const ts_sharding *from, const ts_sharding *to) {
  int64_t first = elements_of(from), last = elements_of(to), larger = first > last ? first : last;
  for (int i = 0; i < plan->num_steps; i++)
    if (elements_of(plan->steps[i].after) >
        (to->num_partial ? first + last : larger + ROOM_BETWEEN))
      return false;
  return true;
}

static int check_memory(const char *name, const ts_grid *grid, const int64_t *shape) {
  ts_arena arena = {0};
  shardings all = {.arena = &arena};
  enumerate(&all, ts_sharding_replicated(&arena, grid, 3, shape), 0, WITH_SUMS);
  keep_even(&all);
  tally t = {.name = name};
  for (int i = 0; i < all.num; i++)
    for (int j = 0; j < all.num; j++) {
      ts_arena own = {0};
      ts_plan plan = ts_reshard_plan(&own, all.list[i], all.list[j]);
      t.cases++;
      for (int s = 0; s < plan.num_steps; s++)
        t.steps[plan.steps[s].kind]++;
      if (!fits(&plan, all.list[i], all.list[j]) && ++t.failures <= 5)
        fprintf(stderr, "%s: %s -> %s: more elements between than at its ends\n", name,
                ts_sharding_text(&own, all.list[i]), ts_sharding_text(&own, all.list[j]));
      ts_arena_free(&own);
    }
  ts_arena_free(&arena);
  return finish(&t);
}

/* ---- random factored shardings --------------------------------------------------------------- */

static const struct {
  int num;
  int64_t sizes[3];
} cuts[] = {{1, {16}},      {2, {4, 4}}, {2, {2, 8}}, {2, {8, 2}}, {3, {2, 4, 2}},
            {1, {10}},      {2, {2, 5}}, {2, {5, 2}}, {1, {24}},   {2, {3, 8}},
            {3, {2, 3, 4}}, {2, {6, 4}}, {2, {4, 6}}};
enum { CUTS_OF_16 = 0, CUTS_OF_10 = 5, CUTS_OF_24 = 8, NUM_CUTS = 13 };

static int random_cut(int64_t size) {
  switch (size) {
  case 16:
    return CUTS_OF_16 + random_below(CUTS_OF_10 - CUTS_OF_16);
  case 10:
    return CUTS_OF_10 + random_below(CUTS_OF_24 - CUTS_OF_10);
  default:
    return CUTS_OF_24 + random_below(NUM_CUTS - CUTS_OF_24);
  }
}

static const ts_number *random_offsets(ts_arena *arena, int64_t size, int64_t shards) {
  ts_number *offsets = TS_NEW(arena, ts_number, shards + 1);
  for (int64_t i = 1; i < shards; i++)
    offsets[i] = ts_known_number(random_below((int)size + 1));
  for (int64_t i = 1; i < shards; i++)
    for (int64_t j = i; j > 1 && offsets[j].known < offsets[j - 1].known; j--) {
      ts_number swap = offsets[j];
      offsets[j] = offsets[j - 1];
      offsets[j - 1] = swap;
    }
  offsets[shards] = ts_known_number(size);
  return offsets;
}

static const ts_sharding *random_sharding(ts_arena *arena, const ts_grid *grid, int rank,
                                          const int64_t *shape, ts_reduction kind) {
  ts_factor *factors[3];
  ts_dim dims[3];
  for (int d = 0; d < rank; d++) {
    int c = random_cut(shape[d]);
    factors[d] = TS_NEW(arena, ts_factor, 3);
    for (int f = 0; f < cuts[c].num; f++)
      factors[d][f].size = cuts[c].sizes[f];
    dims[d] = (ts_dim){.num_factors = cuts[c].num, .factors = factors[d]};
  }
  ts_partial partial[TS_MAX_AXES];
  int num_partial = 0;
  for (int i = 0; i < grid->rank; i++) {
    int axis = (i * 5 + random_below(2)) % grid->rank, use = random_below(8);
    bool taken = false;
    for (int j = 0; j < num_partial; j++)
      taken = taken || partial[j].axis == axis;
    for (int d = 0; d < rank; d++)
      taken = taken || ts_dim_axes(&dims[d]) >> axis & 1;
    if (taken || use == 0)
      continue;
    if (use == 1) {
      partial[num_partial++] = (ts_partial){.axis = axis, .kind = kind};
      continue;
    }
    int d = random_below(rank);
    ts_factor *factor = &factors[d][random_below(dims[d].num_factors)];
    factor->axes[factor->num_axes++] = (int8_t)axis;
  }
  for (int d = 0; d < rank; d++)
    if (dims[d].num_factors == 1 && ts_dim_is_split(&dims[d]) && random_below(12) == 0)
      dims[d].offsets = random_offsets(arena, shape[d], ts_dim_shards(grid, &dims[d]));
  ts_sharding sharding = {.grid = grid,
                          .rank = rank,
                          .dims = ts_arena_copy(arena, dims, sizeof(dims[0]) * (size_t)rank)};
  return ts_sharding_with_partial(arena, ts_arena_copy(arena, &sharding, sizeof(sharding)),
                                  num_partial, partial);
}

static int check_random_pairs(const char *name, const ts_grid *grid, int64_t pairs) {
  static const int64_t sizes[3] = {16, 10, 24};
  tally t = {.name = name};
  for (int64_t i = 0; i < pairs; i++) {
    ts_arena arena = {0};
    int rank = 1 + random_below(2);
    int64_t shape[2] = {sizes[random_below(3)], sizes[random_below(3)]};
    ts_reduction kind = random_below(2) ? TS_SUM : TS_MAX;
    const ts_sharding *from = random_sharding(&arena, grid, rank, shape, kind);
    ts_reduction other = random_below(4) ? kind : TS_SUM + TS_MAX - kind;
    check_pair(&t, from, random_sharding(&arena, grid, rank, shape, other));
    ts_arena_free(&arena);
  }
  return finish(&t);
}

/* ---- single expectations --------------------------------------------------------------------- */

static const ts_sharding *plain(ts_arena *arena, const ts_grid *grid, const int64_t *shape,
                                const char *rows, const char *columns, const char *partial) {
  const ts_sharding *sharding = ts_sharding_replicated(arena, grid, 2, shape);
  const char *lists[2] = {rows, columns};
  for (int d = 0; d < 2; d++) {
    int8_t axes[TS_MAX_AXES];
    int num = 0;
    for (const char *c = lists[d]; *c; c++)
      axes[num++] = (int8_t)(*c - '0');
    sharding = ts_sharding_with_dim(arena, sharding, d, ts_dim_plain(arena, shape[d], num, axes));
  }
  ts_partial entries[TS_MAX_AXES];
  int num = 0;
  for (const char *c = partial; *c; c++)
    entries[num++] = (ts_partial){.axis = *c - '0', .kind = TS_SUM};
  return ts_sharding_with_partial(arena, sharding, num, entries);
}

/* Rows, columns and partial axes of both ends; the kinds of the plan's steps as letters: (R)educe,
 * reduce-(S)catter, s(L)ice, (G)ather, all-to-(A)ll, (X) exchange, make (P)artial. */
static const struct {
  const char *from[3], *to[3], *steps;
} expectations[] = {
    {{"0", "", ""}, {"", "", ""}, "G"},     {{"01", "", ""}, {"", "", ""}, "G"},
    {{"01", "", ""}, {"0", "", ""}, "G"},   {{"", "", ""}, {"01", "", ""}, "L"},
    {{"0", "", ""}, {"", "0", ""}, "A"},    {{"0", "1", ""}, {"1", "0", ""}, "X"},
    {{"01", "", ""}, {"10", "", ""}, "X"},  {{"", "", "0"}, {"", "", ""}, "R"},
    {{"", "", "01"}, {"", "", ""}, "R"},    {{"", "", "0"}, {"0", "", ""}, "S"},
    {{"", "", "01"}, {"01", "", ""}, "S"},  {{"", "", "01"}, {"0", "1", ""}, "SS"},
    {{"", "", "0"}, {"", "1", ""}, "LR"},   {{"1", "", "0"}, {"10", "", ""}, "S"},
    {{"1", "", "0"}, {"", "", "0"}, "G"},   {{"", "", ""}, {"", "", "0"}, "P"},
    {{"0", "", ""}, {"", "", "0"}, "P"},    {{"", "", "0"}, {"1", "", "0"}, "L"},
    {{"0", "", "1"}, {"", "01", ""}, "SA"}, {{"0", "1", ""}, {"", "", ""}, "GG"},
};

static int check_expectations(const ts_grid *grid) {
  static const char letters[] = {[TS_STEP_ALL_REDUCE] = 'R',  [TS_STEP_REDUCE_SCATTER] = 'S',
                                 [TS_STEP_ALL_SLICE] = 'L',   [TS_STEP_ALL_GATHER] = 'G',
                                 [TS_STEP_ALL_TO_ALL] = 'A',  [TS_STEP_EXCHANGE] = 'X',
                                 [TS_STEP_MAKE_PARTIAL] = 'P'};
  static const int64_t shape[2] = {16, 64};
  tally t = {.name = "which-steps"};
  for (size_t i = 0; i < sizeof(expectations) / sizeof(expectations[0]); i++) {
    ts_arena arena = {0};
    const char *const *f = expectations[i].from, *const *to = expectations[i].to;
    const ts_sharding *a = plain(&arena, grid, shape, f[0], f[1], f[2]);
    const ts_sharding *b = plain(&arena, grid, shape, to[0], to[1], to[2]);
    ts_plan plan = ts_reshard_plan(&arena, a, b);
    char found[64] = "";
    for (int s = 0; s < plan.num_steps && s < 63; s++)
      found[s] = letters[plan.steps[s].kind];
    t.cases++;
    if (strcmp(found, expectations[i].steps) != 0) {
      t.failures++;
      fprintf(stderr, "%s -> %s: %s, expected %s\n", ts_sharding_text(&arena, a),
              ts_sharding_text(&arena, b), found, expectations[i].steps);
    }
    ts_arena_free(&arena);
  }
  return finish(&t);
}

/* With --all: every pair up to 8 devices, and ten thousand on 16 beside the search; that takes
 * minutes. */
int main(int argc, char **argv) {
  bool all = argc > 1 && strcmp(argv[1], "--all") == 0;
  static const ts_grid line = {"line", 1, {4}}, square = {"square", 2, {2, 2}};
  static const ts_grid oblong = {"oblong", 2, {2, 4}}, cube = {"cube", 3, {2, 2, 2}};
  static const ts_grid odd = {"odd", 2, {3, 2}}, flat = {"flat", 3, {2, 1, 3}};
  static const int64_t even[2] = {16, 64}, ten[2] = {10, 64}, seven[2] = {7, 6}, one[2] = {1, 4},
                       small[2] = {8, 16}, empty[2] = {0, 4};
  int failures = check_expectations(&square);
  failures += check_all_pairs("even-4", &line, 2, even, WITH_PARTIAL);
  failures += check_all_pairs("even-2x2", &square, 2, even, WITH_PARTIAL);
  failures += check_all_pairs("even-2x4", &oblong, 2, even, WITH_PARTIAL);
  failures += check_all_pairs("even-2x2x2", &cube, 2, even, WITHOUT_PARTIAL);
  failures += check_all_pairs("partial-2x2x2", &cube, 2, small, WITH_PARTIAL);
  failures += check_all_pairs("ten-4", &line, 2, ten, WITH_PARTIAL);
  failures += check_all_pairs("ten-2x2", &square, 2, ten, WITH_PARTIAL);
  failures += check_all_pairs("ten-2x4", &oblong, 2, ten, WITH_PARTIAL);
  failures += check_all_pairs("seven-2x2x2", &cube, 2, seven, WITH_PARTIAL);
  failures += check_all_pairs("seven-3x2", &odd, 2, seven, WITH_PARTIAL);
  failures += check_all_pairs("one-2x2x2", &cube, 2, one, WITHOUT_PARTIAL);
  failures += check_all_pairs("unit-axis-2x1x3", &flat, 2, seven, WITH_PARTIAL);
  failures += check_all_pairs("no-rows-2x2", &square, 2, empty, WITH_PARTIAL);
  failures += check_all_pairs("vector-2x2x2", &cube, 1, ten, WITH_PARTIAL);
  failures += check_random_pairs("factored-2x2", &square, 4000);
  failures += check_random_pairs("factored-2x2x2", &cube, 8000);
  failures += check_random_pairs("factored-3x2", &odd, 4000);
  failures += check_random_pairs("factored-2x1x3", &flat, 4000);
  static const ts_grid sixteen = {"sixteen", 4, {2, 2, 2, 2}}, four = {"four", 2, {4, 4}};
  static const int64_t block[3] = {16, 64, 8};
  static const int64_t large[3] = {512, 1024, 256};
  failures += check_memory("memory-2x2", &square, large);
  failures += check_memory("memory-2x4", &oblong, large);
  if (all)
    failures += check_memory("memory-2x2x2", &cube, large);
  failures += check_against_search("searched-4", &line, block, ALL_PAIRS);
  failures += check_against_search("searched-2x2", &square, block, ALL_PAIRS);
  failures += check_against_search("searched-2x4", &oblong, block, ALL_PAIRS);
  failures += check_against_search("searched-2x2x2", &cube, block, all ? ALL_PAIRS : 400);
  failures += check_against_search("searched-4x4", &four, block, all ? ALL_PAIRS : 60);
  failures += check_against_search("searched-2x2x2x2", &sixteen, block, all ? 10000 : 60);
  return failures ? 1 : 0;
}
