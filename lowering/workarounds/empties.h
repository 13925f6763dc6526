/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Tensors without elements, in forms that upstream bufferizes. It knows joins, pads and reshapes.
 */
#ifndef TESSERA_LOWERING_WORKAROUNDS_EMPTIES_H
#define TESSERA_LOWERING_WORKAROUNDS_EMPTIES_H

#include "ir/build.h"

/* Before bufferization, which makes views of joins, pads and reshapes: upstream's verifiers refuse
 * a view that starts where its memory ends, and dimensions of extent 0 merged with those of an
 * extent that is not known. */
void ts_empties_lower(MlirOperation module);

#endif /* TESSERA_LOWERING_WORKAROUNDS_EMPTIES_H */
