/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A training step of a transformer block, by hand: the batch split, or heads and hidden units
 * split. Arguments and results are in the order of `argument`; the first result is the loss. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"
#include "rows.h"

enum { BATCH = 16, LENGTH = 128, MODEL = 256, HEADS = 8, HEAD = 32, HIDDEN = 1024 };
enum argument {
  B1,
  B2,
  BIAS1,
  BIAS2,
  GAIN1,
  GAIN2,
  W1,
  W2,
  WK,
  WO,
  WQ,
  WV,
  NUM_WEIGHTS,
  X = NUM_WEIGHTS,
  Y
};
static const float rate = 0.01f;
static const float count = (float)BATCH * LENGTH * MODEL;

/* Of `rows` places of sequences, `wide` columns of all heads and `hidden` units. `slopes` has those
 * of all weights, one after another, and then the loss. */
typedef struct block {
  job *job;
  bool sums_slopes; /* the batch is split: slopes are sums over ranks, activations are not */
  int64_t rows, wide, hidden, sizes[NUM_WEIGHTS], total;
  float *normal1, *scale1, *h1, *q, *k, *v, *weights, *mixed, *x1, *normal2, *scale2, *h2;
  float *active, *active_slope, *out;
  float *dh, *dx1, *dactive, *dmixed, *dweights, *dq, *dk, *dv, *slopes;
} block;

/* ---- memory ---------------------------------------------------------------------------------- */

static block *start(job *job, int64_t batches, int64_t heads, int64_t hidden) {
  block *b = calloc(1, sizeof(*b));
  int64_t rows = batches * LENGTH, wide = heads * HEAD;
  const int64_t sizes[NUM_WEIGHTS] = {hidden,       MODEL,        MODEL,          MODEL,
                                      MODEL,        MODEL,        MODEL * hidden, hidden * MODEL,
                                      MODEL * wide, wide * MODEL, MODEL * wide,   MODEL * wide};
  *b = (block){.job = job, .rows = rows, .wide = wide, .hidden = hidden};
  memcpy(b->sizes, sizes, sizeof(sizes));
  for (int i = 0; i < NUM_WEIGHTS; i++)
    b->total += sizes[i];
  float **of_model[] = {&b->normal1, &b->h1, &b->x1, &b->normal2, &b->h2, &b->out, &b->dh, &b->dx1};
  float **of_heads[] = {&b->q, &b->k, &b->v, &b->mixed, &b->dmixed, &b->dq, &b->dk, &b->dv};
  float **of_hidden[] = {&b->active, &b->active_slope, &b->dactive};
  for (size_t i = 0; i < sizeof(of_model) / sizeof(of_model[0]); i++)
    *of_model[i] = take(rows * MODEL);
  for (size_t i = 0; i < sizeof(of_heads) / sizeof(of_heads[0]); i++)
    *of_heads[i] = take(rows * wide);
  for (size_t i = 0; i < sizeof(of_hidden) / sizeof(of_hidden[0]); i++)
    *of_hidden[i] = take(rows * hidden);
  b->scale1 = take(rows);
  b->scale2 = take(rows);
  b->weights = take(batches * heads * LENGTH * LENGTH);
  b->dweights = take((int64_t)job->threads * LENGTH * LENGTH);
  b->slopes = take(b->total + 1);
  return b;
}

static void *start_rows(job *job) {
  block *b = start(job, BATCH / job->ranks, HEADS, HIDDEN);
  b->sums_slopes = job->ranks > 1;
  return b;
}

static void *start_heads(job *job) {
  return start(job, BATCH, HEADS / job->ranks, HIDDEN / job->ranks);
}

/* ---- attention ------------------------------------------------------------------------------- */

/* The weights of the attention of one head in one sequence, and where its columns begin. */
static float *head_weights(const block *b, int64_t pair) {
  return b->weights + pair * LENGTH * LENGTH;
}

static int64_t head_columns(const block *b, int64_t pair) {
  int64_t heads = b->wide / HEAD;
  return pair / heads * LENGTH * b->wide + pair % heads * HEAD;
}

