/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A product of two matrices whose common dimension is split: one product, one sum. */
#include <stdlib.h>

#include "parts.h"

enum { SIZE = 1024 };

static void *start(job *job) {
  return job;
}

static void run(void *memory, const float *const *arguments, float *const *results) {
  job *job = memory;
  int64_t depth = SIZE / job->ranks;
  multiply(SIZE, SIZE, depth, 1.0f, plain(arguments[0], depth), plain(arguments[1], SIZE), 0.0f,
           results[0], SIZE);
  sum_over_ranks(job, results[0], (int64_t)SIZE * SIZE);
}

const step matmul_step = {"matmul_tp", start, run};
