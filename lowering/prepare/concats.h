/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Concatenations as insertions. It knows tensor.concat; it must not know who reads it. */
#ifndef TESSERA_LOWERING_PREPARE_CONCATS_H
#define TESSERA_LOWERING_PREPARE_CONCATS_H

#include "mlir-c/IR.h"

/* Concatenations of known sizes, or that a cast says to be of such, become insertions into a new
 * tensor: pieces may then be computed where they are put, or read where they lie. Those of many
 * pieces stay, and are copies: bufferization takes cubic time over the insertions. */
void ts_concats_to_insertions(MlirOperation module);

#endif /* TESSERA_LOWERING_PREPARE_CONCATS_H */
