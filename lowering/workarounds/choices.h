/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Choices between tensors that may differ in shape. It knows arith.select and scf.if. */
#ifndef TESSERA_LOWERING_WORKAROUNDS_CHOICES_H
#define TESSERA_LOWERING_WORKAROUNDS_CHOICES_H

#include "mlir-c/IR.h"

/* Makes branches of the selects of `module` that choose between whole tensors of shapes known at
 * run time: as an elementwise op, which upstream takes them for, all operands have one shape. */
void ts_choices_branch(MlirOperation module);

#endif /* TESSERA_LOWERING_WORKAROUNDS_CHOICES_H */
