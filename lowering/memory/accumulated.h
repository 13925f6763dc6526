/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Products that are added to a value whose last use that is. It knows linalg.contract and sums; it
 * must not know buffers, nor how a product is computed. */
#ifndef TESSERA_LOWERING_MEMORY_ACCUMULATED_H
#define TESSERA_LOWERING_MEMORY_ACCUMULATED_H

#include "mlir-c/IR.h"

/* The sum of a product that nobody else reads and of a value whose memory may be written, another
 * product's result for one, becomes a product that starts from that value. Sums of floats are then
 * added in another order. */
void ts_products_accumulate(MlirOperation module);

#endif /* TESSERA_LOWERING_MEMORY_ACCUMULATED_H */
