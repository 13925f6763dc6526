/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What compiled arithmetic may do for speed: the order of float sums. Knows bodies of linalg ops.
 */
#ifndef TESSERA_LOWERING_NUMERICS_H
#define TESSERA_LOWERING_NUMERICS_H

#include "mlir-c/IR.h"

/* Lets the float sums of linalg reductions be added in any order, without which they do not
 * vectorize. Nothing else about them is relaxed: NaN, infinities and signed zeros stay. */
void ts_numerics_reassociate(MlirOperation module);

#endif /* TESSERA_LOWERING_NUMERICS_H */
