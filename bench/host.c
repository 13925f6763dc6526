/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Collectives between threads of one process, beside threads that add and copy directly by hand.
 * It knows the public ABI alone. usage: host RANKS SECONDS [COLLECTIVE] */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tessera/program.h"
#include "tessera/runtime.h"

enum { MOST_RANKS = 16, MOST_ROUNDS = 10001, LINE = 64 };
enum { OURS, BY_HAND, NUM_WAYS };

typedef struct memref {
  void *allocated;
  char *aligned;
  int64_t offset, dims[2];
} memref;

typedef struct bench bench;

typedef struct rank {
  _Alignas(LINE) _Atomic uint64_t comings;
  bench *bench;
  int32_t number;
  float *in, *out;
  double times[NUM_WAYS][MOST_ROUNDS]; /* seconds a call */
  pthread_t thread;
} rank;

typedef struct kind {
  const char *name;
  tessera_site_kind site;
  int in_times, out_times; /* 1: a member's part; else of all members */
  void (*ours)(const tessera_site *site, tessera_stream *stream, const void *in, const void *out);
  void (*by_hand)(const rank *self);
} kind;

struct bench {
  int32_t ranks;
  const kind *kind;
  int64_t count; /* floats of a part */
  int rounds, repeats;
  double until;
  tessera_context *contexts[MOST_RANKS];
  rank all[MOST_RANKS];
};

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- by hand --------------------------------------------------------------------------------- */

static void meet(rank *self) {
  uint64_t number = atomic_load_explicit(&self->comings, memory_order_relaxed) + 1;
  atomic_store_explicit(&self->comings, number, memory_order_release);
  for (int32_t i = 0; i < self->bench->ranks; i++)
    while (atomic_load_explicit(&self->bench->all[i].comings, memory_order_acquire) < number)
      continue;
}

/* Each thread adds its part of all inputs into all outputs. */
static void all_reduce(const rank *self) {
  const bench *b = self->bench;
  int64_t first = b->count * self->number / b->ranks;
  int64_t behind = b->count * (self->number + 1) / b->ranks;
  if (b->ranks == 2) {
    const float *x = b->all[0].in, *y = b->all[1].in;
    float *restrict to = b->all[0].out, *restrict other = b->all[1].out;
    for (int64_t i = first; i < behind; i++)
      to[i] = other[i] = x[i] + y[i];
    return;
  }
  for (int64_t i = first; i < behind; i++) {
    float sum = b->all[0].in[i];
    for (int32_t k = 1; k < b->ranks; k++)
      sum += b->all[k].in[i];
    for (int32_t k = 0; k < b->ranks; k++)
      b->all[k].out[i] = sum;
  }
}

static void reduce_scatter(const rank *self) {
  const bench *b = self->bench;
  int64_t first = b->count * self->number;
  const float *x = b->all[0].in + first;
  float *restrict to = self->out;
  for (int32_t k = 1; k < b->ranks; k++, x = to) {
    const float *y = b->all[k].in + first;
    for (int64_t i = 0; i < b->count; i++)
      to[i] = x[i] + y[i];
  }
}

static void all_gather(const rank *self) {
  const bench *b = self->bench;
  for (int32_t i = 0; i < b->ranks; i++) {
    int32_t from = (self->number + i) % b->ranks;
    memcpy(self->out + b->count * from, b->all[from].in, (size_t)b->count * sizeof(float));
  }
}

static void all_to_all(const rank *self) {
  const bench *b = self->bench;
  for (int32_t i = 0; i < b->ranks; i++) {
    int32_t from = (self->number + i) % b->ranks;
    memcpy(self->out + b->count * from, b->all[from].in + b->count * self->number,
           (size_t)b->count * sizeof(float));
  }
}

enum { PART = 1, WHOLE = 2 };
static const kind kinds[] = {
    {"all_reduce", TESSERA_SITE_ALL_REDUCE, PART, PART, tessera_rt_all_reduce, all_reduce},
    {"reduce_scatter", TESSERA_SITE_REDUCE_SCATTER, WHOLE, PART, tessera_rt_reduce_scatter,
     reduce_scatter},
    {"all_gather", TESSERA_SITE_ALL_GATHER, PART, WHOLE, tessera_rt_all_gather, all_gather},
    {"all_to_all", TESSERA_SITE_ALL_TO_ALL, WHOLE, WHOLE, tessera_rt_all_to_all, all_to_all},
};

/* ---- rounds ---------------------------------------------------------------------------------- */

static const int64_t any_extent = -1;
static const tessera_grid all_ranks = {sizeof(all_ranks), 1, "all", &any_extent};
static const int32_t first_axis = 0;

static void call_ours(const rank *self, const tessera_site *site) {
  const bench *b = self->bench;
  int64_t all = b->count * b->ranks;
  memref in = {self->in, (char *)self->in, 0, {b->kind->in_times == PART ? b->count : all, 1}};
  memref out = {self->out, (char *)self->out, 0, {b->kind->out_times == PART ? b->count : all, 1}};
  b->kind->ours(site, NULL, &in, &out);
}

static void time_way(rank *self, int way, int round, const tessera_site *site) {
  const bench *b = self->bench;
  meet(self);
  double start = seconds();
  for (int i = 0; i < b->repeats; i++)
    if (way == OURS) {
      call_ours(self, site);
    } else {
      meet(self);
      b->kind->by_hand(self);
      meet(self);
    }
  self->times[way][round] = (seconds() - start) / b->repeats;
}

