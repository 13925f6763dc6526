/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages between single ranks and halos: rings of any size, any source, corners, uneven cores. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static tessera_site make_site(const tessera_grid *grid, const int32_t *axes, int32_t num_axes,
                              int32_t rank) {
  return (tessera_site){.struct_size = sizeof(tessera_site),
                        .name = "point",
                        .location = "",
                        .grid = grid,
                        .axes = axes,
                        .num_axes = num_axes,
                        .index = -1,
                        .input_rank = rank,
                        .output_rank = rank,
                        .input_type = TESSERA_I64,
                        .output_type = TESSERA_I64};
}

/* ---- send and recv --------------------------------------------------------------------------- */

/* Everyone sends before it receives, more than any eager limit. */
static void ring(int32_t rank, int32_t size, int64_t count) {
  int64_t extent = size, next = (rank + 1) % size, previous = (rank + size - 1) % size;
  int32_t axis = 0;
  tessera_grid grid = {sizeof(grid), 1, "g", &extent};
  tessera_site site = make_site(&grid, &axis, 1, 1);
  memref in = memref_create(1, &count, sizeof(int64_t), WITH_GAPS);
  memref out = memref_create(1, &count, sizeof(int64_t), WITH_GAPS);
  for (int64_t round = 0; round < 3; round++) {
    for (int64_t i = 0; i < count; i++) {
      int64_t value = rank * 1000 + round * 100 + i;
      memcpy(memref_at(&in, 1, sizeof(value), i), &value, sizeof(value));
    }
    tessera_rt_send(&site, NULL, &(memref[]){on_device(&in)}[0],
                    &next); /* its buffer is written again while it travels */
  }
  for (int64_t round = 0; round < 3; round++) {
    tessera_rt_recv(&site, NULL, &(memref[]){on_device(&out)}[0], &previous);
    for (int64_t i = 0; i < count; i++) {
      int64_t value;
      memcpy(&value, memref_at(&out, 1, sizeof(value), i), sizeof(value));
      EXPECT(value == previous * 1000 + round * 100 + i);
    }
  }
  memref_destroy(&in);
  memref_destroy(&out);
}

/* What nobody takes is reported by who sent it, once, large or small, and is in nobody's way. */
static void left_over(int32_t rank, int32_t size, int64_t count) {
  int64_t extent = size, next = (rank + 1) % size;
  int32_t axis = 0;
  tessera_grid grid = {sizeof(grid), 1, "g", &extent};
  static const char name[] = "lost";
  tessera_site site = make_site(&grid, &axis, 1, 1);
  site.name = name;
  tessera_context *context = tessera_context_current();
  memref in = memref_create(1, &count, sizeof(int64_t), WITH_GAPS);
  char expected[128];
  snprintf(expected, sizeof(expected), "'lost': rank %d never received what rank %d sent",
           (int)next, rank);
  EXPECT(tessera_settle(context) == TESSERA_OK);
  tessera_rt_send(&site, NULL, &(memref[]){on_device(&in)}[0], &next);
  EXPECT(tessera_settle(context) == TESSERA_ERROR_MISMATCH);
  EXPECT(strstr(tessera_last_error(), expected));
  EXPECT(tessera_settle(context) == TESSERA_OK);
  ring(rank, size, 2);
  EXPECT(tessera_settle(context) == TESSERA_OK);
  memref_destroy(&in);
}

/* All send to the first, which takes them as they come. */
static void any_source(int32_t rank, int32_t size) {
  int64_t extent = size, root = 0, seen = 0, one = 1;
  int32_t axis = 0;
  tessera_grid grid = {sizeof(grid), 1, "g", &extent};
  tessera_site site = make_site(&grid, &axis, 1, 1);
  memref cell = memref_create(1, &one, sizeof(int64_t), DENSE);
  int64_t value = rank;
  memcpy(cell.aligned, &value, sizeof(value));
  tessera_rt_send(&site, NULL, &(memref[]){on_device(&cell)}[0], &root);
  for (int32_t i = 0; rank == 0 && i < size; i++) {
    tessera_rt_recv(&site, NULL, &(memref[]){on_device(&cell)}[0], NULL);
    memcpy(&value, cell.aligned, sizeof(value));
    seen |= (int64_t)1 << value;
  }
  EXPECT(rank != 0 || seen == ((int64_t)1 << size) - 1);
  memref_destroy(&cell);
}

static void to_itself(int32_t rank) {
  int64_t extents[2] = {tessera_context_size(tessera_context_current()), 1}, here = 0, one = 1;
  tessera_grid grid = {sizeof(grid), 2, "g", extents};
  int32_t axis = 1;
  tessera_site site = make_site(&grid, &axis, 1, 1);
  memref in = memref_create(1, &one, sizeof(int64_t), DENSE);
  memref out = memref_create(1, &one, sizeof(int64_t), DENSE);
  int64_t value = rank + 5;
  memcpy(in.aligned, &value, sizeof(value));
  tessera_rt_send(&site, NULL, &(memref[]){on_device(&in)}[0], &here);
  tessera_rt_recv(&site, NULL, &(memref[]){on_device(&out)}[0], &here);
  memcpy(&value, out.aligned, sizeof(value));
  EXPECT(value == rank + 5);
  memref_destroy(&in);
  memref_destroy(&out);
}

