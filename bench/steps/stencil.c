/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A periodic five-point stencil on a square, rows split: a row of each neighbour a step, which is
 * on its way while the rows that do not need it are done. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

enum { SIZE = 2048, STEPS = 100 };

/* Two fields of `rows` rows between a row of the neighbour above and one of that below. */
typedef struct stencil {
  job *job;
  int64_t rows;
  float *fields[2];
} stencil;

static void *start(job *job) {
  stencil *s = calloc(1, sizeof(*s));
  s->job = job;
  s->rows = SIZE / job->ranks;
  for (int i = 0; i < 2; i++)
    s->fields[i] = take((s->rows + 2) * SIZE);
  return s;
}

static void advance_row(const float *restrict from, float *restrict to) {
  const float *above = from - SIZE, *below = from + SIZE;
  for (int64_t j = 1; j < SIZE - 1; j++)
    to[j] = 0.2f * (from[j] + above[j] + below[j] + from[j - 1] + from[j + 1]);
  to[0] = 0.2f * (from[0] + above[0] + below[0] + from[SIZE - 1] + from[1]);
  to[SIZE - 1] =
      0.2f * (from[SIZE - 1] + above[SIZE - 1] + below[SIZE - 1] + from[SIZE - 2] + from[0]);
}

/* Starts filling the rows around `rows` own ones at `field`; the number of requests. */
static int start_exchange(const stencil *s, float *field, MPI_Request *requests) {
  job *job = s->job;
  float *last = field + (s->rows - 1) * SIZE;
  int above = (job->rank + job->ranks - 1) % job->ranks, below = (job->rank + 1) % job->ranks;
  if (job->ranks == 1) {
    memcpy(field - SIZE, last, SIZE * sizeof(float));
    memcpy(last + SIZE, field, SIZE * sizeof(float));
    return 0;
  }
  MPI_Irecv(field - SIZE, SIZE, MPI_FLOAT, above, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(last + SIZE, SIZE, MPI_FLOAT, below, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(last, SIZE, MPI_FLOAT, below, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(field, SIZE, MPI_FLOAT, above, 2, MPI_COMM_WORLD, &requests[3]);
  job->bytes += 2 * SIZE * (int64_t)sizeof(float);
  return 4;
}

static void run(void *memory, const float *const *arguments, float *const *results) {
  stencil *s = memory;
  copy(s->fields[0] + SIZE, arguments[0], s->rows * SIZE);
  for (int i = 0; i < STEPS; i++) {
    MPI_Request requests[4];
    float *from = s->fields[i % 2] + SIZE;
    float *to = i + 1 == STEPS ? results[0] : s->fields[(i + 1) % 2] + SIZE;
    int count = start_exchange(s, from, requests);
#pragma omp parallel for
    for (int64_t row = 1; row < s->rows - 1; row++)
      advance_row(from + row * SIZE, to + row * SIZE);
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    advance_row(from, to);
    advance_row(from + (s->rows - 1) * SIZE, to + (s->rows - 1) * SIZE);
  }
}

const step stencil_step = {"stencil", start, run};