static void attend(const block *b, int64_t pair) {
  float *weights = head_weights(b, pair);
  int64_t at = head_columns(b, pair), wide = b->wide;
  multiply(LENGTH, LENGTH, HEAD, 1, plain(b->q + at, wide), transposed(b->k + at, wide), 0, weights,
           LENGTH);
  softmax(weights, 1.0f / sqrtf((float)HEAD), LENGTH, LENGTH);
  multiply(LENGTH, HEAD, LENGTH, 1, plain(weights, LENGTH), plain(b->v + at, wide), 0,
           b->mixed + at, wide);
}

/* `slopes` is scratch for one square. */
static void attend_back(const block *b, int64_t pair, float *slopes) {
  float *weights = head_weights(b, pair);
  int64_t at = head_columns(b, pair), wide = b->wide;
  multiply(LENGTH, LENGTH, HEAD, 1, plain(b->dmixed + at, wide), transposed(b->v + at, wide), 0,
           slopes, LENGTH);
  multiply(LENGTH, HEAD, LENGTH, 1, transposed(weights, LENGTH), plain(b->dmixed + at, wide), 0,
           b->dv + at, wide);
  softmax_slope(slopes, weights, 1.0f / sqrtf((float)HEAD), LENGTH, LENGTH);
  multiply(LENGTH, HEAD, LENGTH, 1, plain(slopes, LENGTH), plain(b->k + at, wide), 0, b->dq + at,
           wide);
  multiply(LENGTH, HEAD, LENGTH, 1, transposed(slopes, LENGTH), plain(b->q + at, wide), 0,
           b->dk + at, wide);
}

typedef enum direction { FORWARD, BACK } direction;

/* Heads are shared out to threads, each of which multiplies alone. */
static void run_heads(const block *b, direction direction) {
  int threads = b->job->threads;
  int64_t pairs = b->rows / LENGTH * (b->wide / HEAD);
  set_product_threads(1);
#pragma omp parallel for
  for (int part = 0; part < threads; part++)
    for (int64_t pair = pairs * part / threads; pair < pairs * (part + 1) / threads; pair++)
      if (direction == FORWARD)
        attend(b, pair);
      else
        attend_back(b, pair, b->dweights + (int64_t)part * LENGTH * LENGTH);
  set_product_threads(threads);
}

/* ---- the step -------------------------------------------------------------------------------- */

/* Of activations that heads or hidden units have parts of. */
static void sum_activations(block *b, float *data) {
  if (!b->sums_slopes)
    sum_over_ranks(b->job, data, b->rows * MODEL);
}

static void run_forward(block *b, const float *const *a) {
  int64_t rows = b->rows, wide = b->wide, hidden = b->hidden;
  normalize(a[X], a[GAIN1], a[BIAS1], b->normal1, b->scale1, b->h1, rows, MODEL);
  matrix h1 = plain(b->h1, MODEL), h2 = plain(b->h2, MODEL);
  multiply(rows, wide, MODEL, 1, h1, plain(a[WQ], wide), 0, b->q, wide);
  multiply(rows, wide, MODEL, 1, h1, plain(a[WK], wide), 0, b->k, wide);
  multiply(rows, wide, MODEL, 1, h1, plain(a[WV], wide), 0, b->v, wide);
  run_heads(b, FORWARD);
  multiply(rows, MODEL, wide, 1, plain(b->mixed, wide), plain(a[WO], MODEL), 0, b->x1, MODEL);
  sum_activations(b, b->x1);
  add_to(b->x1, a[X], rows * MODEL);
  normalize(b->x1, a[GAIN2], a[BIAS2], b->normal2, b->scale2, b->h2, rows, MODEL);
  multiply(rows, hidden, MODEL, 1, h2, plain(a[W1], hidden), 0, b->active, hidden);
  gelu(b->active, a[B1], b->active_slope, rows, hidden);
  multiply(rows, MODEL, hidden, 1, plain(b->active, hidden), plain(a[W2], MODEL), 0, b->out, MODEL);
  sum_activations(b, b->out);
  add_with_bias(b->out, b->x1, a[B2], rows, MODEL);
}

/* The place of a weight's slope in the array of all. */
static float *slope_of(const block *b, enum argument which) {
  float *slope = b->slopes;
  for (int i = 0; i < (int)which; i++)
    slope += b->sizes[i];
  return slope;
}

