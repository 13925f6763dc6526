/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Having halo sizes and shard offsets computed before they are needed. It knows scalar code and
 * where it stands; it must not know what the numbers are for. */
#ifndef TESSERA_PLUGIN_PARTITION_BRING_H
#define TESSERA_PLUGIN_PARTITION_BRING_H

#include "sharding/sharding.h"

#include "mlir-c/IR.h"

/* Whether the numbers that tell the extent of dimension `d` from a piece under `layout` are known
 * before `op`, in the function whose first block is `entry`. Scalar code that computes them behind
 * it is moved in front of it. */
bool ts_bring_numbers(MlirBlock entry, MlirOperation op, const ts_sharding *layout, int d);

#endif /* TESSERA_PLUGIN_PARTITION_BRING_H */
