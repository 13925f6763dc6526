/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Maxima and minima of several floats at once. It knows bodies; it must not know loops. */
#ifndef TESSERA_LOWERING_TARGETS_CPU_TAP_MAXIMA_H
#define TESSERA_LOWERING_TARGETS_CPU_TAP_MAXIMA_H

#include "ir/build.h"
#include "lowering/kernels/nest.h"

/* The input of which the body keeps arith.maximumf, or arith.minimumf, in its one output: of f32 or
 * f64, and as it is. -1 if the body is another. */
int ts_tap_maxima_input(const ts_nest *nest);

/* For such a body: the maximum, or minimum, of `num` values, one at least. */
MlirValue ts_tap_maxima_of(const ts_maker *build, const ts_nest *nest, int num,
                           const MlirValue *values);

#endif /* TESSERA_LOWERING_TARGETS_CPU_TAP_MAXIMA_H */
