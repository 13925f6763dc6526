/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reshapes of memrefs whose extents are known at run time only. It knows how a reshape lays out
 * memory; it must not know what is in it. */
#ifndef TESSERA_LOWERING_WORKAROUNDS_DYNAMIC_RESHAPES_H
#define TESSERA_LOWERING_WORKAROUNDS_DYNAMIC_RESHAPES_H

#include "mlir-c/IR.h"

/* Rewrites memref.collapse_shape and memref.expand_shape of contiguous memory with dynamic extents,
 * memref.expand_shape of any memory with a group of several, and memref.reshape to extents that are
 * other integers than indices, as memref.reinterpret_cast. */
void ts_reshapes_lower(MlirOperation module);

#endif /* TESSERA_LOWERING_WORKAROUNDS_DYNAMIC_RESHAPES_H */
