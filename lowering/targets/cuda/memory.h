/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Memory of the device in the host's code: calls that allocate, free and copy it, and constants.
 * It knows ops on memory and calls; it must not know how memory was placed. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_MEMORY_H
#define TESSERA_LOWERING_TARGETS_CUDA_MEMORY_H

#include "lowering/state.h"

/* Tables of the program's modules for the device and of its constants. They are only named:
 * TS_CUDA_CONSTANTS lists in attributes the symbols of the constants' memory
 * ("tessera.symbols") and their bytes ("tessera.bytes"). */
#define TS_CUDA_MODULES "tessera.modules"
#define TS_CUDA_CONSTANTS "tessera.constants"

/* No op of the host reads or writes the device's memory after that; what it did is copied, with a
 * remark. Makes the record. False after diagnostics. */
bool ts_cuda_call_memory(ts_lowering *lowering);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_MEMORY_H */
