/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* PTX of a module's kernels, through LLVM's NVPTX target. It knows LLVM; it must not know what
 * kernels do. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_PTX_H
#define TESSERA_LOWERING_TARGETS_CUDA_PTX_H

#include <llvm-c/Types.h>

#include "lowering/targets/target.h"

#define TS_CUDA_CHIP "sm_90" /* where nobody chooses */

/* The gpu.module of `module`, in the LLVM dialect by then; null if it has no kernels. */
MlirOperation ts_cuda_device_module(MlirOperation module);

/* Translates it. The text is the caller's to dispose of; NULL after diagnostics, or with `error`
 * set. The gpu.module stays as it is. */
LLVMMemoryBufferRef ts_cuda_ptx(MlirOperation device, const ts_code_options *options,
                                ts_code_error *error);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_PTX_H */
