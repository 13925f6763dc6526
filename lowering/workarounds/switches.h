/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Switches that give tensors. It knows scf.index_switch and scf.if. */
#ifndef TESSERA_LOWERING_WORKAROUNDS_SWITCHES_H
#define TESSERA_LOWERING_WORKAROUNDS_SWITCHES_H

#include "mlir-c/IR.h"

/* Makes branches, one in the other, of every scf.index_switch of `module` that has a tensor among
 * its results, before bufferization. */
void ts_switches_branch(MlirOperation module);

#endif /* TESSERA_LOWERING_WORKAROUNDS_SWITCHES_H */
