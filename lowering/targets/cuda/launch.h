/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Kernels as launches over a grid: the code of the target for ts_kernels_form. It knows
 * gpu.launch; it must not know what a thread does. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_LAUNCH_H
#define TESSERA_LOWERING_TARGETS_CUDA_LAUNCH_H

#include "lowering/kernels/kernel.h"

/* Fills in a gpu.launch. Kernels whose bodies call functions of the program are loops of the host.
 */
extern const ts_kernel_target ts_cuda_kernels;

#endif /* TESSERA_LOWERING_TARGETS_CUDA_LAUNCH_H */
