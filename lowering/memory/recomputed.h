/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Values that cost less to compute again than to keep. It knows structured ops on tensors; it must
 * not know kernels. */
#ifndef TESSERA_LOWERING_MEMORY_RECOMPUTED_H
#define TESSERA_LOWERING_MEMORY_RECOMPUTED_H

#include "mlir-c/IR.h"

/* What is elementwise, cheap, and read on both sides of a product, a loop or a collective, is
 * computed on each side where that takes fewer bytes through memory: between ops that go through
 * the same elements together, a value needs no memory. Gradients are full of it. */
void ts_memory_recompute(MlirOperation module);

#endif /* TESSERA_LOWERING_MEMORY_RECOMPUTED_H */
