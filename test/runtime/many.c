/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Groups of more ranks than look at each other one by one: results, differences and failures, and
 * time that grows as the number of pieces does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { RANKS = 130, ROUNDS = 3 };

static int64_t open_extent = -1;
static const int32_t first_axis = 0;
static const tessera_grid all = {sizeof(all), 1, "all", &open_extent};

static tessera_site site_of(tessera_site_kind kind, const char *name) {
  return (tessera_site){.struct_size = sizeof(tessera_site),
                        .kind = kind,
                        .name = name,
                        .location = "m.mlir:1:1",
                        .grid = &all,
                        .axes = &first_axis,
                        .num_axes = 1,
                        .index = -1,
                        .input_rank = 1,
                        .output_rank = 1,
                        .input_type = TESSERA_I64,
                        .output_type = TESSERA_I64,
                        .reduction = TESSERA_SUM};
}

static memref numbers(int64_t count) {
  return memref_create(1, &count, sizeof(int64_t), DENSE);
}

static int64_t *number(const memref *memref, int64_t index) {
  return (int64_t *)(void *)memref_at(memref, 1, sizeof(int64_t), index);
}

/* ---- results --------------------------------------------------------------------------------- */

static int64_t value_of(int32_t rank, int64_t index) {
  return (rank + 1) * 1000 + index;
}

static int64_t sum_of(int32_t size, int64_t index) {
  return (int64_t)size * (size + 1) / 2 * 1000 + size * index;
}

static void fill(const memref *in, int32_t rank, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    *number(in, i) = value_of(rank, i);
}

static void reduce_all(int32_t rank, int32_t size, int64_t count) {
  tessera_site whole = site_of(TESSERA_SITE_ALL_REDUCE, "all_reduce");
  tessera_site parts = site_of(TESSERA_SITE_REDUCE_SCATTER, "reduce_scatter");
  memref in = numbers(count * size), out = numbers(count * size), part = numbers(count);
  fill(&in, rank, count * size);
  tessera_rt_all_reduce(&whole, NULL, &in, &out);
  tessera_rt_reduce_scatter(&parts, NULL, &in, &part);
  for (int64_t i = 0; i < count * size; i++)
    EXPECT(*number(&out, i) == sum_of(size, i));
  for (int64_t i = 0; i < count; i++)
    EXPECT(*number(&part, i) == sum_of(size, rank * count + i));
  memref_destroy(&in);
  memref_destroy(&out);
  memref_destroy(&part);
}

static void exchange_all(int32_t rank, int32_t size, int64_t count) {
  tessera_site whole = site_of(TESSERA_SITE_ALL_GATHER, "all_gather");
  tessera_site parts = site_of(TESSERA_SITE_ALL_TO_ALL, "all_to_all");
  memref in = numbers(count * size), out = numbers(count * size), part = numbers(count);
  fill(&in, rank, count * size);
  fill(&part, rank, count);
  tessera_rt_all_to_all(&parts, NULL, &in, &out);
  for (int64_t i = 0; i < count * size; i++)
    EXPECT(*number(&out, i) == value_of((int32_t)(i / count), rank * count + i % count));
  tessera_rt_all_gather(&whole, NULL, &part, &out);
  for (int64_t i = 0; i < count * size; i++)
    EXPECT(*number(&out, i) == value_of((int32_t)(i / count), i % count));
  memref_destroy(&in);
  memref_destroy(&out);
  memref_destroy(&part);
}

static void run_all(int32_t rank, int32_t size, void *data) {
  (void)data;
  for (int i = 0; i < ROUNDS; i++) {
    reduce_all(rank, size, 1);
    reduce_all(rank, size, 20);
    exchange_all(rank, size, 1 + i);
  }
}

/* ---- failures -------------------------------------------------------------------------------- */

/* What fails does not return: memory is its caller's. */
static void reduce_pair(void *data) {
  const memref *pair = data;
  tessera_site site = site_of(TESSERA_SITE_ALL_REDUCE, "all_reduce");
  tessera_rt_all_reduce(&site, NULL, &pair[0], &pair[1]);
}

/* All ranks hear of one that calls something else. */
static void differ(int32_t rank, int32_t size, void *data) {
  caught caught;
  int64_t count = rank == *(int32_t *)data ? 9 : 8;
  memref pair[] = {numbers(count), numbers(count)};
  (void)size;
  fill(&pair[0], 0, count);
  tessera_status status = attempt(&caught, reduce_pair, pair);
  EXPECT(status == TESSERA_ERROR_MISMATCH || status == TESSERA_ERROR_PEER);
  EXPECT(strstr(caught.message, "pieces do not fit"));
  memref_destroy(&pair[0]);
  memref_destroy(&pair[1]);
}

int main(void) {
  int32_t odd = RANKS / 2;
  run_local(RANKS, run_all, NULL);
  run_local(RANKS, differ, &odd);
  return finish_tests();
}
