/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Values that upstream's canonicalization may make constants of. It knows ops of arith; it must not
 * know layouts. */
#ifndef TESSERA_PLUGIN_PROPAGATE_FOLDABLE_H
#define TESSERA_PLUGIN_PROPAGATE_FOLDABLE_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* Whether `value` is of integers and computed in a way that may turn out to be a constant once
 * equal values are one: x - x, x * 0 and what is computed of such. True says no more than that it
 * may. */
bool ts_may_fold_to_constant(MlirValue value);

#endif /* TESSERA_PLUGIN_PROPAGATE_FOLDABLE_H */
