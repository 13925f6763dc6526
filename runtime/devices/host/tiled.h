/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Matrix products in tiles, for element types that BLAS lacks and machines without one.
 * It must not know sites, contexts or BLAS. */
#ifndef TESSERA_RUNTIME_DEVICES_HOST_TILED_H
#define TESSERA_RUNTIME_DEVICES_HOST_TILED_H

#include "planes/device.h"

/* Bytes of memory that tr_tiled_some works in. */
size_t tr_tiled_memory(void);

/* Rows of the result that are computed at a time, and how many such parts it has, all matrices of
 * a batch together. */
typedef struct tr_tiles {
  int64_t rows, num;
} tr_tiles;

/* For as many threads: no fewer parts, if the result has enough rows. */
tr_tiles tr_tiled_share(const tr_product *product, int32_t threads);

/* Parts `from` to `to` (not included), which nobody else reads or writes. Views with any strides;
 * sums of products have a meaning for the types. Those of 16-bit floats are kept in f32 over the
 * whole of k. Threads with memory of their own may call at once. */
void tr_tiled_some(const tr_product *product, const tr_tiles *tiles, int64_t from, int64_t to,
                   void *memory);

#endif /* TESSERA_RUNTIME_DEVICES_HOST_TILED_H */
