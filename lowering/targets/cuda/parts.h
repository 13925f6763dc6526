/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions to few elements in parts, so that they are enough work for a whole GPU. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_PARTS_H
#define TESSERA_LOWERING_TARGETS_CUDA_PARTS_H

#include "mlir-c/IR.h"

/* On tensors: a large reduction to few elements, of static shape, whose order may change becomes
 * one to a tensor of parts, and a reduction of that; always the same parts in the same order. */
void ts_cuda_reduce_in_parts(MlirOperation module);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_PARTS_H */
