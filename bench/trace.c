/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What traces and statistics cost a call: the same call on contexts that differ in that alone, in
 * turn. It knows the public ABI alone. usage: trace [ROUNDS] */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tessera/program.h"
#include "tessera/runtime.h"

enum { CALLS = 20000, MOST_ROUNDS = 1001 };

/* The first two are alike: what they differ by is what is not measurable. */
static const struct {
  const char *name, *trace, *stats;
} ways[] = {{"off", NULL, NULL},
            {"off, once more", NULL, NULL},
            {"TESSERA_STATS=1", NULL, "1"},
            {"TESSERA_TRACE", "/dev/null", NULL},
            {"both", "/dev/null", "1"}};
enum { NUM_WAYS = sizeof(ways) / sizeof(ways[0]) };

static const int64_t one = 1;
static const int32_t first_axis = 0;
static const tessera_grid alone = {sizeof(alone), 1, "alone", &one};
static const tessera_site site = {.struct_size = sizeof(site),
                                  .kind = TESSERA_SITE_ALL_REDUCE,
                                  .name = "all_reduce",
                                  .location = "bench.mlir:1:1",
                                  .grid = &alone,
                                  .axes = &first_axis,
                                  .num_axes = 1,
                                  .input_rank = 1,
                                  .output_rank = 1,
                                  .input_type = TESSERA_F32,
                                  .output_type = TESSERA_F32,
                                  .reduction = TESSERA_SUM};

static void set(const char *variable, const char *value) {
  if (value)
    setenv(variable, value, 1);
  else
    unsetenv(variable);
}

/* ---- a round --------------------------------------------------------------------------------- */

/* Of the processor, so that others who use the machine count less. */
static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void call_often(void *data) {
  float in[2] = {1, 2}, out[2];
  struct {
    void *allocated, *aligned;
    int64_t offset, dims[2];
  } from = {in, in, 0, {2, 1}}, to = {out, out, 0, {2, 1}};
  double start = seconds();
  for (int i = 0; i < CALLS; i++)
    tessera_rt_all_reduce(&site, NULL, &from, &to);
  *(double *)data = (seconds() - start) / CALLS;
}

static double time_round(tessera_context *context) {
  double time = 0;
  tessera_context_set_current(context);
  if (tessera_attempt(context, call_often, &time)) {
    fprintf(stderr, "%s\n", tessera_last_error());
    exit(1);
  }
  return time;
}

/* ---- the table ------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  static double times[NUM_WAYS][MOST_ROUNDS], more[MOST_ROUNDS];
  int wish = argc > 1 ? atoi(argv[1]) : 101;
  int rounds = wish < 1 ? 1 : wish > MOST_ROUNDS ? MOST_ROUNDS : wish;
  tessera_context *contexts[NUM_WAYS];
  for (int way = 0; way < NUM_WAYS; way++) {
    set("TESSERA_TRACE", ways[way].trace);
    set("TESSERA_STATS", ways[way].stats);
    if (tessera_local_create(1, &contexts[way])) {
      fprintf(stderr, "%s\n", tessera_last_error());
      return 1;
    }
    time_round(contexts[way]);
  }
  for (int round = 0; round < rounds; round++)
    for (int way = 0; way < NUM_WAYS; way++)
      times[(way + round) % NUM_WAYS][round] = time_round(contexts[(way + round) % NUM_WAYS]);
  printf("%-16s %10s %10s   nanoseconds a call of a rank alone, medians of %d rounds\n", "", "call",
         "more", rounds);
  for (int way = 0; way < NUM_WAYS; way++) {
    for (int round = 0; round < rounds; round++)
      more[round] = times[way][round] - times[0][round];
    qsort(more, (size_t)rounds, sizeof(double), ascending);
    double cost = more[rounds / 2];
    double sorted[MOST_ROUNDS];
    for (int round = 0; round < rounds; round++)
      sorted[round] = times[way][round];
    qsort(sorted, (size_t)rounds, sizeof(double), ascending);
    printf("%-16s %10.1f %10.1f\n", ways[way].name, sorted[rounds / 2] * 1e9, cost * 1e9);
  }
  /* What was remembered is no result. */
  set("TESSERA_TRACE", NULL);
  set("TESSERA_STATS", NULL);
  tessera_context_set_current(NULL);
  for (int way = 0; way < NUM_WAYS; way++)
    tessera_local_destroy(1, &contexts[way]);
  return 0;
}
