/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Times of packed programs on a GPU, beside what the machine can do: copies of the driver, products
 * of cuBLASLt called directly. It knows the public program interface only.
 *
 * usage: gpu-bench FOLDER [NAME...]: writes lines "NAME VALUE UNIT REFERENCE RATIO", of all or
 * of those named */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "direct.h"
#include "tessera/program.h"

enum { MOST_ARGUMENTS = 16, MOST_ROUNDS = 64 };

/* ---- programs -------------------------------------------------------------------------------- */

typedef struct bench {
  const char *folder;
  tessera_context *context;
  double seconds; /* that a measurement should take */
  char **wanted;  /* names, ended by NULL; none: all */
} bench;

typedef struct timed {
  tessera_program *program;
  const tessera_entry *entry;
  tessera_tensor arguments[MOST_ARGUMENTS];
  double bytes; /* of arguments and results, each once */
} timed;

static void check(tessera_status status) {
  if (status == TESSERA_OK)
    return;
  fprintf(stderr, "gpu-bench: %s\n", tessera_last_error());
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Small numbers of either sign: bits of 16-bit floats are those of bf16. */
static void fill(tessera_tensor *tensor) {
  int64_t count = tessera_tensor_elements(tensor);
  uint32_t state = 1;
  for (int64_t i = 0; i < count; i++) {
    state = state * 1664525u + 1013904223u;
    float value = (float)(state >> 8) / (float)(1 << 24) - 0.5f;
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    if (tensor->dtype == TESSERA_BF16)
      ((uint16_t *)tensor->data)[i] = (uint16_t)(bits >> 16);
    else
      ((float *)tensor->data)[i] = value;
  }
}

static double bytes_of(const tessera_parameter *parameter) {
  double bytes = (double)(parameter->dtype == TESSERA_BF16 ? 2 : 4);
  for (int32_t i = 0; i < parameter->rank; i++)
    bytes *= (double)parameter->shape[i];
  return bytes;
}

static void open_program(const bench *b, const char *name, timed *t) {
  char path[4096];
  memset(t, 0, sizeof(*t));
  snprintf(path, sizeof(path), "%s/bench/%s.so", b->folder, name);
  check(tessera_program_load(path, &t->program));
  check(tessera_program_find(t->program, NULL, &t->entry));
  check(tessera_program_attach(t->program, b->context));
  for (int32_t i = 0; i < t->entry->num_arguments; i++) {
    const tessera_parameter *parameter = &t->entry->arguments[i];
    check(tessera_tensor_create((tessera_dtype)parameter->dtype, parameter->rank, parameter->shape,
                                &t->arguments[i]));
    fill(&t->arguments[i]);
    check(tessera_tensor_to_device(b->context, &t->arguments[i]));
    t->bytes += bytes_of(parameter);
  }
  for (int32_t i = 0; i < t->entry->num_results; i++)
    t->bytes += bytes_of(&t->entry->results[i]);
}

static void close_program(timed *t) {
  for (int32_t i = 0; i < t->entry->num_arguments; i++)
    tessera_tensor_destroy(&t->arguments[i]);
  tessera_program_unload(t->program);
}

static void call(const bench *b, timed *t) {
  tessera_tensor results[MOST_ARGUMENTS];
  check(tessera_call(t->program, t->entry, b->context, t->arguments, results));
  for (int32_t i = 0; i < t->entry->num_results; i++)
    tessera_tensor_destroy(&results[i]);
}

/* ---- measuring ------------------------------------------------------------------------------- */

typedef void work(const bench *b, void *data);

static void call_work(const bench *b, void *data) {
  call(b, data);
}

static void copy_work(const bench *b, void *data) {
  (void)b;
  direct_copy(data);
}

static void product_work(const bench *b, void *data) {
  (void)b;
  direct_products(data);
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double time_of(const bench *b, work *what, void *data, int times) {
  double start = now();
  for (int i = 0; i < times; i++)
    what(b, data);
  check(tessera_synchronize(b->context));
  direct_wait();
  return (now() - start) / times;
}

/* Seconds of one, done without a pause: the median of rounds, after one that does not count. */
static double measure(const bench *b, work *what, void *data) {
  double rounds[MOST_ROUNDS], once;
  int num = 0;
  time_of(b, what, data, 1);
  once = time_of(b, what, data, 1);
  int times = once < b->seconds / 10 ? (int)(b->seconds / 10 / once) : 1;
  times = times > 1000 ? 1000 : times;
  for (double end = now() + b->seconds; num < 3 || (num < MOST_ROUNDS && now() < end); num++)
    rounds[num] = time_of(b, what, data, times);
  qsort(rounds, (size_t)num, sizeof(*rounds), by_size);
  return rounds[num / 2];
}

static void say(const char *name, double value, const char *unit, double reference, double ratio) {
  printf("%-28s %10.3f %-6s %10.3f %7.3f\n", name, value, unit, reference, ratio);
  fflush(stdout);
}

/* ---- what is measured ------------------------------------------------------------------------ */

/* Memory that a program has to move, in the time of a copy of as much. */
static void measure_bandwidth(const bench *b, const char *name) {
  timed t;
  open_program(b, name, &t);
  direct_copied copied;
  direct_copy_open((size_t)(t.bytes / 2), &copied);
  double own = measure(b, call_work, &t), copy = measure(b, copy_work, &copied);
  direct_copy_close(&copied);
  say(name, t.bytes / own * 1e-9, "GB/s", t.bytes / copy * 1e-9, copy / own);
  close_program(&t);
}

/* Kernels that have next to nothing to do: what each costs, host and GPU. */
static void measure_launches(const bench *b) {
  enum { SHORT = 16, LONG = 80 }; /* launches of the two programs */
  timed few, many;
  open_program(b, "launches16", &few);
  open_program(b, "launches80", &many);
  double short_one = measure(b, call_work, &few), long_one = measure(b, call_work, &many);
  say("launch", (long_one - short_one) / (LONG - SHORT) * 1e6, "us", 0, 0);
  say("call", (short_one - (long_one - short_one) / (LONG - SHORT) * SHORT) * 1e6, "us", 0, 0);
  close_program(&few);
  close_program(&many);
}

/* A product or a block of many beside cuBLASLt called for its products alone. */
static void measure_products(const bench *b, const char *name) {
  timed t;
  char path[4096];
  direct_list list;
  snprintf(path, sizeof(path), "%s/bench/%s.shapes", b->folder, name);
  if (!direct_products_open(path, &list)) {
    printf("%-28s skipped: no cuBLASLt\n", name);
    return;
  }
  open_program(b, name, &t);
  double own = measure(b, call_work, &t), direct = measure(b, product_work, &list);
  say(name, list.operations / own * 1e-12, "TFLOPS", list.operations / direct * 1e-12,
      direct / own);
  direct_products_close(&list);
  close_program(&t);
}

typedef struct collective {
  direct_group *group;
  int number;
} collective;

static void collective_work(const bench *b, void *data) {
  const collective *c = data;
  (void)b;
  direct_collective(c->group, c->number);
}

/* NCCL with nobody else: collectives are copies there, which `bytes` bytes make long enough. */
static void measure_groups(const bench *b, size_t bytes) {
  direct_group group;
  direct_copied copied;
  const char *why = direct_group_open(bytes, &group);
  if (why) {
    printf("%-28s skipped: %s\n", "nccl", why);
    fflush(stdout);
    return;
  }
  direct_copy_open(bytes, &copied);
  double copy = measure(b, copy_work, &copied);
  for (int i = 0; i < direct_num_collectives(); i++) {
    collective c = {&group, i};
    double own = measure(b, collective_work, &c);
    const char *name = direct_collective_name(i);
    if (!direct_group_is_right(&group))
      printf("FAIL %s: not what was there\n", name);
    say(name, 2 * (double)bytes / own * 1e-9, "GB/s", 2 * (double)bytes / copy * 1e-9, copy / own);
  }
  direct_copy_close(&copied);
  direct_group_close(&group);
}

static bool is_wanted(const bench *b, const char *name) {
  bool is_named = !*b->wanted;
  for (char **wanted = b->wanted; !is_named && *wanted; wanted++)
    is_named = strcmp(*wanted, name) == 0;
  return is_named;
}

int main(int argc, char **argv) {
  static const char *const moving[] = {"chain",   "chain_bf16", "rows",
                                       "softmax", "layer_norm", "pack"};
  static const char *const products[] = {"matmul", "block", "block_large"};
  const char *seconds = getenv("GPU_BENCH_SECONDS");
  if (argc < 2) {
    fprintf(stderr, "usage: gpu-bench FOLDER [NAME...]\n");
    return 1;
  }
  bench b = {.folder = argv[1], .seconds = seconds ? atof(seconds) : 2, .wanted = &argv[2]};
  check(tessera_local_create(1, &b.context));
  timed first;
  open_program(&b, "launches16", &first); /* the device starts */
  close_program(&first);
  if (!direct_open(tessera_device_ordinal(tessera_context_device(b.context)))) {
    fprintf(stderr, "gpu-bench: the driver lacks a function\n");
    return 1;
  }
  printf("%-28s %10s %-6s %10s %7s\n", "what", "Tessera", "", "reference", "ratio");
  if (is_wanted(&b, "launch"))
    measure_launches(&b);
  for (size_t i = 0; i < sizeof(moving) / sizeof(moving[0]); i++)
    if (is_wanted(&b, moving[i]))
      measure_bandwidth(&b, moving[i]);
  for (size_t i = 0; i < sizeof(products) / sizeof(products[0]); i++)
    if (is_wanted(&b, products[i]))
      measure_products(&b, products[i]);
  const char *bytes = getenv("GPU_BENCH_BYTES");
  if (is_wanted(&b, "nccl"))
    measure_groups(&b, bytes ? strtoull(bytes, NULL, 10) : (size_t)256 << 20);
  check(tessera_synchronize(b.context));
  tessera_local_destroy(1, &b.context);
  return 0;
}
