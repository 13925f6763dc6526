/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What upstream's code for the `shard` ops takes for granted and does not verify. It knows what the
 * ops' attributes must have in common with the ops; it must not know what the ops do. */
#ifndef TESSERA_PLUGIN_SHARDING_UNVERIFIED_H
#define TESSERA_PLUGIN_SHARDING_UNVERIFIED_H

#include <stdbool.h>

#include "mlir-c/IR.h"

#include "support/arena.h"

/* What makes `op` one that must not be verified, printed or lowered, or NULL: a dimension that the
 * operand does not have, operands that are not those that its lists leave open. NULL for ops of
 * other dialects, and where what is missing is upstream's to say. `op` need not be verified. */
const char *ts_shard_op_mistake(ts_arena *arena, MlirOperation op);

/* Checks every op of a module that need not be verified: the above, and what takes a grid: extents
 * that upstream divides by, axes that it looks up. False after located errors. */
bool ts_shard_ops_check(MlirOperation module);

#endif /* TESSERA_PLUGIN_SHARDING_UNVERIFIED_H */
