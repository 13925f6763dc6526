/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* exchange between random layouts: factors, halos, offsets, uneven and empty pieces, run-time
 * sizes, halos and offsets. Every element carries its global index. usage: exchange [COUNT [SEED]].
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layouts.h"

typedef struct test_case {
  space space;
  layout from, to;
  uint64_t seed;
} test_case;

/* ---- drawing --------------------------------------------------------------------------------- */

static test_case draw_case(uint64_t seed) {
  static const struct {
    int32_t rank;
    int64_t extents[3];
  } grids[] = {{1, {4}}, {2, {2, 2}}, {2, {2, 3}}, {3, {2, 2, 2}}, {2, {4, 2}}};
  static const int64_t sizes[] = {12, 10, 7, 1, 0, 24, 5, 36};
  dice dice = {seed, 0};
  test_case test = {.seed = seed};
  space *space = &test.space;
  int64_t grid = roll(&dice, 5);
  space->grid_rank = grids[grid].rank;
  memcpy(space->grid, grids[grid].extents, sizeof(grids[grid].extents));
  space->rank = (int32_t)roll(&dice, 4);
  for (int32_t i = 0; i < space->rank; i++) {
    space->sizes[i] = sizes[roll(&dice, 8)];
    space->dynamic[i] = roll(&dice, 4) == 0;
  }
  draw_layout(&dice, space, &test.from);
  draw_layout(&dice, space, &test.to);
  return test;
}

/* ---- one case -------------------------------------------------------------------------------- */

static memref make_piece(const test_case *test, const layout *layout, int32_t device,
                         arrangement how) {
  int64_t shape[MAX_RANK];
  local_shape(&test->space, layout, device, shape);
  return memref_create(test->space.rank, shape, sizeof(int64_t), how);
}

static void fill_source(const test_case *test, int32_t device, const memref *in) {
  for (int64_t i = 0; i < memref_elements(in, test->space.rank); i++) {
    bool in_core;
    int64_t value = global_index(&test->space, &test->from, device, i, &in_core);
    if (!in_core)
      value = -7; /* nobody may take a halo's word */
    memcpy(memref_at(in, test->space.rank, sizeof(value), i), &value, sizeof(value));
  }
}

enum { UNTOUCHED = -9 };

static void fill_target(const test_case *test, const memref *out) {
  const int64_t value = UNTOUCHED;
  for (int64_t i = 0; i < memref_elements(out, test->space.rank); i++)
    memcpy(memref_at(out, test->space.rank, sizeof(value), i), &value, sizeof(value));
}

/* By element of the tensor: whether the device has it in its source piece. The caller frees it. */
static bool *list_own(const test_case *test, int32_t device, const memref *in) {
  int64_t elements = 1;
  for (int32_t i = 0; i < test->space.rank; i++)
    elements *= test->space.sizes[i];
  bool *own = calloc((size_t)elements + 1, sizeof(*own));
  for (int64_t i = 0; own && i < memref_elements(in, test->space.rank); i++) {
    bool in_core;
    int64_t element = global_index(&test->space, &test->from, device, i, &in_core);
    if (in_core)
      own[element] = true;
  }
  return own;
}

/* `left_out`: elements that were not to be copied, or NULL. */
static void check_target(const test_case *test, int32_t device, const bool *left_out,
                         const memref *out) {
  for (int64_t i = 0; i < memref_elements(out, test->space.rank); i++) {
    bool in_core;
    int64_t expected = global_index(&test->space, &test->to, device, i, &in_core), found;
    memcpy(&found, memref_at(out, test->space.rank, sizeof(found), i), sizeof(found));
    if (expected < 0)
      continue;
    if (left_out && left_out[expected])
      expected = UNTOUCHED;
    if (found != expected) {
      fail_test("seed %llu: device %d element %d is %lld, not %lld", (unsigned long long)test->seed,
                device, (int)i, (long long)found, (long long)expected);
      return;
    }
  }
}

static void run_case(const test_case *test, int32_t device) {
  int64_t from[MAX_LAYOUT_WORDS], to[MAX_LAYOUT_WORDS];
  numbers told = {0};
  tell_sizes(&test->space, &told);
  EXPECT(write_words(&test->space, &test->from, test->seed, 3, from, &told) ==
         tessera_layout_words(from));
  EXPECT(write_words(&test->space, &test->to, ~test->seed, 3, to, &told) ==
         tessera_layout_words(to));
  tessera_grid grid = {sizeof(grid), test->space.grid_rank, "g", test->space.grid};
  tessera_site site = {.struct_size = sizeof(site),
                       .kind = TESSERA_SITE_EXCHANGE,
                       .name = "exchange",
                       .location = "",
                       .grid = &grid,
                       .index = -1,
                       .input_rank = test->space.rank,
                       .output_rank = test->space.rank,
                       .input_type = TESSERA_I64,
                       .output_type = TESSERA_I64,
                       .from = from,
                       .to = to};
  memref in = make_piece(test, &test->from, device, (arrangement)(test->seed % NUM_ARRANGEMENTS));
  memref out =
      make_piece(test, &test->to, device, (arrangement)(test->seed / 3 % NUM_ARRANGEMENTS));
  fill_source(test, device, &in);
  for (int repeat = 0; repeat < 2; repeat++) { /* the second time by the kept plan */
    memref from = on_device(&in), to = on_device(&out);
    tessera_rt_exchange(&site, NULL, &from, &to, told.num ? told.values : NULL);
    await_device();
    check_target(test, device, NULL, &out);
  }
  site.flags = TESSERA_SITE_RECEIVED;
  bool *own = list_own(test, device, &in);
  EXPECT(own);
  for (int repeat = 0; repeat < 2; repeat++) {
    fill_target(test, &out);
    memref from = on_device(&in), to = on_device(&out);
    tessera_rt_exchange(&site, NULL, &from, &to, told.num ? told.values : NULL);
    await_device();
    check_target(test, device, own, &out);
  }
  free(own);
  memref_destroy(&in);
  memref_destroy(&out);
}

typedef struct range {
  uint64_t first, count;
} range;

static void run_range(int32_t rank, int32_t size, void *data) {
  const range *range = data;
  for (uint64_t i = 0; i < range->count; i++) {
    test_case test = draw_case(range->first + i);
    int64_t devices = 1;
    for (int32_t k = 0; k < test.space.grid_rank; k++)
      devices *= test.space.grid[k];
    if (devices == size)
      run_case(&test, rank);
  }
}

int main(int argc, char **argv) {
  range range = {argc > 2 ? strtoull(argv[2], NULL, 10) : 1,
                 argc > 1 ? strtoull(argv[1], NULL, 10) : 3000};
  static const int32_t sizes[] = {4, 6, 8};
  for (int i = 0; i < 3 && !under_mpi(); i++)
    run_local(sizes[i], run_range, &range);
  if (under_mpi())
    run_here(run_range, &range);
  return finish_tests();
}
