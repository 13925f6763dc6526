/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Kernels for CPUs: scalar loops that LLVM vectorizes. It knows nests and scf; it must not know how
 * kernels were formed. */
#ifndef TESSERA_LOWERING_TARGETS_CPU_LOOPS_H
#define TESSERA_LOWERING_TARGETS_CPU_LOOPS_H

#include "lowering/kernels/kernel.h"

extern const ts_kernel_target ts_cpu_kernels;

#endif /* TESSERA_LOWERING_TARGETS_CPU_LOOPS_H */
