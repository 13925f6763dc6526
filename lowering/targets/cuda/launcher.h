/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The host's half of a kernel: a function that launches it, and the records of its places. It
 * knows the runtime's launch; it must not know what kernels do. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_LAUNCHER_H
#define TESSERA_LOWERING_TARGETS_CUDA_LAUNCHER_H

#include "lowering/state.h"

enum { TS_CUDA_MOST_PARAMETERS = 256 };

typedef struct ts_cuda_launcher {
  MlirOperation function; /* with the launch, whose code is elsewhere by now */
  MlirOperation launch;
  const char *name; /* of the kernel */
  int32_t threads;  /* of a block */
  int32_t num_arguments;
} ts_cuda_launcher;

typedef struct ts_cuda_launchers {
  ts_lowering *lowering;
  ts_cuda_launcher *launchers;
  int num, max;
  ts_field *rows; /* of the table of kernels */
  int num_rows, max_rows;
} ts_cuda_launchers;

/* The launch becomes a call of the runtime; the function gets a pointer to a record before its
 * arguments. */
void ts_cuda_launcher_add(ts_cuda_launchers *launchers, const ts_cuda_launcher *launcher);
/* Calls of the functions that were added pass a record of their place. */
void ts_cuda_launchers_end(ts_cuda_launchers *launchers);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_LAUNCHER_H */
