/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Floats whose sum depends on the order are added in group order, to the last bit, whoever comes
 * late. Under MPI that is so with TESSERA_DETERMINISTIC=1; an all_reduce or a reduce_scatter over
 * hosts adds up those of each host first. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

/* Of magnitudes so far apart that another order gives other bits. */
static float value_of(int32_t rank, int64_t index) {
  uint64_t bits = mix((uint64_t)index, (uint64_t)rank + 1);
  float fraction = (float)(bits >> 40) / (float)(1 << 24) - 0.5f;
  return ldexpf(fraction, (int)(bits % 30));
}

static float sum_of_range(int32_t first, int32_t behind, int64_t index) {
  float sum = value_of(first, index);
  for (int32_t rank = first + 1; rank < behind; rank++)
    sum += value_of(rank, index);
  return sum;
}

/* `there` ranks with numbers that follow each other are on one host. */
static float sum_of(int32_t size, int32_t there, int64_t index) {
  float sum = sum_of_range(0, there, index);
  for (int32_t first = there; first < size; first += there)
    sum += sum_of_range(first, first + there, index);
  return sum;
}

/* Where all hosts have as many ranks, at least two. */
static int32_t ranks_there(int32_t size) {
  const char *wish = getenv("TESSERA_MPI_HOST");
  int32_t there = wish ? atoi(wish) : size;
  return there > 1 && size % there == 0 ? there : size;
}

static void check_sums(const memref *sums, int32_t size, int32_t there, int64_t start,
                       int64_t count, const char *name) {
  for (int64_t i = 0; i < count; i++) {
    float found, expected = sum_of(size, there, start + i);
    memcpy(&found, memref_at(sums, 1, sizeof(found), i), sizeof(found));
    /* The same bits: NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
    if (memcmp(&found, &expected, sizeof(found)) != 0) {
      fail_test("%s of %lld: element %lld is %a, not %a", name, (long long)count,
                (long long)(start + i), (double)found, (double)expected);
      return;
    }
  }
}

static void reduce_all(int32_t rank, int32_t size, int64_t count, uint64_t round) {
  int64_t extent = size, root = size - 1, mine = count / size;
  int32_t axis = 0;
  tessera_grid grid = {sizeof(grid), 1, "g", &extent};
  tessera_site site = {.struct_size = sizeof(site),
                       .name = "order",
                       .location = "",
                       .grid = &grid,
                       .axes = &axis,
                       .num_axes = 1,
                       .index = -1,
                       .input_rank = 1,
                       .output_rank = 1,
                       .input_type = TESSERA_F32,
                       .output_type = TESSERA_F32,
                       .reduction = TESSERA_SUM};
  memref in = memref_create(1, &count, sizeof(float), (arrangement)(round % NUM_ARRANGEMENTS));
  memref out = memref_create(1, &count, sizeof(float), DENSE);
  memref piece = memref_create(1, &mine, sizeof(float), DENSE);
  for (int64_t i = 0; i < count; i++) {
    float value = value_of(rank, i);
    memcpy(memref_at(&in, 1, sizeof(value), i), &value, sizeof(value));
  }
  usleep((useconds_t)(mix(round, (uint64_t)rank) % 3000));
  site.kind = TESSERA_SITE_ALL_REDUCE;
  tessera_rt_all_reduce(&site, NULL, &in, &out);
  check_sums(&out, size, ranks_there(size), 0, count, "all_reduce");
  usleep((useconds_t)(mix(round, (uint64_t)rank + 100) % 3000));
  site.kind = TESSERA_SITE_REDUCE;
  tessera_rt_reduce(&site, NULL, &in, &out, &root);
  if (rank == root)
    check_sums(&out, size, size, 0, count, "reduce");
  site.kind = TESSERA_SITE_REDUCE_SCATTER;
  tessera_rt_reduce_scatter(&site, NULL, &in, &piece);
  check_sums(&piece, size, ranks_there(size), rank * mine, mine, "reduce_scatter");
  memref_destroy(&in);
  memref_destroy(&out);
  memref_destroy(&piece);
}

static void run(int32_t rank, int32_t size, void *data) {
  (void)data;
  for (uint64_t round = 0; round < 6; round++) {
    reduce_all(rank, size, size, round);
    reduce_all(rank, size, (int64_t)size * 700, round);
    reduce_all(rank, size, (int64_t)size * 40000, round);
  }
}

int main(void) {
  if (under_mpi())
    run_here(run, NULL);
  for (int32_t size = 2; size <= 8 && !under_mpi(); size += 3)
    run_local(size, run, NULL);
  return finish_tests();
}
