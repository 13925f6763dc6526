/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A training step of a perceptron with two hidden layers, by hand: the batch split, or the hidden
 * units split. Arguments: w1, w2, w3, x, y; results: the loss, then the weights anew. */
#include <stdlib.h>
#include <string.h>

#include "parts.h"

enum { BATCH = 512, INPUT = 512, HIDDEN = 2048, OUTPUT = 512 };
enum { W1, W2, W3, X, Y };
static const float rate = 0.01f;
static const float slope_factor = 2.0f / ((float)BATCH * OUTPUT);

/* `rows` of the batch; `first` and `second` are the outputs of the hidden layers, `slope2` and
 * `slope1` what flows back into them. */
typedef struct mlp {
  job *job;
  int64_t rows, width;
  float *first, *second, *out, *slope1, *slope2, *slopes, *scratch;
} mlp;

/* ---- the batch split ------------------------------------------------------------------------- */

enum { SIZE_1 = INPUT * HIDDEN, SIZE_2 = HIDDEN * HIDDEN, SIZE_3 = HIDDEN * OUTPUT };

static void *start_rows(job *job) {
  mlp *m = calloc(1, sizeof(*m));
  int64_t rows = BATCH / job->ranks;
  *m = (mlp){.job = job,
             .rows = rows,
             .first = take(rows * HIDDEN),
             .second = take(rows * HIDDEN),
             .out = take(rows * OUTPUT),
             .slope1 = take(rows * HIDDEN),
             .slope2 = take(rows * HIDDEN),
             .slopes = take(SIZE_1 + SIZE_2 + SIZE_3 + 1)};
  return m;
}

/* The slopes of all weights lie in one array, and so does the loss: one sum over ranks. */
static void run_rows(void *memory, const float *const *a, float *const *results) {
  mlp *m = memory;
  int64_t rows = m->rows;
  float *slope1 = m->slopes, *slope2 = slope1 + SIZE_1, *slope3 = slope2 + SIZE_2;
  float *loss = slope3 + SIZE_3;
  multiply(rows, HIDDEN, INPUT, 1, plain(a[X], INPUT), plain(a[W1], HIDDEN), 0, m->first, HIDDEN);
  rectify(m->first, rows * HIDDEN);
  multiply(rows, HIDDEN, HIDDEN, 1, plain(m->first, HIDDEN), plain(a[W2], HIDDEN), 0, m->second,
           HIDDEN);
  rectify(m->second, rows * HIDDEN);
  multiply(rows, OUTPUT, HIDDEN, 1, plain(m->second, HIDDEN), plain(a[W3], OUTPUT), 0, m->out,
           OUTPUT);
  *loss = (float)(slope_of_squares(m->out, a[Y], slope_factor, rows * OUTPUT) / (BATCH * OUTPUT));
  multiply(HIDDEN, OUTPUT, rows, 1, transposed(m->second, HIDDEN), plain(m->out, OUTPUT), 0, slope3,
           OUTPUT);
  multiply(rows, HIDDEN, OUTPUT, 1, plain(m->out, OUTPUT), transposed(a[W3], OUTPUT), 0, m->slope2,
           HIDDEN);
  mask(m->slope2, m->second, rows * HIDDEN);
  multiply(HIDDEN, HIDDEN, rows, 1, transposed(m->first, HIDDEN), plain(m->slope2, HIDDEN), 0,
           slope2, HIDDEN);
  multiply(rows, HIDDEN, HIDDEN, 1, plain(m->slope2, HIDDEN), transposed(a[W2], HIDDEN), 0,
           m->slope1, HIDDEN);
  mask(m->slope1, m->first, rows * HIDDEN);
  multiply(INPUT, HIDDEN, rows, 1, transposed(a[X], INPUT), plain(m->slope1, HIDDEN), 0, slope1,
           HIDDEN);
  sum_over_ranks(m->job, m->slopes, SIZE_1 + SIZE_2 + SIZE_3 + 1);
  results[0][0] = *loss;
  descend(results[1], a[W1], slope1, rate, SIZE_1);
  descend(results[2], a[W2], slope2, rate, SIZE_2);
  descend(results[3], a[W3], slope3, rate, SIZE_3);
}

const step mlp_rows_step = {"mlp_dp", start_rows, run_rows};

/* ---- the hidden units split ------------------------------------------------------------------ */

/* `second` and `slope2` are whole: a block of BATCH x width for each rank. */
static void *start_columns(job *job) {
  mlp *m = calloc(1, sizeof(*m));
  int64_t width = HIDDEN / job->ranks;
  *m = (mlp){.job = job,
             .width = width,
             .first = take(BATCH * width),
             .second = take(BATCH * HIDDEN),
             .out = take(BATCH * OUTPUT),
             .slope1 = take(BATCH * width),
             .slope2 = take(BATCH * HIDDEN),
             .scratch = take(BATCH * width)};
  return m;
}

/* Columns of the first layer, rows of the second: each rank has a part of all sums of the second
 * layer, makes them in blocks, and keeps the sum of its own. */
static void run_forward(mlp *m, const float *const *a) {
  int64_t width = m->width, block = BATCH * width;
  float *own = m->second + m->job->rank * block;
  multiply(BATCH, width, INPUT, 1, plain(a[X], INPUT), plain(a[W1], width), 0, m->first, width);
  rectify(m->first, block);
  for (int i = 0; i < m->job->ranks; i++)
    multiply(BATCH, width, width, 1, plain(m->first, width), plain(a[W2] + i * width, HIDDEN), 0,
             m->second + i * block, width);
  sum_own_block(m->job, m->second, block, m->scratch);
  rectify(own, block);
  multiply(BATCH, OUTPUT, width, 1, plain(own, width), plain(a[W3], OUTPUT), 0, m->out, OUTPUT);
  sum_over_ranks(m->job, m->out, BATCH * OUTPUT);
}

/* A result starts as the weight, and the product takes its slope off: no pass of its own. */
static void run_columns(void *memory, const float *const *a, float *const *results) {
  mlp *m = memory;
  int64_t width = m->width, block = BATCH * width;
  float *own = m->second + m->job->rank * block, *own_slope = m->slope2 + m->job->rank * block;
  run_forward(m, a);
  results[0][0] =
      (float)(slope_of_squares(m->out, a[Y], slope_factor, BATCH * OUTPUT) / (BATCH * OUTPUT));
  multiply(BATCH, width, OUTPUT, 1, plain(m->out, OUTPUT), transposed(a[W3], OUTPUT), 0, own_slope,
           width);
  mask(own_slope, own, block);
  gather_blocks(m->job, m->slope2, block);
  copy(results[3], a[W3], width * OUTPUT);
  multiply(width, OUTPUT, BATCH, -rate, transposed(own, width), plain(m->out, OUTPUT), 1,
           results[3], OUTPUT);
  copy(results[2], a[W2], width * HIDDEN);
  for (int i = 0; i < m->job->ranks; i++) {
    matrix slope = plain(m->slope2 + i * block, width);
    multiply(width, width, BATCH, -rate, transposed(m->first, width), slope, 1,
             results[2] + i * width, HIDDEN);
    multiply(BATCH, width, width, 1, slope, transposed(a[W2] + i * width, HIDDEN), i > 0, m->slope1,
             width);
  }
  mask(m->slope1, m->first, block);
  copy(results[1], a[W1], INPUT * width);
  multiply(INPUT, width, BATCH, -rate, transposed(a[X], INPUT), plain(m->slope1, width), 1,
           results[1], width);
}

const step mlp_columns_step = {"mlp_tp", start_columns, run_columns};
