/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Casts of strided memory to contiguous memory as copies. It knows memref layouts; it must not
 * know where the memory comes from. */
#ifndef TESSERA_LOWERING_WORKAROUNDS_CAST_COPIES_H
#define TESSERA_LOWERING_WORKAROUNDS_CAST_COPIES_H

#include "mlir-c/IR.h"

/* Right before bufferization: tells the casts that are there, which are views, from those that it
 * makes. */
void ts_casts_mark(MlirOperation module);

/* Right after bufferization: casts that it made of strided memory become copies. */
void ts_casts_copy(MlirOperation module);

#endif /* TESSERA_LOWERING_WORKAROUNDS_CAST_COPIES_H */
