/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What loops with a condition hand to their next trip. It knows scf.while. */
#ifndef TESSERA_LOWERING_WORKAROUNDS_WHILE_YIELDS_H
#define TESSERA_LOWERING_WORKAROUNDS_WHILE_YIELDS_H

#include "mlir-c/IR.h"

/* Right before bufferization: tensors that the second region of an scf.while yields and that may be
 * those of outside are copied, for the first region may write what it is given. */
void ts_while_yields_copy(MlirOperation module);

#endif /* TESSERA_LOWERING_WORKAROUNDS_WHILE_YIELDS_H */
