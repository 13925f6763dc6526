/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Passes over rows, each written so that compilers vectorise it and as few as the algebra allows.
 * It must not know ranks or products. */
#include "rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 1024 };

void normalize(const float *x, const float *gain, const float *bias, float *normal, float *scale,
               float *out, int64_t rows, int64_t width) {
#pragma omp parallel for
  for (int64_t i = 0; i < rows; i++) {
    const float *from = x + i * width;
    float *restrict to = normal + i * width, *restrict end = out + i * width;
    float sum = 0.0f, squares = 0.0f;
    for (int64_t j = 0; j < width; j++)
      sum += from[j];
    float mean = sum / (float)width;
    for (int64_t j = 0; j < width; j++)
      squares += (from[j] - mean) * (from[j] - mean);
    scale[i] = 1.0f / sqrtf(squares / (float)width + 1e-5f);
    for (int64_t j = 0; j < width; j++) {
      to[j] = (from[j] - mean) * scale[i];
      end[j] = to[j] * gain[j] + bias[j];
    }
  }
}

void add_normal_slope(float *to, const float *slope, const float *gain, const float *normal,
                      const float *scale, int64_t rows, int64_t width) {
#pragma omp parallel for
  for (int64_t i = 0; i < rows; i++) {
    const float *s = slope + i * width, *n = normal + i * width;
    float *restrict out = to + i * width;
    float sum = 0.0f, product = 0.0f;
    for (int64_t j = 0; j < width; j++) {
      sum += s[j] * gain[j];
      product += s[j] * gain[j] * n[j];
    }
    sum /= (float)width;
    product /= (float)width;
    for (int64_t j = 0; j < width; j++)
      out[j] += scale[i] * (s[j] * gain[j] - sum - n[j] * product);
  }
}

/* Columns of at most MOST_COLUMNS; each thread has sums of its own. */
void sum_columns(const float *slope, const float *normal, float *sums, float *normal_sums,
                 int64_t rows, int64_t width) {
  memset(sums, 0, (size_t)width * sizeof(float));
  if (normal)
    memset(normal_sums, 0, (size_t)width * sizeof(float));
#pragma omp parallel
  {
    float plain[MOST_COLUMNS] = {0}, weighted[MOST_COLUMNS] = {0};
#pragma omp for nowait
    for (int64_t i = 0; i < rows; i++) {
      const float *s = slope + i * width;
      for (int64_t j = 0; j < width; j++)
        plain[j] += s[j];
      for (int64_t j = 0; normal && j < width; j++)
        weighted[j] += s[j] * normal[i * width + j];
    }
#pragma omp critical
    for (int64_t j = 0; j < width; j++) {
      sums[j] += plain[j];
      if (normal)
        normal_sums[j] += weighted[j];
    }
  }
}

void gelu(float *restrict value, const float *restrict bias, float *restrict slope, int64_t rows,
          int64_t width) {
  const float a = 0.797884583f, b = 0.044715f;
#pragma omp parallel for
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < width; j++) {
      float x = value[i * width + j] + bias[j];
      float t = tanhf(a * (x + b * x * x * x));
      value[i * width + j] = 0.5f * x * (1.0f + t);
      slope[i * width + j] =
          0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * a * (1.0f + 3.0f * b * x * x);
    }
}

void scale_by(float *restrict to, const float *restrict by, int64_t count) {
#pragma omp parallel for
  for (int64_t i = 0; i < count; i++)
    to[i] *= by[i];
}

void add_to(float *restrict to, const float *restrict from, int64_t count) {
#pragma omp parallel for
  for (int64_t i = 0; i < count; i++)
    to[i] += from[i];
}

void add_with_bias(float *restrict to, const float *restrict from, const float *restrict bias,
                   int64_t rows, int64_t width) {
#pragma omp parallel for
  for (int64_t i = 0; i < rows; i++)
    for (int64_t j = 0; j < width; j++)
      to[i * width + j] += from[i * width + j] + bias[j];
}

void softmax(float *scores, float factor, int64_t rows, int64_t width) {
  for (int64_t i = 0; i < rows; i++) {
    float *row = scores + i * width;
    float most = row[0], sum = 0.0f;
    for (int64_t j = 0; j < width; j++)
      most = row[j] > most ? row[j] : most;
    for (int64_t j = 0; j < width; j++) {
      row[j] = expf(factor * (row[j] - most));
      sum += row[j];
    }
    float scale = 1.0f / sum;
    for (int64_t j = 0; j < width; j++)
      row[j] *= scale;
  }
}

void softmax_slope(float *restrict slopes, const float *restrict weights, float factor,
                   int64_t rows, int64_t width) {
  for (int64_t i = 0; i < rows; i++) {
    float *s = slopes + i * width;
    const float *w = weights + i * width;
    float sum = 0.0f;
    for (int64_t j = 0; j < width; j++)
      sum += s[j] * w[j];
    for (int64_t j = 0; j < width; j++)
      s[j] = factor * w[j] * (s[j] - sum);
  }
}