static void queries(int32_t rank, int32_t size) {
  int64_t shape[2] = {-1, 2};
  tessera_grid grid = {sizeof(grid), 2, "g", shape};
  int32_t axes[2] = {0, 1};
  tessera_site site = make_site(&grid, axes, 2, 1);
  if (size % 2)
    return;
  EXPECT(tessera_rt_process_linear_index(&site) == rank);
  EXPECT(tessera_rt_process_index(&site, 0) == rank / 2);
  EXPECT(tessera_rt_process_index(&site, 1) == rank % 2);
  EXPECT(tessera_rt_grid_extent(&site, 0) == size / 2);
  EXPECT(tessera_rt_sum_size(&site, rank) == (int64_t)size * (size - 1) / 2);
}

/* ---- halos ----------------------------------------------------------------------------------- */

enum { DIMS = 2 };

typedef struct halo_case {
  int64_t grid[3];
  int32_t grid_rank;
  int64_t words[8]; /* split axes */
  int64_t sizes[DIMS];
  int64_t halos[DIMS][2];
} halo_case;

static const halo_case halo_cases[] = {
    {{4}, 1, {2, 1, 0, 0}, {8, 3}, {{1, 1}, {0, 0}}},
    {{4}, 1, {2, 0, 1, 0}, {3, 11}, {{0, 0}, {2, 1}}},
    {{2, 2}, 2, {2, 1, 0, 1, 1}, {4, 6}, {{1, 1}, {1, 1}}},
    {{2, 2}, 2, {2, 1, 1, 1, 0}, {5, 7}, {{2, 0}, {1, 3}}},
    {{2, 2}, 2, {2, 2, 1, 0, 0}, {9, 2}, {{2, 2}, {0, 0}}},
    {{2, 3}, 2, {2, 1, 0, 1, 1}, {6, 7}, {{1, 2}, {2, 1}}},
    {{2, 2, 2}, 3, {2, 2, 0, 2, 1, 1}, {8, 5}, {{2, 1}, {1, 2}}},
    {{2, 2, 2}, 3, {2, 1, 1, 0}, {5, 3}, {{1, 1}, {0, 0}}},
    /* Wider than the neighbour's core, than all cores; cores of no rows. */
    {{2}, 1, {2, 1, 0, 0}, {4, 3}, {{3, 2}, {0, 0}}},
    {{4}, 1, {2, 1, 0, 0}, {8, 3}, {{3, 5}, {0, 0}}},
    {{4}, 1, {2, 0, 1, 0}, {3, 6}, {{0, 0}, {2, 3}}},
    {{4}, 1, {2, 1, 0, 0}, {2, 3}, {{1, 1}, {0, 0}}},
    {{4}, 1, {2, 1, 0, 0}, {0, 3}, {{1, 2}, {0, 0}}},
    {{4}, 1, {2, 1, 0, 0}, {5, 1}, {{9, 9}, {0, 0}}},
    {{2, 2}, 2, {2, 1, 0, 1, 1}, {3, 2}, {{3, 2}, {2, 1}}},
    {{2, 2}, 2, {2, 2, 1, 0, 0}, {4, 5}, {{2, 3}, {0, 0}}},
    {{2, 3}, 2, {2, 1, 1, 1, 0}, {6, 2}, {{3, 5}, {2, 2}}},
    {{2, 2, 2}, 3, {2, 2, 0, 2, 1, 1}, {3, 4}, {{2, 1}, {3, 2}}},
    {{2, 2, 2}, 3, {2, 3, 2, 0, 1, 0}, {16, 2}, {{5, 6}, {0, 0}}},
};

/* Start of this device's core in a dimension, and its rows. */
static void core_of(const halo_case *test, int32_t device, int32_t dim, int64_t *start,
                    int64_t *rows) {
  int64_t coordinates[3], index = 0, shards = 1;
  const int64_t *words = test->words + 1;
  for (int32_t i = test->grid_rank - 1; i >= 0; i--) {
    coordinates[i] = device % test->grid[i];
    device /= (int32_t)test->grid[i];
  }
  for (int32_t i = 0; i < dim; i++)
    words += 1 + words[0];
  for (int64_t i = 0; i < words[0]; i++) {
    index = index * test->grid[words[1 + i]] + coordinates[words[1 + i]];
    shards *= test->grid[words[1 + i]];
  }
  int64_t base = test->sizes[dim] / shards, first = shards - test->sizes[dim] % shards;
  *start = index * base + (index > first ? index - first : 0);
  *rows = base + (index >= first);
}

static bool is_even(const halo_case *test, int32_t devices) {
  int64_t start, rows[2];
  for (int32_t dim = 0; dim < DIMS; dim++)
    for (int32_t device = 0; device < devices; device++) {
      core_of(test, device, dim, &start, &rows[1]);
      if (device == 0)
        rows[0] = rows[1];
      if (rows[0] != rows[1])
        return false;
    }
  return true;
}

