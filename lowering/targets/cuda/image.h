/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The image of a program's kernels, and the tables that name it and the program's constants. It
 * knows records; it must not know how code is made. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_IMAGE_H
#define TESSERA_LOWERING_TARGETS_CUDA_IMAGE_H

#include "lowering/targets/target.h"

/* Compiles the gpu.module of a module in the LLVM dialect, and puts the image and the tables in its
 * place. False after diagnostics, or with `error` set. */
bool ts_cuda_embed(MlirOperation module, const ts_code_options *options, ts_code_error *error);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_IMAGE_H */
