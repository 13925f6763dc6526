/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a value is as a parameter of a kernel, for the launch and for the kernel. It knows types; it
 * must not know what kernels do. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_PARAMETERS_H
#define TESSERA_LOWERING_TARGETS_CUDA_PARAMETERS_H

#include "ir/build.h"

/* What a value is as a parameter of a kernel, and a value as that or back. */
MlirType ts_cuda_parameter_type(MlirType type);
MlirValue ts_cuda_converted(const ts_maker *build, MlirValue value, MlirType type);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_PARAMETERS_H */