static void halos(const halo_case *test, int32_t rank, uint32_t flags) {
  int64_t starts[DIMS], rows[DIMS], shape[DIMS], halos[2 * DIMS], count = 0;
  tessera_grid grid = {sizeof(grid), test->grid_rank, "g", test->grid};
  tessera_site site = make_site(&grid, NULL, 0, DIMS);
  const int64_t *words = test->words + 1;
  site.from = test->words;
  site.flags = flags;
  for (int32_t i = 0; i < DIMS; words += 1 + words[0], i++) {
    core_of(test, rank, i, &starts[i], &rows[i]);
    shape[i] = rows[i] + test->halos[i][0] + test->halos[i][1];
    if (words[0]) {
      halos[count++] = test->halos[i][0];
      halos[count++] = test->halos[i][1];
    }
  }
  memref buffer = memref_create(DIMS, shape, sizeof(int64_t), TRANSPOSED);
  for (int pass = 0; pass < 2; pass++) {
    for (int64_t i = 0; i < memref_elements(&buffer, DIMS); i++) {
      int64_t at[DIMS] = {i / shape[1] - test->halos[0][0], i % shape[1] - test->halos[1][0]};
      bool in_core = at[0] >= 0 && at[0] < rows[0] && at[1] >= 0 && at[1] < rows[1];
      int64_t y = at[0] + starts[0], x = at[1] + starts[1], value = -1;
      bool inside = y >= 0 && y < test->sizes[0] && x >= 0 && x < test->sizes[1];
      bool is_edge =
          !inside && ((at[0] >= 0 && at[0] < rows[0]) || (at[1] >= 0 && at[1] < rows[1]));
      char *element = memref_at(&buffer, DIMS, sizeof(value), i);
      if (pass == 1) {
        memcpy(&value, element, sizeof(value));
        EXPECT(!inside || value == y * 100 + x);
        EXPECT(!is_edge || value == -1);
        continue;
      }
      if (in_core)
        value = y * 100 + x;
      memcpy(element, &value, sizeof(value));
    }
    if (pass == 0)
      tessera_rt_update_halo(&site, NULL, &(memref[]){on_device(&buffer)}[0], halos);
    await_device();
  }
  memref_destroy(&buffer);
}

static void run(int32_t rank, int32_t size, void *data) {
  (void)data;
  ring(rank, size, 3);
  ring(rank, size, 40000);
  ring(rank, size, 0);
  any_source(rank, size);
  left_over(rank, size, 1);
  left_over(rank, size, 200000);
  to_itself(rank);
  queries(rank, size);
  for (size_t i = 0; i < sizeof(halo_cases) / sizeof(halo_cases[0]); i++) {
    int64_t devices = 1;
    for (int32_t k = 0; k < halo_cases[i].grid_rank; k++)
      devices *= halo_cases[i].grid[k];
    if (devices == size)
      halos(&halo_cases[i], rank, TESSERA_SITE_LOCAL_SIZES);
    if (devices == size && is_even(&halo_cases[i], size))
      halos(&halo_cases[i], rank, 0);
  }
}

/* ---- open grids ------------------------------------------------------------------------------ */

typedef struct open_grid {
  int32_t ranks, rank;
  int64_t shape[5], extents[5];
} open_grid;

static void resolve(int32_t rank, int32_t size, void *data) {
  const open_grid *expected = data;
  tessera_grid grid = {sizeof(grid), expected->rank, "g", expected->shape};
  tessera_site site = make_site(&grid, NULL, 0, 1);
  (void)size;
  for (int32_t i = 0; rank == 0 && i < expected->rank; i++) {
    int64_t extent = tessera_rt_grid_extent(&site, i);
    if (extent != expected->extents[i])
      fail_test("%d ranks: extent %d is %d, not %d", expected->ranks, i, (int)extent,
                (int)expected->extents[i]);
  }
}

/* Open extents are near-equal and fall, as MPI_Dims_create has it; fixed ones stay. */
static void open_grids(void) {
  static open_grid all[] = {
      {36, 3, {-1, -1, -1}, {4, 3, 3}},       {12, 2, {-1, -1}, {4, 3}},
      {72, 4, {-1, 2, -1, -1}, {4, 2, 3, 3}}, {60, 4, {-1, -1, -1, -1}, {5, 3, 2, 2}},
      {24, 3, {-1, 3, -1}, {4, 3, 2}},        {7, 2, {-1, -1}, {7, 1}},
      {8, 3, {2, -1, 2}, {2, 2, 2}},          {72, 5, {-1, -1, -1, -1, -1}, {3, 3, 2, 2, 2}},
  };
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
    run_local(all[i].ranks, resolve, &all[i]);
}

int main(void) {
  static const int32_t sizes[] = {1, 2, 4, 6, 8};
  for (int i = 0; i < 5 && !under_mpi(); i++)
    run_local(sizes[i], run, NULL);
  if (!under_mpi())
    open_grids();
  if (under_mpi())
    run_here(run, NULL);
  return finish_tests();
}
