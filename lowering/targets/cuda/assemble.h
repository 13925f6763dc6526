/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Machine code of a chip from PTX, by CUDA's ptxas where it is installed. It knows a command
 * line; it must not know records. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_ASSEMBLE_H
#define TESSERA_LOWERING_TARGETS_CUDA_ASSEMBLE_H

#include <llvm-c/Types.h>

#include "lowering/targets/target.h"

/* Where ptxas is, in the PATH or where CUDA puts it; NULL: nowhere. The text is the caller's. */
char *ts_cuda_find_ptxas(void);

/* A cubin of PTX for `chip`: the caller's to dispose of; NULL with `error` set. */
LLVMMemoryBufferRef ts_cuda_assemble(const char *ptxas, LLVMMemoryBufferRef ptx, const char *chip,
                                     int opt_level, ts_code_error *error);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_ASSEMBLE_H */
