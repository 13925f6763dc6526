/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What the steps by hand share: memory, products, sums over ranks, loops over long arrays. It must
 * not know any step. */
#ifndef TESSERA_BENCH_PARTS_H
#define TESSERA_BENCH_PARTS_H

#include "step.h"

/* ---- memory and libraries -------------------------------------------------------------------- */

/* Zeroed memory on huge pages; ends the process where there is none. */
float *take(int64_t floats);

/* Loads OpenBLAS and sets the threads of products and loops to those of the job. False: there is no
 * OpenBLAS. */
bool load_parts(const job *job);
void set_product_threads(int threads);

typedef enum form { AS_IS = 111, TRANSPOSED = 112 } form;

/* A row-major matrix, or a block of one whose rows are `stride` floats apart. */
typedef struct matrix {
  const float *data;
  int64_t stride;
  form form;
} matrix;

static inline matrix plain(const float *data, int64_t stride) {
  return (matrix){data, stride, AS_IS};
}

static inline matrix transposed(const float *data, int64_t stride) {
  return (matrix){data, stride, TRANSPOSED};
}

/* out = factor * a b + keep * out, for m x k times k x n; cblas_sgemm. */
void multiply(int64_t m, int64_t n, int64_t k, float factor, matrix a, matrix b, float keep,
              float *out, int64_t stride);

/* ---- between ranks --------------------------------------------------------------------------- */

/* Sums `data` over the ranks, in place. */
void sum_over_ranks(job *job, float *data, int64_t count);

/* Of `ranks` blocks of `count` floats, the own one becomes the sum of all ranks' blocks at its
 * place; `scratch` has room for one block. */
void sum_own_block(job *job, float *blocks, int64_t count, float *scratch);

/* Every rank's own block in its place on all ranks. */
void gather_blocks(job *job, float *blocks, int64_t count);

/* ---- loops ----------------------------------------------------------------------------------- */

void copy(float *to, const float *from, int64_t count);

/* to = from - rate * slope */
void descend(float *to, const float *from, const float *slope, float rate, int64_t count);

/* Negative values become 0. */
void rectify(float *data, int64_t count);

/* 0 where `sign` is not positive. */
void mask(float *data, const float *sign, int64_t count);

/* The sum of (out - y)^2; `out` becomes factor * (out - y). */
double slope_of_squares(float *out, const float *y, float factor, int64_t count);

#endif
