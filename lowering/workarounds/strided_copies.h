/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Copies of strided memory as loops. It knows memref layouts; it must not know what is copied. */
#ifndef TESSERA_LOWERING_WORKAROUNDS_STRIDED_COPIES_H
#define TESSERA_LOWERING_WORKAROUNDS_STRIDED_COPIES_H

#include "mlir-c/IR.h"

/* Each memref.copy that is no memcpy becomes linalg.generic. */
void ts_copies_lower(MlirOperation module);
/* The same for all copies, for machines that copy best by kernels. */
void ts_copies_lower_all(MlirOperation module);

#endif /* TESSERA_LOWERING_WORKAROUNDS_STRIDED_COPIES_H */
