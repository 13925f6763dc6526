/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Copies of strided memory: where they are needed, and as loops. Knows memref layouts. */
#ifndef TESSERA_LOWERING_WORKAROUNDS_STRIDED_COPIES_H
#define TESSERA_LOWERING_WORKAROUNDS_STRIDED_COPIES_H

#include "ir/build.h"

/* New memory of `type`, which has the shape of `memref`, and its elements. */
MlirValue ts_make_copy(const ts_maker *build, MlirValue memref, MlirType type);

/* Right before bufferization: tells the casts that are there from those that it makes. */
void ts_copies_mark_views(MlirOperation module);

/* Right after bufferization: upstream gives strided memory as contiguous memory of run-time sizes
 * by a cast, because both types have strides that are not known; those casts become copies. */
void ts_copies_for_casts(MlirOperation module);

/* Upstream lowers a memref.copy of strided memory to a call of a C++ runtime function that programs
 * of ours do not have: such copies become linalg.generic. */
void ts_copies_lower(MlirOperation module);

#endif /* TESSERA_LOWERING_WORKAROUNDS_STRIDED_COPIES_H */
