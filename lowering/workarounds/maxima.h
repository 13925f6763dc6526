/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around LLVM 22: maxima and minima of floats, spelled out as comparisons. It knows single
 * ops of arith; it must not know the loops around. */
#ifndef TESSERA_LOWERING_WORKAROUNDS_MAXIMA_H
#define TESSERA_LOWERING_WORKAROUNDS_MAXIMA_H

#include "mlir-c/IR.h"

/* Spells scalar arith.maxnumf and arith.minnumf out, and arith.maximumf and arith.minimumf of more
 * than 64 bits. */
void ts_maxima_spell(MlirOperation module);

#endif /* TESSERA_LOWERING_WORKAROUNDS_MAXIMA_H */
