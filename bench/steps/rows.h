/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Passes over rows that a transformer block needs: layer norm, gelu, softmax, sums of columns. It
 * must not know ranks or products. */
#ifndef TESSERA_BENCH_ROWS_H
#define TESSERA_BENCH_ROWS_H

#include <stdint.h>

/* Every row less its mean and by its deviation, in `normal`; `out` = normal * gain + bias. `scale`
 * gets a number for each row, which the way back needs. */
void normalize(const float *x, const float *gain, const float *bias, float *normal, float *scale,
               float *out, int64_t rows, int64_t width);

/* Adds what the slope of a normalized value means for its input: to += scale * (s - mean(s) -
 * normal * mean(s * normal)), s = slope * gain. */
void add_normal_slope(float *to, const float *slope, const float *gain, const float *normal,
                      const float *scale, int64_t rows, int64_t width);

/* The sums over rows of `slope` and, where there is `normal`, of slope * normal. Not in parallel
 * with itself. */
void sum_columns(const float *slope, const float *normal, float *sums, float *normal_sums,
                 int64_t rows, int64_t width);

/* value = gelu(value + bias), by tanh; `slope` becomes its derivative there. */
void gelu(float *value, const float *bias, float *slope, int64_t rows, int64_t width);

/* to *= by */
void scale_by(float *to, const float *by, int64_t count);

/* to += from */
void add_to(float *to, const float *from, int64_t count);

/* to += from + bias of each column */
void add_with_bias(float *to, const float *from, const float *bias, int64_t rows, int64_t width);

/* On one square, in the calling thread: softmax of factor * row; and its way back, in place in
 * `slopes`, times factor. */
void softmax(float *scores, float factor, int64_t rows, int64_t width);
void softmax_slope(float *slopes, const float *weights, float factor, int64_t rows, int64_t width);

#endif
