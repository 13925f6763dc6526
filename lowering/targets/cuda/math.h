/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Functions of numbers for device code: LLVM's own, or libclc's. It knows names; it must not
 * know kernels. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_MATH_H
#define TESSERA_LOWERING_TARGETS_CUDA_MATH_H

#include <llvm-c/Types.h>

#include "lowering/targets/target.h"

/* The file of libclc that there is; NULL: none. */
const char *ts_cuda_find_libclc(void);

/* Gives the functions that a translated module of kernels calls their code. False with `error` set
 * where there is none. */
bool ts_cuda_link_math(LLVMModuleRef module, ts_code_error *error);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_MATH_H */
