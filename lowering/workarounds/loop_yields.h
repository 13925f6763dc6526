/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What loops hand to their next trip, and functions to who calls them. It knows scf.for, scf.while
 * and func.return. */
#ifndef TESSERA_LOWERING_WORKAROUNDS_LOOP_YIELDS_H
#define TESSERA_LOWERING_WORKAROUNDS_LOOP_YIELDS_H

#include "mlir-c/IR.h"

/* Right before bufferization: tensors that a loop yields, or a function that is called returns, are
 * copied where they may lie in the
 * memory of another one, and where the second region of an scf.while yields what may
 * be one of outside, for the first region may write what it is given. */
void ts_loop_yields_copy(MlirOperation module);

#endif /* TESSERA_LOWERING_WORKAROUNDS_LOOP_YIELDS_H */
