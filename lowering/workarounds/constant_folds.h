/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that upstream folds to a constant of a type that no constant has. It knows single ops of
 * arith. */
#ifndef TESSERA_LOWERING_WORKAROUNDS_CONSTANT_FOLDS_H
#define TESSERA_LOWERING_WORKAROUNDS_CONSTANT_FOLDS_H

#include "mlir-c/IR.h"

/* x ^ x, and comparisons of x with itself, as splats with the sizes of x where these are dynamic.
 * Before any pass that folds. */
void ts_folds_to_splats(MlirOperation module);

#endif /* TESSERA_LOWERING_WORKAROUNDS_CONSTANT_FOLDS_H */
