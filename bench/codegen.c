/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Medians of interleaved calls: compiled gelu + softmax, the compiled matrix product, and
 * cblas_sgemm on the same memory. It knows the public program interface only. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/timing.h"
#include "tessera/program.h"

enum { SIZE = 1024, MAX_ROUNDS = 1001, NUM_CONTENDERS = 3 };

typedef void (*sgemm_function)(int, int, int, int, int, int, float, const float *, int,
                               const float *, int, float, float *, int);

typedef struct contender {
  const char *name;
  tessera_program *program; /* NULL: the BLAS itself */
  const tessera_entry *entry;
  double times[MAX_ROUNDS];
} contender;

static void check(tessera_status status) {
  if (status == TESSERA_OK)
    return;
  fprintf(stderr, "codegen: %s\n", tessera_last_error());
  exit(1);
}

static void load(contender *c, const char *path, tessera_context *context) {
  check(tessera_program_load(path, &c->program));
  check(tessera_program_find(c->program, NULL, &c->entry));
  check(tessera_program_attach(c->program, context));
}

static double call(const contender *c, tessera_context *context, const tessera_tensor *arguments) {
  tessera_tensor result;
  double start = bench_now();
  check(tessera_call(c->program, c->entry, context, arguments, &result));
  double time = bench_now() - start;
  tessera_tensor_destroy(&result);
  return time;
}

static double call_blas(sgemm_function sgemm, const tessera_tensor *arguments, float *c) {
  enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111 };
  double start = bench_now();
  sgemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, SIZE, SIZE, SIZE, 1.0f, arguments[0].data, SIZE,
        arguments[1].data, SIZE, 0.0f, c, SIZE);
  return bench_now() - start;
}

/* The library that libtessera has loaded by now. */
static sgemm_function find_blas(void) {
  static const char *const names[] = {"libopenblas.so.0", "libopenblas.so", "libblas.so.3"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    void *library = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
    void *symbol = library ? dlsym(library, "cblas_sgemm") : NULL;
    sgemm_function function;
    memcpy(&function, &symbol, sizeof(function));
    if (function)
      return function;
  }
  return NULL;
}

static void fill(tessera_tensor *tensor) {
  const int64_t shape[] = {SIZE, SIZE};
  check(tessera_tensor_create(TESSERA_F32, 2, shape, tensor));
  float *data = tensor->data;
  unsigned state = 1;
  for (int64_t i = 0; i < (int64_t)SIZE * SIZE; i++) {
    state = state * 1664525u + 1013904223u;
    data[i] = (float)(state >> 8) / 8388608.0f - 1.0f;
  }
}

static void report(contender *c, int rounds) {
  double median = bench_median(c->times, rounds);
  printf("%-24s median %8.3f ms  min %8.3f ms", c->name, 1e3 * median, 1e3 * c->times[0]);
  if (strstr(c->name, "softmax") == NULL)
    printf("  %6.1f GFLOP/s", 2e-9 * SIZE * SIZE * SIZE / median);
  putchar('\n');
}

int main(int argc, char **argv) {
  static contender contenders[NUM_CONTENDERS] = {
      {.name = "gelu + softmax 1024^2"}, {.name = "matmul 1024^3"}, {.name = "cblas_sgemm 1024^3"}};
  if (argc != 4 || atoi(argv[3]) < 1 || atoi(argv[3]) > MAX_ROUNDS)
    return fprintf(stderr, "usage: codegen GELU_SOFTMAX.so MATMUL.so ROUNDS\n"), 1;
  int rounds = atoi(argv[3]);
  tessera_context *context;
  tessera_tensor arguments[2];
  check(tessera_default_context(&context));
  load(&contenders[0], argv[1], context);
  load(&contenders[1], argv[2], context);
  fill(&arguments[0]);
  fill(&arguments[1]);
  call(&contenders[1], context, arguments);
  sgemm_function sgemm = find_blas();
  float *out = tessera_alloc(sizeof(float) * SIZE * SIZE);
  for (int round = 0; round < rounds; round++) {
    contenders[0].times[round] = call(&contenders[0], context, arguments);
    contenders[1].times[round] = call(&contenders[1], context, arguments);
    contenders[2].times[round] = sgemm ? call_blas(sgemm, arguments, out) : 0.0;
  }
  for (int c = 0; c < NUM_CONTENDERS - (sgemm == NULL); c++)
    report(&contenders[c], rounds);
  if (sgemm)
    printf("matmul / cblas_sgemm: %.3f\n",
           contenders[1].times[rounds / 2] / contenders[2].times[rounds / 2]);
  check(tessera_finalize());
  return 0;
}
