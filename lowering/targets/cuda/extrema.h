/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Maxima and minima of floats as the one instruction that a GPU has for each. It knows ops by name;
 * it must not know kernels. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_EXTREMA_H
#define TESSERA_LOWERING_TARGETS_CUDA_EXTREMA_H

#include "support/ir.h"

/* In all code of the device of `module`, of f32: upstream makes comparisons of them, for any chip.
 */
void ts_cuda_spell_extrema(MlirOperation module);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_EXTREMA_H */
