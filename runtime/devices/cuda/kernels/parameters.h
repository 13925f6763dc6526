/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What the device's own kernels are given: plain structs, the same on the host and in PTX.
 * It must not know how they are launched. */
#ifndef TESSERA_RUNTIME_DEVICES_CUDA_KERNELS_PARAMETERS_H
#define TESSERA_RUNTIME_DEVICES_CUDA_KERNELS_PARAMETERS_H

#include <stdint.h>

enum {
  KERNEL_COPY_RANK = 33,  /* a copy's dimensions, and its run */
  KERNEL_WINDOW_RANK = 32 /* of a convolution's views */
};

/* Dimensions outermost first; steps in bytes. */
typedef struct copy_parameters {
  const char *from;
  char *to;
  int64_t count; /* of units */
  int64_t rank;
  int64_t sizes[KERNEL_COPY_RANK];
  int64_t from_steps[KERNEL_COPY_RANK], to_steps[KERNEL_COPY_RANK];
} copy_parameters;

typedef struct fill_parameters {
  char *to;
  int64_t count;
  uint64_t element[2]; /* its bytes first */
} fill_parameters;

typedef struct convert_parameters {
  const char *from;
  char *to;
  int64_t count;
  int32_t from_type, to_type; /* tessera_dtype */
} convert_parameters;

/* Pieces are read from `inlined` where they fit, else from a table on the device. */
enum { KERNEL_PIECES = 64 };

typedef struct combine_parameters {
  char *output;
  const char *const *table; /* NULL: inlined */
  int64_t count;
  int64_t divisor;                  /* 0: none */
  int32_t input, accumulator, kind; /* tessera_dtype */
  int32_t reduction, members;
  int32_t unused;
  const char *inlined[KERNEL_PIECES];
} combine_parameters;

/* Strides in elements: batch, row, column. */
typedef struct gemm_parameters {
  const char *a, *b;
  char *c;
  int64_t batch, m, n, k;
  int64_t a_strides[3], b_strides[3], c_strides[3];
  int32_t input, output; /* tessera_dtype */
  int32_t overwrite, unused;
} gemm_parameters;

/* Strides in elements: batch, row, column. Those without data are zero. */
typedef struct addend_parameters {
  const char *residual, *bias; /* NULL: none */
  char *c;
  int64_t count, m, n;
  int64_t residual_strides[3], c_strides[3], bias_stride;
  int32_t type, unused; /* tessera_dtype */
} addend_parameters;

/* Strides in elements: batch, row, column. */
typedef struct activate_parameters {
  char *c;
  int64_t count, m, n;
  int64_t c_strides[3];
  int32_t type, is_gelu; /* tessera_dtype; or else a relu */
} activate_parameters;

/* Views as in planes/product.h, all of `rank`; strides in elements. */
typedef struct conv_parameters {
  const char *input, *filter;
  char *output;
  int64_t count; /* of elements of the output */
  int64_t rank;
  int64_t input_strides[KERNEL_WINDOW_RANK];
  int64_t filter_sizes[KERNEL_WINDOW_RANK], filter_strides[KERNEL_WINDOW_RANK];
  int64_t output_sizes[KERNEL_WINDOW_RANK], output_strides[KERNEL_WINDOW_RANK];
  int64_t steps[KERNEL_WINDOW_RANK], dilations[KERNEL_WINDOW_RANK];
  int32_t input_type, output_type; /* tessera_dtype */
  int32_t overwrite, unused;
} conv_parameters;

#endif /* TESSERA_RUNTIME_DEVICES_CUDA_KERNELS_PARAMETERS_H */
