/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Neighbouring elements that are loaded and stored at once. It knows accesses; it must not know who
 * shares what. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_WIDE_H
#define TESSERA_LOWERING_TARGETS_CUDA_WIDE_H

#include "lowering/targets/cuda/kernel_code.h"
#include "lowering/targets/cuda/thread.h"

/* What `width` neighbouring steps, of which the first is at `index`, find at `access`, in `values`.
 * ts_grid_is_wide allows it. */
void ts_wide_load(ts_cuda_code *code, const ts_maker *build, const ts_thread *t, int access,
                  MlirValue index, int64_t width, MlirValue *values);
void ts_wide_store(ts_cuda_code *code, const ts_maker *build, const ts_thread *t, int access,
                   MlirValue index, int64_t width, const MlirValue *values);

/* i1: all memory that nests access wide along their loops `inner`, -1 for none, begins at a
 * multiple of 16 bytes. */
MlirValue ts_wide_is_aligned(ts_cuda_code *code, const ts_maker *build, const int *inner,
                             int64_t width);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_WIDE_H */
