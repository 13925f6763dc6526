/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The stages of the target `cpu`: which arithmetic a CPU has, and its threads. It knows order; it
 * must not know how any works. */
#ifndef TESSERA_LOWERING_TARGETS_CPU_STAGES_H
#define TESSERA_LOWERING_TARGETS_CPU_STAGES_H

#include "lowering/stages.h"

enum { TS_CPU_NUM_ON_TENSORS = 7, TS_CPU_NUM_ON_MEMORY = 2, TS_CPU_NUM_ON_KERNELS = 1 };

extern const ts_stage ts_cpu_on_tensors[TS_CPU_NUM_ON_TENSORS];
extern const ts_stage ts_cpu_on_memory[TS_CPU_NUM_ON_MEMORY];
extern const ts_stage ts_cpu_on_kernels[TS_CPU_NUM_ON_KERNELS];

#endif /* TESSERA_LOWERING_TARGETS_CPU_STAGES_H */
