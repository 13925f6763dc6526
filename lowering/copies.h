/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Copies of strided memory as loops. Knows memref layouts. */
#ifndef TESSERA_LOWERING_COPIES_H
#define TESSERA_LOWERING_COPIES_H

#include "mlir-c/IR.h"

/* Upstream lowers a memref.copy of strided memory to a call of a C++ runtime function that programs
 * of ours do not have: such copies become linalg.generic. */
void ts_copies_lower(MlirOperation module);

#endif /* TESSERA_LOWERING_COPIES_H */
