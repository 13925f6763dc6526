/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where a function's buffers lie: those that are not in use at the same time share memory. It knows
 * lives and bytes; it must not know what is computed. */
#ifndef TESSERA_LOWERING_MEMORY_OFFSETS_H
#define TESSERA_LOWERING_MEMORY_OFFSETS_H

#include "mlir-c/IR.h"

/* In every function of `module`, puts the buffers of known sizes that are freed where they are
 * allocated into one block of memory, in which those that are never in use together may overlap;
 * frees the others as soon as nothing looks at them. Says in remarks what functions need. */
void ts_memory_plan(MlirOperation module);

#endif /* TESSERA_LOWERING_MEMORY_OFFSETS_H */
