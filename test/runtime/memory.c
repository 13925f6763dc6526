/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Many collectives leave the memory as it was. usage: memory [COUNT]. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness.h"

static void run_some(int64_t count, int32_t rank, int64_t extent) {
  int64_t sizes[1] = {0};
  int32_t axis = 0;
  tessera_grid grid = {sizeof(grid), 1, "g", &extent};
  tessera_site site = {.struct_size = sizeof(site),
                       .name = "memory",
                       .location = "",
                       .grid = &grid,
                       .axes = &axis,
                       .num_axes = 1,
                       .input_rank = 1,
                       .output_rank = 1,
                       .input_type = TESSERA_F32,
                       .output_type = TESSERA_F32,
                       .reduction = TESSERA_SUM};
  int64_t from[] = {1, -1, 1, -1, 1, 0, 0, 0, 0}, to[] = {1, -1, 1, -1, 0, 0, 0, 0};
  for (int64_t i = 0; i < count; i++) {
    int64_t rows = extent * (1 + i % 50), mine = rows / extent;
    memref whole = memref_create(1, &rows, sizeof(float), (arrangement)(i % NUM_ARRANGEMENTS));
    memref piece = memref_create(1, &mine, sizeof(float), DENSE);
    int64_t next = (rank + 1) % extent, previous = (rank + extent - 1) % extent;
    site.from = from;
    site.to = to;
    sizes[0] = rows;
    tessera_rt_all_reduce(&site, NULL, &whole, &whole);
    tessera_rt_reduce_scatter(&site, NULL, &whole, &piece);
    site.reduction = TESSERA_REDUCTION_NONE;
    tessera_rt_all_gather(&site, NULL, &piece, &whole);
    tessera_rt_exchange(&site, NULL, &piece, &whole, sizes);
    tessera_rt_send(&site, NULL, &piece, &next);
    tessera_rt_recv(&site, NULL, &piece, &previous);
    site.reduction = TESSERA_SUM;
    memref_destroy(&whole);
    memref_destroy(&piece);
  }
}

static void run(int32_t rank, int32_t size, void *data) {
  /* Other ranks are at other places, and what malloc keeps for its threads counts as in use: what
   * is lost grows each time. */
  enum { WARM_UP = 400, TOLERATED = 1 << 18, TIMES = 3 };
  int64_t count = *(int64_t *)data, least = INT64_MAX;
  run_some(WARM_UP, rank, size);
  for (int i = 0; i < TIMES; i++) {
    int64_t before = bytes_in_use();
    run_some(count, rank, size);
    int64_t grown = bytes_in_use() - before;
    least = grown < least ? grown : least;
  }
  if (least > TOLERATED)
    fail_test("rank %d: %lld bytes more after %lld rounds", rank, (long long)least,
              (long long)count);
}

/* AddressSanitizer needs more addresses than any limit leaves. */
#if defined(__SANITIZE_ADDRESS__)
enum { MAY_EXHAUST = 0 };
#else
enum { MAY_EXHAUST = 1 };
#endif

/* Exchanges of ever new sizes: plans of the last ones are kept, not of all. */
static void run_plans(int32_t rank, int32_t size, void *data) {
  enum { SIDE = 160, TOLERATED = 72 << 20 };
  int64_t extent = size, before = bytes_in_use(), most = 0;
  int64_t from[] = {2, -1, 1, -1, 1, 0, 0, 0, -1, 1, -1, 0, 0, 0, 0};
  int64_t to[] = {2, -1, 1, -1, 0, 0, 0, -1, 1, -1, 1, 0, 0, 0, 0};
  (void)rank;
  (void)data;
  tessera_grid grid = {sizeof(grid), 1, "g", &extent};
  tessera_site site = {.struct_size = sizeof(site),
                       .name = "plans",
                       .location = "",
                       .grid = &grid,
                       .index = -1,
                       .input_rank = 2,
                       .output_rank = 2,
                       .input_type = TESSERA_I8,
                       .output_type = TESSERA_I8,
                       .from = from,
                       .to = to};
  for (int64_t i = 0; i < SIDE * SIDE; i++) {
    int64_t sizes[2] = {size * (1 + i / SIDE), size * (1 + i % SIDE)};
    int64_t rows[2] = {sizes[0] / size, sizes[1]}, columns[2] = {sizes[0], sizes[1] / size};
    memref in = memref_create(2, rows, 1, DENSE), out = memref_create(2, columns, 1, DENSE);
    tessera_rt_exchange(&site, NULL, &in, &out, sizes);
    memref_destroy(&in);
    memref_destroy(&out);
    int64_t grown = i % SIDE ? 0 : bytes_in_use() - before;
    most = grown > most ? grown : most;
  }
  if (most > size * (int64_t)TOLERATED)
    fail_test("plans of exchanges take %lld bytes", (long long)most);
}

/* Bytes of addresses that the process uses; 0 if that is not known. */
static int64_t address_bytes(void) {
  long long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%lld", &pages) != 1)
    pages = 0;
  if (file)
    fclose(file);
  return (int64_t)pages * sysconf(_SC_PAGESIZE);
}

/* What is kept for later is given back before memory is said to be exhausted. */
static void exhaust(void) {
  enum { BLOCKS = 8, BLOCK = 64 << 20, LEFT = 128 << 20, LARGER = 300 << 20 };
  void *blocks[BLOCKS];
  struct rlimit limit, before;
  for (int i = 0; i < BLOCKS; i++)
    blocks[i] = tessera_alloc(BLOCK);
  for (int i = 0; i < BLOCKS; i++)
    tessera_free(blocks[i]);
  int64_t used = address_bytes();
  if (used == 0 || getrlimit(RLIMIT_AS, &before) != 0)
    return;
  limit = before;
  limit.rlim_cur = (rlim_t)(used + LEFT);
  if (setrlimit(RLIMIT_AS, &limit) != 0)
    return;
  void *larger = tessera_alloc(LARGER);
  setrlimit(RLIMIT_AS, &before);
  EXPECT(larger);
  tessera_free(larger);
}

int main(int argc, char **argv) {
  int64_t count = argc > 1 ? strtoll(argv[1], NULL, 10) : 2000;
  if (under_mpi())
    run_here(run, &count);
  else
    run_local(3, run, &count);
  if (MAY_EXHAUST && !under_mpi())
    exhaust();
  if (!under_mpi() && argc == 1)
    run_local(3, run_plans, NULL);
  return finish_tests();
}
