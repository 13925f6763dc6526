/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The function of a kernel, which equal kernels share, and the call of it. It knows functions; it
 * must not know what a target does with nests. */
#ifndef TESSERA_LOWERING_KERNELS_FUNCTION_H
#define TESSERA_LOWERING_KERNELS_FUNCTION_H

#include "lowering/kernels/kernel.h"

/* The functions that a module has, by their texts. */
typedef struct ts_kernel_functions {
  ts_arena *arena;
  MlirContext context;
  MlirOperation module;
  const ts_kernel_target *target;
  struct ts_known_kernel *known;
  int num_known, max_known;
} ts_kernel_functions;

/* The name of a function for the kernel, which it makes if there is no equal one. Finds what the
 * kernel is given. NULL if that is more than a function takes. */
const char *ts_kernel_function(ts_kernel_functions *functions, ts_kernel *kernel);

void ts_kernel_call(const ts_maker *build, const ts_kernel *kernel, const char *function);

#endif /* TESSERA_LOWERING_KERNELS_FUNCTION_H */
