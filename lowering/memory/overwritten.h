/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Initial values of loops that nobody reads. It knows scf.for and insertions; it must not know
 * buffers. */
#ifndef TESSERA_LOWERING_MEMORY_OVERWRITTEN_H
#define TESSERA_LOWERING_MEMORY_OVERWRITTEN_H

#include "mlir-c/IR.h"

/* Fills that an scf.for starts from and writes over as a whole, one row in each step, become
 * memory without contents: what scans collect their results in. */
void ts_memory_skip_overwritten(MlirOperation module);

#endif /* TESSERA_LOWERING_MEMORY_OVERWRITTEN_H */
