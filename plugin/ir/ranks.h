/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How many dimensions tensors may have. It must not know what is done with them. */
#ifndef TESSERA_PLUGIN_IR_RANKS_H
#define TESSERA_PLUGIN_IR_RANKS_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* False after an error at each op on a tensor or memref of more than TS_MAX_RANK dimensions: every
 * pass asks first, and counts on it from then on. */
bool ts_check_ranks(MlirOperation module);

#endif /* TESSERA_PLUGIN_IR_RANKS_H */
