/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Matrix products in tiles, for element types that BLAS lacks and machines without one.
 * It must not know sites, contexts or BLAS. */
#ifndef TESSERA_RUNTIME_DEVICES_HOST_TILED_H
#define TESSERA_RUNTIME_DEVICES_HOST_TILED_H

#include <stdbool.h>

#include "tessera/runtime.h"

#include "tensors/view.h"

/* Bytes of memory that tr_tiled_gemm works in. */
size_t tr_tiled_memory(void);

/* Views of rank 2 with any strides; sums of products have a meaning for the types. Those of 16-bit
 * floats are kept in f32 over the whole of k. */
void tr_tiled_gemm(tessera_dtype input, tessera_dtype output, const tr_view *a, const tr_view *b,
                   const tr_view *c, bool overwrite, void *memory);

#endif /* TESSERA_RUNTIME_DEVICES_HOST_TILED_H */
