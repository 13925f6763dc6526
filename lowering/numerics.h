/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What compiled arithmetic may do for speed, and must not for safety. Knows bodies of linalg ops. */
#ifndef TESSERA_LOWERING_NUMERICS_H
#define TESSERA_LOWERING_NUMERICS_H

#include "mlir-c/IR.h"

/* Lets the float sums of linalg reductions be added in any order, without which they do not
 * vectorize. Nothing else about them is relaxed: NaN, infinities and signed zeros stay. */
void ts_numerics_reassociate(MlirOperation module);

/* Spells scalar arith.maxnumf and arith.minnumf out as comparisons: LLVM 22 vectorizes loops of the
 * intrinsics wrongly where a loop carries several of them. */
void ts_numerics_spell_maxnum(MlirOperation module);

#endif /* TESSERA_LOWERING_NUMERICS_H */
