/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Launches apart from their code: a gpu.module of functions for the device, and calls of the
 * runtime with a record for each place where a kernel is launched. It knows functions and
 * symbols; it must not know what kernels do. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_OUTLINE_H
#define TESSERA_LOWERING_TARGETS_CUDA_OUTLINE_H

#include "lowering/state.h"

#define TS_CUDA_MODULE "tessera_kernels"  /* the gpu.module */
#define TS_CUDA_KERNELS "tessera.kernels" /* the table of records */

/* The code of each gpu.launch in a kernel's function becomes a function of the gpu.module, and the
 * gpu.launch a call of tessera_rt_launch. What it needs of the module around comes along. */
void ts_cuda_outline(ts_lowering *lowering);

/* How many rows the table of kernels has. */
int32_t ts_cuda_num_kernels(MlirOperation module);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_OUTLINE_H */
