/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What compiled arithmetic may do for speed on a CPU, and must not for safety. */
#ifndef TESSERA_LOWERING_TARGETS_CPU_ARITHMETIC_H
#define TESSERA_LOWERING_TARGETS_CPU_ARITHMETIC_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* Lets the float sums of linalg reductions be added in any order, without which they do not
 * vectorize. Nothing else about them is relaxed: NaN, infinities and signed zeros stay. */
void ts_arithmetic_reassociate(MlirOperation module);

/* Scalar f32 functions become polynomials, where these are within 8 units in the last place for
 * every argument; subnormal numbers count as 0. False if upstream's rewriting does not end. */
bool ts_arithmetic_approximate(MlirOperation module);

#endif /* TESSERA_LOWERING_TARGETS_CPU_ARITHMETIC_H */
