/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The stages of the target `cuda`: which arithmetic a GPU has, kernels as launches, and what memory
 * they need. It knows order; it must not know how any works. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_STAGES_H
#define TESSERA_LOWERING_TARGETS_CUDA_STAGES_H

#include "lowering/stages.h"

enum {
  TS_CUDA_NUM_ON_TENSORS = 5,
  TS_CUDA_NUM_ON_MEMORY = 2,
  TS_CUDA_NUM_ON_KERNELS = 5,
  TS_CUDA_NUM_ON_PROGRAM = 1,
  TS_CUDA_NUM_TO_LLVM = 1
};

extern const ts_stage ts_cuda_on_tensors[TS_CUDA_NUM_ON_TENSORS];
extern const ts_stage ts_cuda_on_memory[TS_CUDA_NUM_ON_MEMORY];
extern const ts_stage ts_cuda_on_kernels[TS_CUDA_NUM_ON_KERNELS];
extern const ts_stage ts_cuda_on_program[TS_CUDA_NUM_ON_PROGRAM];
extern const ts_stage ts_cuda_to_llvm[TS_CUDA_NUM_TO_LLVM];

#endif /* TESSERA_LOWERING_TARGETS_CUDA_STAGES_H */
