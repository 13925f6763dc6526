/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What compiled arithmetic may do for speed, and must not for safety. Knows bodies of linalg ops.
 */
#ifndef TESSERA_LOWERING_NUMERICS_H
#define TESSERA_LOWERING_NUMERICS_H

#include <stdbool.h>

#include "wrappers.h"

/* Lets the float sums of linalg reductions be added in any order, without which they do not
 * vectorize. Nothing else about them is relaxed: NaN, infinities and signed zeros stay. */
void ts_numerics_reassociate(MlirOperation module);

/* Spells scalar arith.maxnumf and arith.minnumf out as comparisons: LLVM 22 vectorizes loops of the
 * intrinsics wrongly where a loop carries several of them. And arith.maximumf and arith.minimumf of
 * more than 64 bits, of which it makes no code. */
void ts_numerics_spell_maxima(MlirOperation module);

/* Scalar f32 functions become polynomials, where these are within 8 units in the last place for
 * every argument; subnormal numbers count as 0. False if upstream's rewriting does not end. */
bool ts_numerics_approximate(MlirOperation module);

/* Scalar math.expm1 becomes a call of libm: upstream spells it exp(x) - 1, which has no digit right
 * near 0. After bufferization. */
void ts_numerics_call_expm1(MlirOperation module, ts_wrappers *wrappers);

#endif /* TESSERA_LOWERING_NUMERICS_H */
