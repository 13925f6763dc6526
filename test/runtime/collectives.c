/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Every collective x element type x reduction x grid x group x tensor axis, against a plain loop
 * over all devices. usage: collectives [sample STRIDE [small] | random GRIDS [SEED] |
 * several GRIDS [SEED [ROWS]]] */
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "values.h"

/* ---- all cases ------------------------------------------------------------------------------- */

/* Runs one of `stride` cases, the same ones on every rank. */
typedef struct selection {
  shape grid;
  uint64_t stride;
  uint64_t count;
} selection;

static void consider(selection *selection, test_case *test, int32_t device) {
  test->seed = mix(selection->count++, (uint64_t)test->kind);
  if (mix(test->seed, 9) % selection->stride == 0)
    run_case(test, device);
}

/* In half of the cases, what the call says of the pieces along `axis`: without a word they are
 * balanced. */
static void say_pieces(test_case *test, int32_t axis, uint64_t choice) {
  bool has_root = test->kind == TESSERA_SITE_GATHER || test->kind == TESSERA_SITE_SCATTER;
  if (choice % 4 == 0)
    test->flags = TESSERA_SITE_LOCAL_SIZES;
  if (choice % 4 == 1 && has_root && test->whole.sizes[axis] % group_size(test) == 0)
    test->flags = TESSERA_SITE_EVEN_SIZES;
}

static void consider_cut(selection *selection, test_case test, int32_t axis, int32_t device) {
  say_pieces(&test, axis, mix(selection->count, 11));
  consider(selection, &test, device);
}

/* Cores are of one size unless the call says that they may differ. */
static void draw_halos(test_case *test, uint64_t choice) {
  static const int64_t halos[][2] = {{1, 1}, {2, 0}, {0, 3}, {5, 4}};
  bool is_even = test->whole.sizes[test->axis] % group_size(test) == 0;
  memcpy(test->halos, halos[choice % 4], sizeof(test->halos));
  test->flags = is_even && choice / 4 % 2 ? 0 : TESSERA_SITE_LOCAL_SIZES;
}

static void consider_halo(selection *selection, test_case test, int32_t device) {
  test.kind = TESSERA_SITE_UPDATE_HALO;
  draw_halos(&test, mix(selection->count, 13));
  consider(selection, &test, device);
}

