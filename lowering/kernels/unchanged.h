/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Whether a body leaves its outputs as they are. It knows scalar code; it must not know loops. */
#ifndef TESSERA_LOWERING_KERNELS_UNCHANGED_H
#define TESSERA_LOWERING_KERNELS_UNCHANGED_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* Every value that `body` yields is the output's that it is given, if `compare`, an arith.cmpi for
 * equality or difference, finds its operands different. The outputs are the arguments of `body`
 * from `first` on. That +0.0 is added counts as nothing, though it makes +0.0 of -0.0. */
bool ts_unchanged_unless_equal(MlirBlock body, int first, MlirOperation compare);

#endif /* TESSERA_LOWERING_KERNELS_UNCHANGED_H */
