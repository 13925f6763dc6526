/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that upstream folds to a constant of a type that no constant has. It knows single ops of
 * arith. */
#ifndef TESSERA_PLUGIN_WORKAROUNDS_CONSTANT_FOLDS_H
#define TESSERA_PLUGIN_WORKAROUNDS_CONSTANT_FOLDS_H

#include "mlir-c/IR.h"

/* Exclusive ors, and comparisons, of integer tensors of run-time shape as loops over their
 * elements. Before any pass that folds. */
void ts_folds_to_loops(MlirOperation module);

#endif /* TESSERA_PLUGIN_WORKAROUNDS_CONSTANT_FOLDS_H */
