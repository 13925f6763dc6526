/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What bufferization would stumble over: annotations that nobody partitioned, and writes to
 * arguments that callers keep. Knows single ops. */
#ifndef TESSERA_LOWERING_LEFTOVERS_H
#define TESSERA_LOWERING_LEFTOVERS_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* False after an error at each annotation that is still there. */
bool ts_leftovers_check(MlirOperation module);

#endif /* TESSERA_LOWERING_LEFTOVERS_H */
