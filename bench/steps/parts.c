/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Memory, products, sums over ranks and plain loops, as one writes them with MPI, CBLAS and OpenMP.
 * It must not know any step. */
#include "parts.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(_OPENMP)
/* OpenMP's, whose header not every compiler has beside the library. */
void omp_set_num_threads(int threads);
#endif

/* ---- memory and libraries -------------------------------------------------------------------- */

float *take(int64_t floats) {
  const size_t page = (size_t)2 << 20;
  size_t bytes = ((size_t)floats * sizeof(float) + page - 1) / page * page;
  void *data = aligned_alloc(page, bytes);
  if (!data) {
    fprintf(stderr, "error: no memory for %zu bytes\n", bytes);
    exit(1);
  }
  madvise(data, bytes, MADV_HUGEPAGE);
  memset(data, 0, bytes);
  return data;
}

typedef void sgemm_function(int, int, int, int, int, int, float, const float *, int, const float *,
                            int, float, float *, int);

/* The library of the process: one, whoever multiplies. */
static struct {
  sgemm_function *sgemm;
  void (*set_threads)(int);
} blas;

static void find_symbol(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof(symbol));
}

bool load_parts(const job *job) {
  void *library = dlopen("libopenblas.so.0", RTLD_NOW);
  if (!library)
    library = dlopen("libopenblas.so", RTLD_NOW);
  if (!library)
    return false;
  find_symbol(library, "cblas_sgemm", &blas.sgemm);
  find_symbol(library, "openblas_set_num_threads", &blas.set_threads);
  if (!blas.sgemm || !blas.set_threads)
    return false;
  set_product_threads(job->threads);
#if defined(_OPENMP)
  omp_set_num_threads(job->threads);
#endif
  return true;
}

void set_product_threads(int threads) {
  blas.set_threads(threads);
}

void multiply(int64_t m, int64_t n, int64_t k, float factor, matrix a, matrix b, float keep,
              float *out, int64_t stride) {
  enum { ROW_MAJOR = 101 };
  blas.sgemm(ROW_MAJOR, (int)a.form, (int)b.form, (int)m, (int)n, (int)k, factor, a.data,
             (int)a.stride, b.data, (int)b.stride, keep, out, (int)stride);
}

/* ---- between ranks --------------------------------------------------------------------------- */

void sum_over_ranks(job *job, float *data, int64_t count) {
  if (job->ranks == 1)
    return;
  MPI_Allreduce(MPI_IN_PLACE, data, (int)count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  job->bytes += 2 * 4 * count * (job->ranks - 1) / job->ranks;
}

static void add(float *restrict to, const float *restrict from, int64_t count) {
#pragma omp parallel for
  for (int64_t i = 0; i < count; i++)
    to[i] += from[i];
}

/* Pairwise: Open MPI's own reduce-scatter takes several times as long. */
void sum_own_block(job *job, float *blocks, int64_t count, float *scratch) {
  float *own = blocks + job->rank * count;
  for (int step = 1; step < job->ranks; step++) {
    int to = (job->rank + step) % job->ranks;
    int from = (job->rank + job->ranks - step) % job->ranks;
    MPI_Sendrecv(blocks + to * count, (int)count, MPI_FLOAT, to, 1, scratch, (int)count, MPI_FLOAT,
                 from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    add(own, scratch, count);
    job->bytes += 4 * count;
  }
}

void gather_blocks(job *job, float *blocks, int64_t count) {
  if (job->ranks == 1)
    return;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, blocks, (int)count, MPI_FLOAT, MPI_COMM_WORLD);
  job->bytes += 4 * count * (job->ranks - 1);
}

/* ---- loops ----------------------------------------------------------------------------------- */

void copy(float *restrict to, const float *restrict from, int64_t count) {
#pragma omp parallel for
  for (int64_t i = 0; i < count; i++)
    to[i] = from[i];
}

void descend(float *restrict to, const float *restrict from, const float *restrict slope,
             float rate, int64_t count) {
#pragma omp parallel for
  for (int64_t i = 0; i < count; i++)
    to[i] = from[i] - rate * slope[i];
}

void rectify(float *data, int64_t count) {
#pragma omp parallel for
  for (int64_t i = 0; i < count; i++)
    data[i] = data[i] > 0.0f ? data[i] : 0.0f;
}

void mask(float *restrict data, const float *restrict sign, int64_t count) {
#pragma omp parallel for
  for (int64_t i = 0; i < count; i++)
    data[i] = sign[i] > 0.0f ? data[i] : 0.0f;
}

double slope_of_squares(float *restrict out, const float *restrict y, float factor, int64_t count) {
  enum { BLOCK = 1024 };
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int64_t first = 0; first < count; first += BLOCK) {
    int64_t end = first + BLOCK < count ? first + BLOCK : count;
    float part = 0.0f;
    for (int64_t i = first; i < end; i++) {
      float difference = out[i] - y[i];
      part += difference * difference;
      out[i] = factor * difference;
    }
    sum += (double)part;
  }
  return sum;
}
