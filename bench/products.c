/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Products of f32 by the runtime, beside OpenBLAS called directly with as many threads: medians of
 * rounds in turn. It knows the public ABI and CBLAS alone. usage: products ROUNDS */
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/timing.h"
#include "tessera/program.h"
#include "tessera/runtime.h"

enum { MOST_ROUNDS = 1001, OURS = 0, BLAS = 1, NUM_WAYS = 2 };
enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111 };

typedef void sgemm_function(int, int, int, int, int, int, float, const float *, int, const float *,
                            int, float, float *, int);

typedef struct memref {
  void *allocated;
  float *aligned;
  int64_t offset, sizes[2], strides[2];
} memref;

typedef struct bench {
  sgemm_function *sgemm;
  memref a, b, c;
  int rounds;
  double times[NUM_WAYS][MOST_ROUNDS]; /* seconds */
} bench;

static memref make_matrix(int64_t rows, int64_t columns) {
  float *data = tessera_alloc(rows * columns * (int64_t)sizeof(float));
  if (!data) {
    fprintf(stderr, "error: no memory\n");
    exit(1);
  }
  for (int64_t i = 0; i < rows * columns; i++)
    data[i] = (float)(i % 7) - 3.0F;
  return (memref){data, data, 0, {rows, columns}, {columns, 1}};
}

static void multiply(bench *b, int way) {
  static const tessera_site site = {.struct_size = sizeof(site),
                                    .kind = TESSERA_SITE_GEMM,
                                    .name = "product",
                                    .location = "products.c",
                                    .input_rank = 2,
                                    .output_rank = 2,
                                    .input_type = TESSERA_F32,
                                    .output_type = TESSERA_F32,
                                    .index = -1,
                                    .flags = TESSERA_SITE_OVERWRITE};
  int m = (int)b->a.sizes[0], k = (int)b->a.sizes[1], n = (int)b->b.sizes[1];
  if (way == OURS)
    tessera_rt_gemm(&site, NULL, &b->a, &b->b, &b->c);
  else
    b->sgemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, m, n, k, 1.0F, b->a.aligned, k, b->b.aligned, n,
             0.0F, b->c.aligned, n);
}

static void run_rounds(void *data) {
  bench *b = data;
  for (int round = -1; round < b->rounds; round++)
    for (int i = 0; i < NUM_WAYS; i++) {
      int way = (i + round + 1) % NUM_WAYS;
      double start = bench_now();
      multiply(b, way);
      if (round >= 0) /* the first one loads libraries */
        b->times[way][round] = bench_now() - start;
    }
}

static void print_row(bench *b, tessera_context *context, const int64_t shape[3]) {
  b->a = make_matrix(shape[0], shape[2]);
  b->b = make_matrix(shape[2], shape[1]);
  b->c = make_matrix(shape[0], shape[1]);
  if (tessera_attempt(context, run_rounds, b)) {
    fprintf(stderr, "error: %s\n", tessera_last_error());
    exit(1);
  }
  double ours = bench_median(b->times[OURS], b->rounds);
  double blas = bench_median(b->times[BLAS], b->rounds);
  double work = 2e-9 * (double)shape[0] * (double)shape[1] * (double)shape[2];
  printf("%6ld %6ld %6ld %12.1f %12.1f %8.2f\n", (long)shape[0], (long)shape[1], (long)shape[2],
         work / ours, work / blas, ours / blas);
  tessera_free(b->a.aligned);
  tessera_free(b->b.aligned);
  tessera_free(b->c.aligned);
}

int main(int argc, char **argv) {
  static const int64_t shapes[][3] = {{16, 16, 16},       {64, 64, 64},      {128, 128, 32},
                                      {8, 2048, 2048},    {32, 2048, 2048},  {128, 2048, 2048},
                                      {128, 8000, 2048},  {256, 256, 2048},  {2048, 1024, 256},
                                      {2048, 256, 1024},  {512, 2048, 2048}, {1024, 1024, 1024},
                                      {2048, 2048, 2048}, {2048, 1, 2048}};
  static bench b;
  void (*set_threads)(int);
  tessera_context *context;
  cpu_set_t cores;
  b.rounds = argc > 1 ? atoi(argv[1]) : 31;
  b.rounds = b.rounds < 1 ? 1 : b.rounds > MOST_ROUNDS ? MOST_ROUNDS : b.rounds;
  void *library = dlopen("libopenblas.so.0", RTLD_NOW);
  void *sgemm = library ? dlsym(library, "cblas_sgemm") : NULL;
  void *set = library ? dlsym(library, "openblas_set_num_threads") : NULL;
  if (!sgemm || !set || tessera_local_create(1, &context)) {
    fprintf(stderr, "error: no OpenBLAS, or no context\n");
    return 1;
  }
  memcpy(&b.sgemm, &sgemm, sizeof(sgemm));
  memcpy(&set_threads, &set, sizeof(set));
  sched_getaffinity(0, sizeof(cores), &cores);
  set_threads(CPU_COUNT(&cores));
  tessera_context_set_current(context);
  printf("%d cores, %d rounds, medians\n%6s %6s %6s %12s %12s %8s\n", CPU_COUNT(&cores), b.rounds,
         "m", "n", "k", "ours GF/s", "BLAS GF/s", "ours/BLAS");
  for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
    print_row(&b, context, shapes[i]);
  tessera_context_set_current(NULL);
  tessera_local_destroy(1, &context);
  return 0;
}