/* The slope of a matrix of `m` x `n`: where it is a sum over ranks, into the array of slopes; else
 * taken off the weight at once, of which the result is a copy. */
static void take_slope(const block *b, enum argument which, int64_t m, int64_t n, matrix in,
                       matrix out, const float *const *a, float *const *results) {
  float *to = slope_of(b, which);
  if (!b->sums_slopes) {
    to = results[1 + which];
    copy(to, a[which], m * n);
  }
  multiply(m, n, b->rows, b->sums_slopes ? 1 : -rate, in, out, b->sums_slopes ? 0 : 1, to, n);
}

static void run_back_perceptron(block *b, const float *const *a, float *const *results) {
  int64_t rows = b->rows, hidden = b->hidden;
  matrix out = plain(b->out, MODEL), dactive = plain(b->dactive, hidden);
  sum_columns(b->out, NULL, slope_of(b, B2), NULL, rows, MODEL);
  take_slope(b, W2, hidden, MODEL, transposed(b->active, hidden), out, a, results);
  multiply(rows, hidden, MODEL, 1, out, transposed(a[W2], MODEL), 0, b->dactive, hidden);
  scale_by(b->dactive, b->active_slope, rows * hidden);
  sum_columns(b->dactive, NULL, slope_of(b, B1), NULL, rows, hidden);
  take_slope(b, W1, MODEL, hidden, transposed(b->h2, MODEL), dactive, a, results);
  multiply(rows, MODEL, hidden, 1, dactive, transposed(a[W1], hidden), 0, b->dh, MODEL);
  sum_activations(b, b->dh);
  sum_columns(b->dh, b->normal2, slope_of(b, BIAS2), slope_of(b, GAIN2), rows, MODEL);
  copy(b->dx1, b->out, rows * MODEL);
  add_normal_slope(b->dx1, b->dh, a[GAIN2], b->normal2, b->scale2, rows, MODEL);
}

/* Nothing needs the slope of x: of that of h1 two sums of columns are enough, of which each rank
 * has a part where heads are split. */
static void run_back_attention(block *b, const float *const *a, float *const *results) {
  int64_t rows = b->rows, wide = b->wide;
  matrix dx1 = plain(b->dx1, MODEL), h1 = transposed(b->h1, MODEL);
  float parts[2 * MODEL];
  take_slope(b, WO, wide, MODEL, transposed(b->mixed, wide), dx1, a, results);
  multiply(rows, wide, MODEL, 1, dx1, transposed(a[WO], MODEL), 0, b->dmixed, wide);
  run_heads(b, BACK);
  const struct {
    enum argument weight;
    const float *slope;
  } sides[] = {{WQ, b->dq}, {WK, b->dk}, {WV, b->dv}};
  for (int i = 0; i < 3; i++) {
    take_slope(b, sides[i].weight, MODEL, wide, h1, plain(sides[i].slope, wide), a, results);
    multiply(rows, MODEL, wide, 1, plain(sides[i].slope, wide),
             transposed(a[sides[i].weight], wide), i > 0, b->dh, MODEL);
  }
  sum_columns(b->dh, b->normal1, parts, parts + MODEL, rows, MODEL);
  if (!b->sums_slopes)
    sum_over_ranks(b->job, parts, (int64_t)2 * MODEL);
  memcpy(slope_of(b, BIAS1), parts, sizeof(parts) / 2);
  memcpy(slope_of(b, GAIN1), parts + MODEL, sizeof(parts) / 2);
}

static void run(void *memory, const float *const *a, float *const *results) {
  block *b = memory;
  float *loss = b->slopes + b->total;
  run_forward(b, a);
  *loss = (float)(slope_of_squares(b->out, a[Y], 2.0f / count, b->rows * MODEL) / (double)count);
  run_back_perceptron(b, a, results);
  run_back_attention(b, a, results);
  if (b->sums_slopes)
    sum_over_ranks(b->job, b->slopes, b->total + 1);
  results[0][0] = *loss;
  for (int i = 0; i < (b->sums_slopes ? NUM_WEIGHTS : W1); i++)
    descend(results[1 + i], a[i], slope_of(b, (enum argument)i), rate, b->sizes[i]);
}

const step block_rows_step = {"block_dp", start_rows, run};
const step block_heads_step = {"block_tp", start_heads, run};
