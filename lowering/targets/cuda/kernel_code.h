/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What the threads of a grid do of a kernel. It knows grids and pointers; it must not know how a
 * kernel is launched. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_KERNEL_CODE_H
#define TESSERA_LOWERING_TARGETS_CUDA_KERNEL_CODE_H

#include "lowering/targets/body.h"
#include "lowering/targets/cuda/grid.h"

/* A kernel while the code of its threads is written. */
typedef struct ts_cuda_code {
  ts_emitter e;
  ts_launch_grid grid;
  MlirValue block, thread; /* index values */
  MlirBlock launched;      /* whose further arguments are memory of the block */
  MlirValue *pointers;     /* by pointer, !llvm.ptr; null for memory of its own */
} ts_cuda_code;

/* Each thread does steps by itself. */
void ts_cuda_emit_threads(ts_cuda_code *code, const ts_maker *build);
/* Teams of threads do steps together. */
void ts_cuda_emit_teams(ts_cuda_code *code, const ts_maker *build);
/* The same, and what a thread has of a row stays in registers. */
void ts_cuda_emit_rows(ts_cuda_code *code, const ts_maker *build);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_KERNEL_CODE_H */
