/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Large kernels go over the cores of a rank. It knows functions and calls; it must not know what a
 * kernel computes. */
#ifndef TESSERA_LOWERING_TARGETS_CPU_THREADS_H
#define TESSERA_LOWERING_TARGETS_CPU_THREADS_H

#include "lowering/state.h"

/* A kernel with a loop that is marked (split.h) becomes a call of tessera_rt_parallel with a
 * function that does some of the loop's steps. */
void ts_threads_call(MlirOperation module, ts_wrappers *wrappers);

#endif /* TESSERA_LOWERING_TARGETS_CPU_THREADS_H */
