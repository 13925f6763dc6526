/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Products of f32 by oneDNN, where it is faster than BLAS libraries: with AVX-512
 * (bench/README.md). It must not know descriptors, sites or contexts. */
#ifndef TESSERA_RUNTIME_DEVICES_HOST_SGEMM_H
#define TESSERA_RUNTIME_DEVICES_HOST_SGEMM_H

#include "devices/host/blas.h"
#include "threads/pool.h"

/* Whether products of `type` go that way. Any thread. */
bool tr_sgemm_has(tessera_dtype type);

/* What tr_blas_gemm does, for f32, by the threads of `pool`; NULL: by the calling thread alone. How
 * a product is shared out follows from its sizes and the number of threads. */
void tr_sgemm(tr_pool *pool, int32_t threads, int32_t m, int32_t n, int32_t k,
              const tr_blas_matrix *a, const tr_blas_matrix *b, const tr_blas_matrix *c,
              bool overwrite);

#endif /* TESSERA_RUNTIME_DEVICES_HOST_SGEMM_H */
