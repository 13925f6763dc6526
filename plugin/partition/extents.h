/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Global extents that only the launch knows, as index values in the program of one device, once
 * their sources are read (extent_sources.h). It must not know who asks. */
#ifndef TESSERA_PLUGIN_PARTITION_EXTENTS_H
#define TESSERA_PLUGIN_PARTITION_EXTENTS_H

#include "partition/partitioner.h"

/* The global extent of dimension `d` of `value`, a tensor of the source: wherever `value` has a
 * piece, this is defined. Built when it is first asked for. Null after a located error. */
MlirValue ts_extent(ts_partitioner *p, MlirValue value, int d);

/* Whether some dynamic extent of `value` can only be built where the current op is, because the
 * pieces that tell it are not known before. */
bool ts_extents_are_late(ts_partitioner *p, MlirValue value);

/* The extents of an op's loops, by number: for use while `op` is partitioned. */
typedef struct ts_loop_asker {
  ts_partitioner *p;
  const ts_op *op;
} ts_loop_asker;
ts_extents ts_loop_extents(ts_loop_asker *asker);

/* The extents of a tensor of which only this piece is at hand. */
typedef struct ts_piece_asker {
  ts_emit *emit;
  MlirValue local;
  const ts_sharding *layout;
} ts_piece_asker;
ts_extents ts_piece_extents(ts_piece_asker *asker);

#endif /* TESSERA_PLUGIN_PARTITION_EXTENTS_H */
