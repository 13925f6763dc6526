/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Matrix products for the rest of the runtime: by BLAS where it has the type, else in tiles.
 * It must not know groups or messages. */
#ifndef TESSERA_RUNTIME_GEMM_GEMM_H
#define TESSERA_RUNTIME_GEMM_GEMM_H

#include "site_call.h"

/* The operands of c = a*b (+ c), of rank 2, or 3 with the batch outermost; any strides. */
typedef struct tr_product {
  tessera_dtype input, output;
  bool overwrite; /* c's old value does not count */
  tr_view a, b, c;
  void *tiles; /* NULL at first; kept by tr_gemm, for the next product of the same call */
} tr_product;

/* TESSERA_ERROR_UNSUPPORTED where sums of products have no meaning for the types. */
tessera_status tr_gemm_check_types(tessera_dtype input, tessera_dtype output);

/* Does it; sizes fit and the types are checked. Scratch memory of the call is taken for `tiles`,
 * and for copies of operands that BLAS cannot take: of those whose rows or columns are not
 * contiguous. */
tessera_status tr_gemm(const tr_call *call, tr_product *product);

/* Threads for one rank's share of this host's cores. */
int32_t tr_gemm_threads(const tr_call *call);

#endif /* TESSERA_RUNTIME_GEMM_GEMM_H */
