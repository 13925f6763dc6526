/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Having halo sizes and shard offsets computed before they are needed. Knows scalar code and where
 * it stands, not what the numbers are for. */
#ifndef TESSERA_PLUGIN_PARTITION_NUMBERS_H
#define TESSERA_PLUGIN_PARTITION_NUMBERS_H

#include "partition/pieces.h"

/* Whether the numbers that tell the extent of dimension `d` from a piece under `layout` are known
 * before the current op. Scalar code that computes them behind it is moved in front of it. */
bool ts_bring_numbers(ts_partitioner *p, const ts_sharding *layout, int d);

#endif /* TESSERA_PLUGIN_PARTITION_NUMBERS_H */