static void run_rounds(void *data) {
  rank *self = data;
  bench *b = self->bench;
  bool reduces =
      b->kind->site == TESSERA_SITE_ALL_REDUCE || b->kind->site == TESSERA_SITE_REDUCE_SCATTER;
  tessera_site site = {.struct_size = sizeof(site),
                       .kind = b->kind->site,
                       .name = b->kind->name,
                       .location = "",
                       .grid = &all_ranks,
                       .axes = &first_axis,
                       .num_axes = 1,
                       .input_rank = 1,
                       .output_rank = 1,
                       .input_type = TESSERA_F32,
                       .output_type = TESSERA_F32,
                       .reduction = reduces ? TESSERA_SUM : TESSERA_REDUCTION_NONE};
  call_ours(self, &site);
  for (int round = 0;; round++) {
    meet(self);
    if (self->number == 0)
      b->rounds = round == MOST_ROUNDS || (round > 4 && seconds() > b->until) ? round : -1;
    meet(self);
    if (b->rounds >= 0)
      return;
    for (int i = 0; i < NUM_WAYS; i++)
      time_way(self, (round + i) % NUM_WAYS, round, &site);
  }
}

static void *run_rank(void *data) {
  rank *self = data;
  tessera_context *context = self->bench->contexts[self->number];
  tessera_context_set_current(context);
  if (tessera_attempt(context, run_rounds, self)) {
    fprintf(stderr, "rank %d: %s\n", self->number, tessera_last_error());
    exit(1);
  }
  tessera_context_set_current(NULL);
  return NULL;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Of a round, the time of the slowest rank; of a way, the least and the median of the rounds. */
static void print_row(const bench *b) {
  static double slowest[NUM_WAYS][MOST_ROUNDS], ratios[MOST_ROUNDS];
  double least[NUM_WAYS];
  for (int round = 0; round < b->rounds; round++) {
    for (int way = 0; way < NUM_WAYS; way++) {
      slowest[way][round] = 0;
      for (int32_t i = 0; i < b->ranks; i++)
        if (b->all[i].times[way][round] > slowest[way][round])
          slowest[way][round] = b->all[i].times[way][round];
    }
    ratios[round] = slowest[OURS][round] / slowest[BY_HAND][round];
  }
  for (int way = 0; way < NUM_WAYS; way++) {
    qsort(slowest[way], (size_t)b->rounds, sizeof(double), ascending);
    least[way] = slowest[way][0];
  }
  qsort(ratios, (size_t)b->rounds, sizeof(double), ascending);
  printf("%-15s %9lld %6d %11.2f %11.2f %7.2f %7.2f\n", b->kind->name,
         (long long)b->count * (int)sizeof(float), b->rounds, least[OURS] * 1e6,
         least[BY_HAND] * 1e6, least[OURS] / least[BY_HAND], ratios[b->rounds / 2]);
  fflush(stdout);
}

static void run_row(bench *b, double time) {
  int64_t all = b->count * b->ranks;
  for (int32_t i = 0; i < b->ranks; i++) {
    rank *self = &b->all[i];
    size_t in = (size_t)(b->kind->in_times == PART ? b->count : all) * sizeof(float);
    size_t out = (size_t)(b->kind->out_times == PART ? b->count : all) * sizeof(float);
    self->bench = b;
    self->number = i;
    self->comings = 0;
    self->in = tessera_alloc(in);
    self->out = tessera_alloc(out);
    memset(self->in, 0, in);
    memset(self->out, 0, out);
  }
  b->until = seconds() + time;
  for (int32_t i = 0; i < b->ranks; i++)
    if (pthread_create(&b->all[i].thread, NULL, run_rank, &b->all[i]) != 0)
      exit(1);
  for (int32_t i = 0; i < b->ranks; i++) {
    pthread_join(b->all[i].thread, NULL);
    tessera_free(b->all[i].in);
    tessera_free(b->all[i].out);
  }
  print_row(b);
}

int main(int argc, char **argv) {
  static bench bench;
  int ranks = argc > 1 ? atoi(argv[1]) : 2;
  double time = argc > 2 ? strtod(argv[2], NULL) : 0.5;
  const char *filter = argc > 3 ? argv[3] : "";
  bench.ranks = ranks < 1 ? 1 : ranks > MOST_RANKS ? MOST_RANKS : ranks;
  if (tessera_local_create(bench.ranks, bench.contexts)) {
    fprintf(stderr, "%s\n", tessera_last_error());
    return 1;
  }
  printf("%d threads, microseconds a call, least of the rounds\n%-15s %9s %6s %11s %11s %7s %7s\n",
         bench.ranks, "", "bytes", "rounds", "ours", "by hand", "ratio", "median");
  for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
    for (int64_t bytes = 8; bytes <= 64 << 20; bytes *= bytes < 1 << 20 ? 64 : 4) {
      if (bytes == 8 << 18) /* 2 MiB: from here on 1, 4, 16, 64 MiB */
        bytes = 1 << 20;
      if (!strstr(kinds[k].name, filter))
        continue;
      bench.kind = &kinds[k];
      bench.count = bytes / (int64_t)sizeof(float);
      bench.repeats = bytes <= 4096 ? 200 : bytes <= 1 << 17 ? 20 : bytes <= 1 << 20 ? 4 : 1;
      run_row(&bench, time);
    }
  tessera_local_destroy(bench.ranks, bench.contexts);
  return 0;
}
