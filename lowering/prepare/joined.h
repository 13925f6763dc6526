/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Elementwise ops on what was put together from pieces (concatenated, rolled, padded). It knows
 * structured ops, slices and insertions on tensors; it must not know memory. */
#ifndef TESSERA_LOWERING_PREPARE_JOINED_H
#define TESSERA_LOWERING_PREPARE_JOINED_H

#include "mlir-c/IR.h"

/* Large elementwise ops whose operands are put together from pieces at known places become one op
 * for each part that lies in one piece of every operand, and read the pieces where they lie. What
 * nobody reads any more is removed. */
void ts_joined_split(MlirOperation module);

#endif /* TESSERA_LOWERING_PREPARE_JOINED_H */
