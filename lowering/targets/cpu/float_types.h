/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which float types a CPU has code for. It knows single ops; it must not know loops. */
#ifndef TESSERA_LOWERING_TARGETS_CPU_FLOAT_TYPES_H
#define TESSERA_LOWERING_TARGETS_CPU_FLOAT_TYPES_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* False after an error at each op that computes in a float type for which there is no code. After
 * arithmetic on 8-bit floats has become arithmetic on f32. */
bool ts_float_types_check(MlirOperation module);

#endif /* TESSERA_LOWERING_TARGETS_CPU_FLOAT_TYPES_H */
