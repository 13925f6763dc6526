/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Matrix products in tiles, for element types that BLAS lacks and machines without one.
 * It must not know sites, contexts or BLAS. */
#ifndef TESSERA_RUNTIME_GEMM_TILED_H
#define TESSERA_RUNTIME_GEMM_TILED_H

#include <stdbool.h>

#include "tessera/runtime.h"

#include "view.h"

/* True if c = a*b (+ c) has a meaning for operands of `input` and results of `output`. */
bool tr_tiled_has(tessera_dtype input, tessera_dtype output);

/* Bytes of memory that tr_tiled_gemm works in. */
size_t tr_tiled_memory(void);

/* Views of rank 2 with any strides. Sums of 16-bit floats are kept in f32 over the whole of k. */
void tr_tiled_gemm(tessera_dtype input, tessera_dtype output, const tr_view *a, const tr_view *b,
                   const tr_view *c, bool overwrite, void *memory);

#endif /* TESSERA_RUNTIME_GEMM_TILED_H */
