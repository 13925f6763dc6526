/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Sums of products, many beside each other: what a convolution of few channels is made of.
 * It must not know convolutions. */
#ifndef TESSERA_RUNTIME_DEVICES_HOST_CONV_SUMS_H
#define TESSERA_RUNTIME_DEVICES_HOST_CONV_SUMS_H

#include "tessera/runtime.h"

#include <stdbool.h>
#include <stdint.h>

enum { TR_SUMS_BYTES = 256 }; /* the most sums beside each other; a multiple of any vector */

/* One of the factors; strides are in elements. */
typedef struct tr_sums_factor {
  const char *data;
  int64_t plane, row, step, lane;
} tr_sums_factor;

/* results[lane] = sum over planes, rows and steps of a * b, from zero. */
typedef struct tr_sums {
  tr_sums_factor a, b;
  int64_t planes, rows, steps, lanes;
} tr_sums;

typedef void tr_sums_kernel(const tr_sums *sums, void *results);

/* The best one that this machine has; NULL: of this type there is none. */
tr_sums_kernel *tr_sums_kernel_of(tessera_dtype type);

/* Whether the lanes of such factors are a vector's: contiguous, or one number for all. */
bool tr_sums_are_vectors(int64_t a_lane, int64_t b_lane);

#endif /* TESSERA_RUNTIME_DEVICES_HOST_CONV_SUMS_H */
