/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Code for a GPU and the host beside it. It knows what goes where; it must not know LLVM's
 * passes. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_CODE_H
#define TESSERA_LOWERING_TARGETS_CUDA_CODE_H

#include "lowering/targets/target.h"

/* ts_target's functions. Texts are of the host's code; write_kernels is PTX. */
bool ts_cuda_write_text(MlirOperation module, const ts_code_options *options,
                        const ts_code_sink *sink, ts_code_error *error);
bool ts_cuda_write_object(MlirOperation module, const ts_code_options *options,
                          const ts_code_sink *sink, ts_code_error *error);
bool ts_cuda_write_kernels(MlirOperation module, const ts_code_options *options,
                           const ts_code_sink *sink, ts_code_error *error);
void ts_cuda_write_machine(const ts_code_options *options, const ts_code_sink *sink);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_CODE_H */
