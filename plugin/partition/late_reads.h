/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What pieces of an op read of its operands where only the launch knows it: fetched by offsets that
 * are computed there. It knows windows and layouts; it must not know ops. */
#ifndef TESSERA_PLUGIN_PARTITION_LATE_READS_H
#define TESSERA_PLUGIN_PARTITION_LATE_READS_H

#include "partition/partitioner.h"
#include "rules/rules.h"

/* The piece of operand `i` that `ask` says, of just what this device reads of it along dimensions
 * that are read late: `ranges`, one for each dimension of the operand, says which those are and
 * what is read. Built before the op. Null after a located error. */
MlirValue ts_fetch_late(ts_partitioner *p, const ts_op *op, int i, ts_ask ask,
                        ts_local_range *ranges);

#endif /* TESSERA_PLUGIN_PARTITION_LATE_READS_H */
