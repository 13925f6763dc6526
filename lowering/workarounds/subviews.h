/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Views of memory that lack sizes 1, in a form that upstream reads right. It knows views of memory.
 */
#ifndef TESSERA_LOWERING_WORKAROUNDS_SUBVIEWS_H
#define TESSERA_LOWERING_WORKAROUNDS_SUBVIEWS_H

#include "mlir-c/IR.h"

/* Before upstream's canonicalize, and before views become pointers: each memref.subview that
 * upstream may misread becomes a memref.reinterpret_cast. */
void ts_subviews_spell(MlirOperation module);

#endif /* TESSERA_LOWERING_WORKAROUNDS_SUBVIEWS_H */
