/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Numbers that the indices of a structured op's loops decide alone, whatever is computed of them,
 * in tensors on the way too: where an image is read that is resized. It must not know what they are
 * for. */
#ifndef TESSERA_PLUGIN_IR_COMPUTED_INDEX_H
#define TESSERA_PLUGIN_IR_COMPUTED_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"

/* What `value`, an integer or index that the body of the linalg.generic `op` computes or sees, is
 * where loop `loop` has index `index`. False if data or other loops decide, if it takes more steps
 * than are worth it, or if code is on the way of which that is not known. */
bool ts_computed_index(MlirOperation op, MlirValue value, intptr_t loop, int64_t index,
                       int64_t *result);

#endif /* TESSERA_PLUGIN_IR_COMPUTED_INDEX_H */
