/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Many quotients with one divisor: its reciprocal once, and a few products for each, where a
 * division takes several times as long. It knows arith's ops; it must not know kernels. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_QUOTIENTS_H
#define TESSERA_LOWERING_TARGETS_CUDA_QUOTIENTS_H

#include "ir/build.h"

/* What stands for a divisor = mantissa * 2^-shift, 2^shift = before * after: quotients are
 * x * before / mantissa * after. Zeros, infinities and NaN are mantissas as they are. */
typedef struct ts_quotients {
  MlirValue divisor;             /* f32 */
  MlirValue negated, reciprocal; /* of the mantissa: -m and 1 / m */
  MlirValue before, after;
} ts_quotients;

/* What `ts_quotients_replace` needs of the f32 `divisor`, built where that is known. */
ts_quotients ts_quotients_prepare(const ts_maker *build, MlirValue divisor);

/* Divisions by the divisor behind what was prepared become products: within one unit
 * in the last place, nearly always the nearest number; infinities, NaN and signs of zeros are those
 * of a division. */
void ts_quotients_replace(const ts_quotients *quotients);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_QUOTIENTS_H */
