/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Values that upstream's canonicalization makes constants of. It knows ops of arith; it must not
 * know layouts. */
#ifndef TESSERA_PLUGIN_PROPAGATE_FOLDABLE_H
#define TESSERA_PLUGIN_PROPAGATE_FOLDABLE_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* Whether `value` is a constant once equal values are one: x - x and x ^ x of integers, x = x, what
 * is computed of such and of constants alone, and what one of them decides (x & 0). */
bool ts_folds_to_constant(MlirValue value);

#endif /* TESSERA_PLUGIN_PROPAGATE_FOLDABLE_H */
