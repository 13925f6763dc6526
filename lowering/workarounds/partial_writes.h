/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Destinations that are written in part: upstream takes those that a body does not read for bare
 * memory, although what is not written has to stay. It knows bodies of linalg.generic. */
#ifndef TESSERA_LOWERING_WORKAROUNDS_PARTIAL_WRITES_H
#define TESSERA_LOWERING_WORKAROUNDS_PARTIAL_WRITES_H

#include "mlir-c/IR.h"

/* Lets bodies read such destinations, by ops that stand for the value yielded. */
void ts_partial_writes_mark(MlirOperation module);
/* On memory: takes these ops away again. */
void ts_partial_writes_unmark(MlirOperation module);

#endif /* TESSERA_LOWERING_WORKAROUNDS_PARTIAL_WRITES_H */