static const shape shapes[] = {
    {2, {4, 6}}, {2, {5, 3}}, {1, {11}}, {3, {3, 7, 2}}, {2, {0, 5}}, {2, {2, 1}},
};
enum { NUM_SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static const tessera_dtype all_types[] = {
    TESSERA_I1,  TESSERA_I8,  TESSERA_I16, TESSERA_I32,   TESSERA_I64, TESSERA_U8,
    TESSERA_U16, TESSERA_U32, TESSERA_U64, TESSERA_INDEX, TESSERA_F16, TESSERA_BF16,
    TESSERA_F32, TESSERA_F64, TESSERA_C64, TESSERA_C128,  TESSERA_I4,  TESSERA_F8,
};
/* The last two are moved, and never computed with. */
enum { NUM_TYPES = sizeof(all_types) / sizeof(all_types[0]), NUM_REDUCED_TYPES = NUM_TYPES - 2 };

static const tessera_dtype widenings[][2] = {
    {TESSERA_I1, TESSERA_I32},   {TESSERA_I8, TESSERA_I32},  {TESSERA_I32, TESSERA_I64},
    {TESSERA_U8, TESSERA_U64},   {TESSERA_F16, TESSERA_F32}, {TESSERA_BF16, TESSERA_F64},
    {TESSERA_F32, TESSERA_F64},  {TESSERA_I16, TESSERA_F32}, {TESSERA_C64, TESSERA_C128},
    {TESSERA_I8, TESSERA_INDEX}, {TESSERA_U16, TESSERA_F64}, {TESSERA_F64, TESSERA_F32},
    {TESSERA_F32, TESSERA_BF16}, {TESSERA_I32, TESSERA_I8},
};
enum { NUM_WIDENINGS = sizeof(widenings) / sizeof(widenings[0]) };

static void draw_root(test_case *test, uint64_t seed) {
  for (int32_t i = 0; i < test->num_axes; i++)
    test->root[i] = (int64_t)(mix(seed, (uint64_t)i) % (uint64_t)test->grid.sizes[test->axes[i]]);
}

static void reductions_of_types(selection *selection, test_case test, int32_t device) {
  static const tessera_site_kind kinds[] = {TESSERA_SITE_ALL_REDUCE, TESSERA_SITE_REDUCE,
                                            TESSERA_SITE_REDUCE_SCATTER};
  for (int reduction = TESSERA_SUM; reduction <= TESSERA_MINNUM; reduction++) {
    test.reduction = (tessera_reduction)reduction;
    if (!has_meaning(test.output, test.reduction))
      continue;
    for (int k = 0; k < 3; k++) {
      test.kind = kinds[k];
      test.whole = shapes[mix(selection->count, 1) % NUM_SHAPES];
      draw_root(&test, selection->count);
      for (test.axis = 0; test.axis < test.whole.rank; test.axis++)
        if (test.kind == TESSERA_SITE_REDUCE_SCATTER)
          consider_cut(selection, test, test.axis, device);
        else if (test.axis == 0)
          consider(selection, &test, device);
    }
    test.kind = TESSERA_SITE_ALL_REDUCE;
    test.whole = (shape){0, {0}};
    test.axis = 0;
    consider(selection, &test, device);
  }
}

static void all_reductions(selection *selection, test_case test, int32_t device) {
  for (int i = 0; i < NUM_REDUCED_TYPES; i++) {
    test.input = test.output = all_types[i];
    reductions_of_types(selection, test, device);
  }
  for (int i = 0; i < NUM_WIDENINGS; i++) {
    test.input = widenings[i][0];
    test.output = widenings[i][1];
    reductions_of_types(selection, test, device);
  }
}

static void all_moves(selection *selection, test_case test, int32_t device) {
  static const tessera_site_kind kinds[] = {
      TESSERA_SITE_ALL_GATHER, TESSERA_SITE_ALL_SLICE, TESSERA_SITE_BROADCAST,
      TESSERA_SITE_GATHER,     TESSERA_SITE_SCATTER,
  };
  for (int i = 0; i < NUM_TYPES; i++) {
    test.input = test.output = all_types[i];
    for (int s = 0; s < NUM_SHAPES; s++) {
      test.whole = shapes[s];
      draw_root(&test, selection->count);
      test.kind = TESSERA_SITE_SEND;
      test.axis = 0;
      consider(selection, &test, device);
      for (test.axis = 0; test.axis < test.whole.rank; test.axis++) {
        for (int k = 0; k < 5; k++) {
          test.kind = kinds[k];
          consider_cut(selection, test, test.axis, device);
        }
        test.kind = TESSERA_SITE_ALL_TO_ALL;
        for (test.concat = 0; test.concat < test.whole.rank; test.concat++)
          consider_cut(selection, test, test.concat, device);
        test.concat = 0;
        if (test.num_axes > 0)
          consider_halo(selection, test, device);
      }
    }
  }
}

static void all_shifts(selection *selection, test_case test, int32_t device) {
  static const int64_t offsets[] = {INT64_MIN, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, INT64_MAX};
  test.kind = TESSERA_SITE_SHIFT;
  for (int32_t i = 0; i < test.num_axes; i++)
    for (size_t o = 0; o < sizeof(offsets) / sizeof(offsets[0]); o++)
      for (test.flags = 0; test.flags <= TESSERA_SITE_ROTATE; test.flags++) {
        test.axis = test.axes[i];
        test.offset = offsets[o];
        test.input = test.output = all_types[mix(selection->count, 2) % NUM_TYPES];
        test.whole = shapes[mix(selection->count, 1) % NUM_SHAPES];
        consider(selection, &test, device);
      }
}

/* Every ordered choice of axes that begins with those of `test`. */
static void all_groups(selection *selection, test_case test, int32_t device) {
  all_reductions(selection, test, device);
  all_moves(selection, test, device);
  all_shifts(selection, test, device);
  for (int32_t axis = 0; axis < test.grid.rank; axis++) {
    bool used = false;
    for (int32_t i = 0; i < test.num_axes; i++)
      used = used || test.axes[i] == axis;
    if (used)
      continue;
    test_case longer = test;
    longer.axes[longer.num_axes++] = axis;
    all_groups(selection, longer, device);
  }
}

static void run_grid(int32_t rank, int32_t size, void *data) {
  (void)size;
  selection own = *(const selection *)data;
  test_case test = {.grid = own.grid};
  all_groups(&own, test, rank);
}

/* ---- at random, out of a larger space -------------------------------------------------------- */

enum { MOST_DEVICES = 12, CASES_OF_A_GRID = 64 };

typedef struct drawn_grids {
  uint64_t first, count;
  int64_t rows; /* of large tensors */
} drawn_grids;

static int64_t roll(uint64_t *seed, int64_t sides) {
  return (int64_t)(mix(++*seed, 17) % (uint64_t)sides);
}

static shape draw_grid(uint64_t seed) {
  seed = mix(seed, 0);
  shape grid = {.rank = (int32_t)roll(&seed, 4) + 1};
  for (int32_t i = 0; i < grid.rank; i++)
    grid.sizes[i] = 1;
  for (int32_t i = 0; i < grid.rank; i++)
    grid.sizes[i] = roll(&seed, MOST_DEVICES / devices_of(&grid)) + 1;
  return grid;
}

/* Any of the axes, in any order. */
static void draw_group(test_case *test, uint64_t *seed) {
  int32_t axes[MAX_RANK];
  for (int32_t i = 0; i < test->grid.rank; i++)
    axes[i] = i;
  test->num_axes = (int32_t)roll(seed, test->grid.rank + 1);
  for (int32_t i = 0; i < test->num_axes; i++) {
    int64_t other = i + roll(seed, test->grid.rank - i);
    test->axes[i] = axes[other];
    axes[other] = axes[i];
  }
  draw_root(test, *seed);
}

static void draw_types(test_case *test, uint64_t *seed) {
  bool reduces = test->kind == TESSERA_SITE_ALL_REDUCE || test->kind == TESSERA_SITE_REDUCE ||
                 test->kind == TESSERA_SITE_REDUCE_SCATTER;
  test->input = test->output = all_types[roll(seed, reduces ? NUM_REDUCED_TYPES : NUM_TYPES)];
  if (!reduces)
    return;
  if (roll(seed, 3) == 0) {
    const tessera_dtype *wider = widenings[roll(seed, NUM_WIDENINGS)];
    test->input = wider[0];
    test->output = wider[1];
  }
  do
    test->reduction = (tessera_reduction)(TESSERA_SUM + roll(seed, TESSERA_MINNUM));
  while (!has_meaning(test->output, test->reduction));
}

/* Axes of the tensor, where the op has them; a shift has one of the group's. */
static void draw_axes(test_case *test, uint64_t *seed) {
  if (test->kind == TESSERA_SITE_SHIFT) {
    test->axis = test->axes[roll(seed, test->num_axes)];
    test->offset = roll(seed, 19) - 9;
    test->flags = roll(seed, 2) ? TESSERA_SITE_ROTATE : 0;
    return;
  }
  if (test->whole.rank == 0)
    return;
  test->axis = (int32_t)roll(seed, test->whole.rank);
  if (test->kind == TESSERA_SITE_ALL_TO_ALL)
    test->concat = (int32_t)roll(seed, test->whole.rank);
  if (test->kind == TESSERA_SITE_UPDATE_HALO) {
    draw_halos(test, (uint64_t)roll(seed, 8));
    return;
  }
  if (test->kind == TESSERA_SITE_SEND)
    return;
  if (test->kind != TESSERA_SITE_ALL_REDUCE && test->kind != TESSERA_SITE_REDUCE)
    say_pieces(test, test->kind == TESSERA_SITE_ALL_TO_ALL ? test->concat : test->axis,
               (uint64_t)roll(seed, 4));
}

static test_case draw_case(const shape *grid, uint64_t seed) {
  static const struct {
    tessera_site_kind kind;
    int32_t least_rank;
  } kinds[] = {
      {TESSERA_SITE_ALL_REDUCE, 0},     {TESSERA_SITE_REDUCE, 0},      {TESSERA_SITE_BROADCAST, 0},
      {TESSERA_SITE_REDUCE_SCATTER, 1}, {TESSERA_SITE_ALL_GATHER, 1},  {TESSERA_SITE_ALL_SLICE, 1},
      {TESSERA_SITE_GATHER, 1},         {TESSERA_SITE_SCATTER, 1},     {TESSERA_SITE_ALL_TO_ALL, 2},
      {TESSERA_SITE_SEND, 0},           {TESSERA_SITE_UPDATE_HALO, 1}, {TESSERA_SITE_SHIFT, 1}};
  test_case test = {.grid = *grid, .seed = seed};
  draw_group(&test, &seed);
  int64_t num_kinds = (int64_t)(sizeof(kinds) / sizeof(kinds[0]));
  int64_t kind = roll(&seed, num_kinds - (test.num_axes == 0 ? 2 : 0));
  test.kind = kinds[kind].kind;
  test.whole.rank = kinds[kind].least_rank + (int32_t)roll(&seed, 4);
  for (int32_t i = 0; i < test.whole.rank; i++)
    test.whole.sizes[i] = roll(&seed, 14);
  draw_types(&test, &seed);
  draw_axes(&test, &seed);
  return test;
}

static void run_drawn(int32_t rank, int32_t size, void *data) {
  const drawn_grids *all = data;
  for (uint64_t seed = all->first; seed < all->first + all->count; seed++) {
    shape grid = draw_grid(seed);
    for (uint64_t i = 0; i < CASES_OF_A_GRID && devices_of(&grid) == size; i++) {
      test_case test = draw_case(&grid, mix(seed, i + 1));
      run_case(&test, rank);
    }
  }
}

static int run_at_random(drawn_grids all) {
  if (under_mpi())
    run_here(run_drawn, &all);
  for (int32_t size = 1; size <= MOST_DEVICES && !under_mpi(); size++)
    run_local(size, run_drawn, &all);
  return finish_tests();
}

/* ---- several at once ------------------------------------------------------------------------- */

/* More than can be under way. */
enum { MOST_STARTED = 24 };

typedef struct started_cases {
  started_case *cases[MOST_STARTED]; /* in the order in which they will be waited for */
  int64_t count;
} started_cases;

static void wait_for_last(started_cases *started) {
  started_case *last = started->cases[--started->count];
  wait_for_case(last);
  free(last);
}

static void start(started_cases *started, const test_case *test, int32_t device, uint64_t *seed) {
  int64_t place = roll(seed, started->count + 1);
  started_case *added = malloc(sizeof(*added));
  start_case(test, device, added);
  for (int64_t i = started->count++; i > place; i--)
    started->cases[i] = started->cases[i - 1];
  started->cases[place] = added;
}

/* Cases of any groups of one grid, some of them twice, some that block between them. */
static void run_several(int32_t rank, int32_t size, void *data) {
  const drawn_grids *all = data;
  started_cases started = {.count = 0};
  for (uint64_t seed = all->first; seed < all->first + all->count; seed++) {
    shape grid = draw_grid(seed);
    uint64_t dice = mix(seed, 99);
    for (uint64_t i = 0; i < CASES_OF_A_GRID && devices_of(&grid) == size; i++) {
      test_case test = draw_case(&grid, mix(seed, i + 1));
      bool starts = test.kind != TESSERA_SITE_SEND && roll(&dice, 4) > 0;
      if (!starts)
        run_case(&test, rank);
      uint64_t times = starts ? 1 + (uint64_t)roll(&dice, 2) : 0;
      for (test.again = 0; test.again < times; test.again++) {
        if (started.count == MOST_STARTED)
          wait_for_last(&started);
        start(&started, &test, rank, &dice);
      }
      while (started.count > 0 && roll(&dice, 3) == 0)
        wait_for_last(&started);
    }
    while (started.count > 0)
      wait_for_last(&started);
  }
}

/* Large ones, of which none is received before it is waited for. */
static void run_large_at_once(int32_t rank, int32_t size, void *data) {
  static const tessera_site_kind kinds[] = {TESSERA_SITE_ALL_GATHER, TESSERA_SITE_ALL_REDUCE,
                                            TESSERA_SITE_ALL_TO_ALL, TESSERA_SITE_REDUCE_SCATTER,
                                            TESSERA_SITE_BROADCAST};
  started_cases started = {.count = 0};
  const drawn_grids *all = data;
  uint64_t dice = 7;
  for (uint64_t i = 0; i < 2 * 5; i++) {
    test_case test = {.grid = {1, {size}},
                      .num_axes = 1,
                      .kind = kinds[i % 5],
                      .input = TESSERA_F32,
                      .output = TESSERA_F32,
                      .whole = {2, {all->rows, 200}},
                      .axis = (int32_t)(i / 5),
                      .concat = 1 - (int32_t)(i / 5),
                      .root = {size / 2},
                      .seed = i};
    if (test.kind == TESSERA_SITE_ALL_REDUCE || test.kind == TESSERA_SITE_REDUCE_SCATTER)
      test.reduction = TESSERA_SUM;
    start(&started, &test, rank, &dice);
  }
  while (started.count > 0)
    wait_for_last(&started);
}

static int run_several_at_once(drawn_grids all) {
  if (under_mpi()) {
    run_here(run_several, &all);
    run_here(run_large_at_once, &all);
  }
  for (int32_t size = 1; size <= MOST_DEVICES && !under_mpi(); size++) {
    run_local(size, run_several, &all);
    run_local(size, run_large_at_once, &all);
  }
  if (!under_mpi()) /* trees */
    run_local(19, run_large_at_once, &all);
  return finish_tests();
}

/* ---- large tensors: the ways that only they take --------------------------------------------- */

/* Each collective that cuts, on both axes, with every word about the pieces. */
static void cut_large(int32_t rank, int32_t size, void *data) {
  static const tessera_site_kind kinds[] = {TESSERA_SITE_ALL_GATHER, TESSERA_SITE_ALL_TO_ALL,
                                            TESSERA_SITE_GATHER, TESSERA_SITE_SCATTER,
                                            TESSERA_SITE_REDUCE_SCATTER};
  static const uint32_t flags[] = {0, TESSERA_SITE_LOCAL_SIZES, TESSERA_SITE_EVEN_SIZES};
  (void)data;
  for (uint64_t i = 0; i < 5 * 3 * 2; i++) {
    test_case test = {.grid = {1, {size}},
                      .num_axes = 1,
                      .kind = kinds[i % 5],
                      .input = TESSERA_F32,
                      .output = TESSERA_F32,
                      .whole = {2, {131, 97}},
                      .axis = (int32_t)(i / 15),
                      .concat = 1 - (int32_t)(i / 15),
                      .flags = flags[i / 5 % 3],
                      .root = {size / 2},
                      .seed = i};
    if (test.kind == TESSERA_SITE_REDUCE_SCATTER)
      test.reduction = TESSERA_SUM;
    if (test.flags == TESSERA_SITE_EVEN_SIZES)
      test.whole = (shape){2, {24 * size, 8 * size}};
    run_case(&test, rank);
  }
}

static void run_large(int32_t rank, int32_t size, void *data) {
  static const struct {
    tessera_dtype input, output;
    shape whole;
  } sums[] = {{TESSERA_F32, TESSERA_F32, {2, {301, 127}}},
              {TESSERA_BF16, TESSERA_BF16, {2, {301, 127}}},
              {TESSERA_F16, TESSERA_F32, {2, {301, 127}}},
              {TESSERA_I32, TESSERA_I64, {2, {301, 127}}},
              /* in several pieces, where processes have a limit for each */
              {TESSERA_F32, TESSERA_F32, {2, {701, 401}}},
              {TESSERA_I16, TESSERA_I64, {2, {701, 401}}}};
  size_t num = sizeof(sums) / sizeof(sums[0]) - (under_mpi() ? 0 : 2);
  (void)data;
  for (size_t i = 0; i < num; i++) {
    test_case test = {.grid = {1, {size}},
                      .num_axes = 1,
                      .kind = TESSERA_SITE_ALL_REDUCE,
                      .input = sums[i].input,
                      .output = sums[i].output,
                      .reduction = TESSERA_SUM,
                      .whole = sums[i].whole,
                      .seed = i};
    run_case(&test, rank);
  }
}

/* Transpositions of tensors so thin that the last member has the same pieces whichever dimension is
 * put together: they differ in that alone. */
static void run_thin(int32_t rank, int32_t size, void *data) {
  test_case test = {.grid = {1, {size}},
                    .num_axes = 1,
                    .kind = TESSERA_SITE_ALL_TO_ALL,
                    .input = TESSERA_F32,
                    .output = TESSERA_F32,
                    .whole = {3, {2 * size, 1, 1}}};
  (void)data;
  while (!is_listed(&test))
    test.seed++;
  for (int32_t i = 0; i < 4; i++) {
    test.concat = 1 + i % 2;
    run_case(&test, rank);
  }
}

/* Groups that are large enough for trees: a share of the cases. */
static void run_trees(void) {
  static const shape grids[] = {{1, {21}}, {2, {3, 17}}};
  enum { STRIDE = 240 };
  for (size_t i = 0; i < sizeof(grids) / sizeof(grids[0]); i++) {
    selection selection = {grids[i], STRIDE, 0};
    run_local((int32_t)devices_of(&grids[i]), run_grid, &selection);
  }
  run_local(19, run_large, NULL);
}

int main(int argc, char **argv) {
  static const shape grids[] = {{1, {4}}, {2, {2, 2}}, {2, {2, 3}}, {3, {2, 2, 2}},
                                {1, {1}}, {1, {2}},    {2, {1, 2}}};
  drawn_grids drawn = {argc > 3 ? strtoull(argv[3], NULL, 10) : 1,
                       argc > 2 ? strtoull(argv[2], NULL, 10) : 0,
                       argc > 4 ? strtoll(argv[4], NULL, 10) : 160};
  if (argc > 2 && strcmp(argv[1], "random") == 0)
    return run_at_random(drawn);
  if (argc > 2 && strcmp(argv[1], "several") == 0)
    return run_several_at_once(drawn);
  for (size_t i = 0; i < sizeof(grids) / sizeof(grids[0]); i++) {
    selection selection = {grids[i], 1, 0};
    if (argc > 2 && strcmp(argv[1], "sample") == 0)
      selection.stride = strtoull(argv[2], NULL, 10);
    int64_t devices = devices_of(&grids[i]);
    if (!under_mpi())
      run_local((int32_t)devices, run_grid, &selection);
    else if (run_here(NULL, NULL) == devices)
      run_here(run_grid, &selection);
  }
  if (argc > 3 && strcmp(argv[3], "small") == 0)
    return finish_tests();
  static const rank_function others[] = {run_large, cut_large, run_thin};
  for (int i = 0; i < 3; i++)
    if (under_mpi())
      run_here(others[i], NULL);
    else
      run_local(4, others[i], NULL);
  if (!under_mpi())
    run_trees();
  return finish_tests();
}
