/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Why this function moves data: the note that its collectives carry. It knows producers,
 * consumers and layouts; it must not know which collectives there will be. */
#ifndef TESSERA_PLUGIN_PARTITION_REASONS_H
#define TESSERA_PLUGIN_PARTITION_REASONS_H

#include "partition/partitioner.h"

/* Builds with a location from now on that says: `value`, which `info` stands for, is moved from one
 * layout to another because of its producer's layout and for the current op. */
void ts_say_why_moved(ts_partitioner *p, const ts_value *info, MlirValue value,
                      const ts_sharding *from, const ts_sharding *to);
/* The same of what the current op gathers by itself, where a loop of it is split that all devices
 * have to hear of: candidates, sums of the pieces before. */
void ts_say_why_told(ts_partitioner *p, const ts_op *op);
/* The same of the sum that tells the extent of dimension `d` of `value`. */
void ts_say_why_summed(ts_partitioner *p, MlirValue value, int d);

#endif /* TESSERA_PLUGIN_PARTITION_REASONS_H */
