/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Finds the zero that a sum starts from, where the runtime's call can start from it by itself. It
 * knows memory and its names; it must not know what is summed. */
#ifndef TESSERA_LOWERING_CALLS_ZERO_FILLS_H
#define TESSERA_LOWERING_CALLS_ZERO_FILLS_H

#include "mlir-c/IR.h"

/* The linalg.fill with zero whose value `op` alone would see in its destination, which is `operand`
 * of its operands; null if there is none. */
MlirOperation ts_zero_fill_of(MlirOperation op, intptr_t operand);

#endif /* TESSERA_LOWERING_CALLS_ZERO_FILLS_H */
