/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Calls a compiled step and the same by hand on the same pieces, compares every result, and times
 * them in turn. It knows the public API and MPI, and steps by name alone. */
#include <math.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "parts.h"
#include "tessera/program.h"

enum { MOST_PARAMETERS = 16 };
static const step *const steps[] = {&matmul_step,     &mlp_rows_step,    &mlp_columns_step,
                                    &block_rows_step, &block_heads_step, &stencil_step};

/* One step both ways. `base` holds what a result is compared without: the weight that it is anew,
 * where there are several results (the first is the loss). */
typedef struct pair {
  job job;
  const step *step;
  void *memory;
  tessera_context *context;
  tessera_program *program;
  const tessera_entry *entry;
  tessera_tensor arguments[MOST_PARAMETERS], expected[MOST_PARAMETERS];
  const float *pieces[MOST_PARAMETERS];
  float *results[MOST_PARAMETERS];
} pair;

static void fail(const char *message) {
  fprintf(stderr, "error: %s\n", message);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void check(tessera_status status) {
  if (status != TESSERA_OK)
    fail(tessera_last_error());
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* Of [-0.5, 0.5), the same for whoever computes it: the hash is lowbias32 by Chris Wellons. */
static float noise(uint32_t index, uint32_t seed) {
  uint32_t x = index + seed * 0x9e3779b9u;
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  x ^= x >> 16;
  return (float)(x >> 8) / 16777216.0f - 0.5f;
}

/* Argument i of the entry, whole: base + scale * noise. */
static tessera_tensor make_argument(const pair *p, int i, float base, float scale) {
  const tessera_parameter *parameter = &p->entry->arguments[i];
  tessera_tensor whole;
  check(tessera_tensor_create(parameter->dtype, parameter->rank, parameter->shape, &whole));
  int64_t count = tessera_tensor_elements(&whole);
  for (int64_t k = 0; k < count; k++)
    ((float *)whole.data)[k] = base + scale * noise((uint32_t)k, (uint32_t)i);
  return whole;
}

/* `recipes` is base:scale for each argument, with commas. */
static void make_arguments(pair *p, const char *recipes) {
  for (int i = 0; i < p->entry->num_arguments; i++) {
    float base, scale;
    int length = 0;
    if (sscanf(recipes, "%f:%f%n", &base, &scale, &length) != 2)
      fail("inputs are base:scale of each argument, with commas");
    recipes += length + (recipes[length] == ',');
    tessera_tensor whole = make_argument(p, i, base, scale);
    check(tessera_scatter_parameter(p->program, &p->entry->arguments[i], p->context, &whole,
                                    &p->arguments[i]));
    p->pieces[i] = p->arguments[i].data;
    tessera_tensor_destroy(&whole);
  }
}

/* ---- both ways ------------------------------------------------------------------------------- */

static const step *find_step(const char *name) {
  for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
    if (strcmp(steps[i]->name, name) == 0)
      return steps[i];
  fprintf(stderr, "error: no step %s; there are", name);
  for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
    fprintf(stderr, " %s", steps[i]->name);
  fail("");
  return NULL;
}

static job find_place(void) {
  job job = {0};
  cpu_set_t cores;
  MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
  sched_getaffinity(0, sizeof(cores), &cores);
  job.threads = CPU_COUNT(&cores) / job.ranks;
  if (job.threads < 1)
    job.threads = 1;
  return job;
}

static void run_by_hand(pair *p) {
  p->step->run(p->memory, p->pieces, p->results);
}

static void run_compiled(pair *p) {
  tessera_tensor results[MOST_PARAMETERS];
  check(tessera_call(p->program, p->entry, p->context, p->arguments, results));
  for (int i = 0; i < p->entry->num_results; i++)
    tessera_tensor_destroy(&results[i]);
}

static double slowest(double value) {
  double most;
  MPI_Allreduce(&value, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

/* Milliseconds of the slowest rank. */
static double time_run(pair *p, void (*run)(pair *p)) {
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  run(p);
  return slowest(1e3 * (MPI_Wtime() - start));
}

/* ---- results --------------------------------------------------------------------------------- */

static float base_of(const pair *p, int result, int64_t k) {
  return p->entry->num_results > 1 && result > 0 ? p->pieces[result - 1][k] : 0.0f;
}

/* The largest difference as a part of the largest value, over the pieces of all ranks. */
static double compare_result(const pair *p, int i) {
  const float *expected = p->expected[i].data;
  double difference = 0.0, size = 0.0;
  for (int64_t k = 0; k < tessera_tensor_elements(&p->expected[i]); k++) {
    double found = p->results[i][k], value = expected[k], base = base_of(p, i, k);
    difference = fmax(difference, isfinite(found - value) ? fabs(found - value) : INFINITY);
    size = fmax(size, fabs(value - base));
  }
  difference = slowest(difference);
  size = slowest(size);
  return difference > 0.0 ? difference / size : 0.0;
}

/* The norm of a whole result, without its base, which others can compute as well. */
static double norm_of(const pair *p, int i) {
  tessera_tensor change, whole;
  const tessera_parameter *parameter = &p->entry->results[i];
  check(tessera_tensor_create(parameter->dtype, parameter->rank, p->expected[i].shape, &change));
  for (int64_t k = 0; k < tessera_tensor_elements(&change); k++)
    ((float *)change.data)[k] = ((const float *)p->expected[i].data)[k] - base_of(p, i, k);
  check(tessera_gather_parameter(p->program, parameter, p->context, &change, 0, NULL, &whole));
  double sum = 0.0;
  for (int64_t k = 0; p->job.rank == 0 && k < tessera_tensor_elements(&whole); k++)
    sum += (double)((float *)whole.data)[k] * ((float *)whole.data)[k];
  tessera_tensor_destroy(&change);
  tessera_tensor_destroy(&whole);
  return sqrt(sum);
}

/* Bytes that the busiest rank received in the one counted call. */
static double compiled_bytes(const pair *p) {
  const tessera_program_record *record = tessera_program_get_record(p->program);
  double bytes = 0.0;
  for (int i = 0; i < (int)record->num_sites; i++) {
    tessera_site_traffic traffic;
    check(tessera_traffic_read(p->context, record->sites[i], &traffic));
    bytes += (double)traffic.bytes;
  }
  return slowest(bytes);
}

/* The first run of each way; false where results differ. Both must end like this before their times
 * are worth a look. */
static bool agree(pair *p) {
  double worst = 0.0;
  tessera_traffic_start(p->context);
  check(tessera_call(p->program, p->entry, p->context, p->arguments, p->expected));
  double bytes = compiled_bytes(p);
  for (int i = 0; i < p->entry->num_results; i++)
    p->results[i] = take(tessera_tensor_elements(&p->expected[i]));
  run_by_hand(p);
  double hand_bytes = slowest((double)p->job.bytes);
  for (int i = 0; i < p->entry->num_results; i++) {
    double difference = compare_result(p, i), norm = norm_of(p, i);
    worst = fmax(worst, difference);
    if (p->job.rank == 0)
      printf("result %d norm %.9g difference %.2e\n", i, norm, difference);
  }
  if (p->job.rank == 0)
    printf("bytes %.0f %.0f\n", hand_bytes, bytes);
  return worst < 1e-3;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* The number of rounds that the next line of standard input asks for; 0 at its end. Ranks that wait
 * for it sleep: somebody else is being timed. */
static int next_rounds(const job *job) {
  int rounds = 0, done = 0;
  char line[64];
  if (job->rank == 0 && fgets(line, sizeof(line), stdin))
    rounds = atoi(line);
  MPI_Request request;
  MPI_Ibcast(&rounds, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
  while (MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  return rounds;
}

/* Which way is first changes from round to round. */
static void run_rounds(pair *p, int rounds) {
  static void (*const ways[])(pair *) = {run_by_hand, run_compiled};
  for (int round = 0; round < rounds; round++) {
    double times[2];
    for (int i = 0; i < 2; i++) {
      int way = (i + round) % 2;
      times[way] = time_run(p, ways[way]);
    }
    if (p->job.rank == 0)
      printf("round %.4f %.4f\n", times[0], times[1]);
    fflush(stdout);
  }
}

static void open_pair(pair *p, const char *name, const char *path, const char *recipes) {
  p->step = find_step(name);
  p->job = find_place();
  if (!load_parts(&p->job))
    fail("no OpenBLAS for the steps by hand");
  check(tessera_default_context(&p->context));
  check(tessera_program_load(path, &p->program));
  check(tessera_program_find(p->program, NULL, &p->entry));
  check(tessera_program_attach(p->program, p->context));
  if (p->entry->num_arguments > MOST_PARAMETERS || p->entry->num_results > MOST_PARAMETERS)
    fail("too many arguments or results");
  make_arguments(p, recipes);
  p->memory = p->step->start(&p->job);
}

int main(int argc, char **argv) {
  static pair p;
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (argc != 4)
    fail("usage: bench-steps STEP PROGRAM.so BASE:SCALE,...; rounds on standard input");
  open_pair(&p, argv[1], argv[2], argv[3]);
  bool same = agree(&p);
  if (p.job.rank == 0)
    printf("%s\n", same ? "same" : "different");
  fflush(stdout);
  for (int rounds; same && (rounds = next_rounds(&p.job)) > 0;)
    run_rounds(&p, rounds);
  check(tessera_finalize());
  MPI_Finalize();
  return same ? 0 : 1;
}
