/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Globals of constants in an order of their own. It knows memref.global; it must not know the
 * constants. */
#ifndef TESSERA_LOWERING_WORKAROUNDS_CONSTANTS_H
#define TESSERA_LOWERING_WORKAROUNDS_CONSTANTS_H

#include "mlir-c/IR.h"

/* Right after bufferization: the globals that it made for constants are at the start of the module,
 * in the order of their first uses, and are numbered in that order. */
void ts_constants_order(MlirOperation module);

#endif /* TESSERA_LOWERING_WORKAROUNDS_CONSTANTS_H */
