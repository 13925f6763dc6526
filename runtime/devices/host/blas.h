/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The system's BLAS, loaded when the first matrix product needs it.
 * It must not know descriptors, sites or contexts. */
#ifndef TESSERA_RUNTIME_DEVICES_HOST_BLAS_H
#define TESSERA_RUNTIME_DEVICES_HOST_BLAS_H

#include <stdbool.h>
#include <stdint.h>

#include "tessera/runtime.h"

/* One matrix as BLAS wants it: its rows contiguous (leading dimension apart), or its columns. */
typedef struct tr_blas_matrix {
  void *data;
  int32_t leading;
  bool transposed; /* columns are contiguous */
} tr_blas_matrix;

/* The instructions that OpenBLAS's and oneDNN's fastest products take. Any thread. */
bool tr_blas_has_avx512(void);

/* True if there is a BLAS and it multiplies matrices of `type`. Loads it at the first call, and has
 * it use so many `threads` from now on. Any thread. */
bool tr_blas_has(tessera_dtype type, int32_t threads);

/* True if each product of `type` is from now on computed by the thread that asks for it, so that
 * several may at once, until tr_blas_has is asked for more. OpenMP's threads would each have their
 * own. */
bool tr_blas_has_alone(tessera_dtype type);

/* c = a*b (+ c), c not transposed; m, n, k at least 1. */
void tr_blas_gemm(tessera_dtype type, int32_t m, int32_t n, int32_t k, const tr_blas_matrix *a,
                  const tr_blas_matrix *b, const tr_blas_matrix *c, bool overwrite);

#endif /* TESSERA_RUNTIME_DEVICES_HOST_BLAS_H */
