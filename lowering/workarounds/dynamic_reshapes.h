/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reshapes of memrefs whose extents are known at run time only. */
#ifndef TESSERA_LOWERING_WORKAROUNDS_DYNAMIC_RESHAPES_H
#define TESSERA_LOWERING_WORKAROUNDS_DYNAMIC_RESHAPES_H

#include "mlir-c/IR.h"

/* Rewrites memref.collapse_shape and memref.expand_shape of contiguous memory with dynamic extents
 * as memref.reinterpret_cast: upstream's expand-strided-metadata takes no group of several dynamic
 * extents. */
void ts_reshapes_lower(MlirOperation module);

#endif /* TESSERA_LOWERING_WORKAROUNDS_DYNAMIC_RESHAPES_H */
