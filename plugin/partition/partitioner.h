/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What is known while a function is partitioned. It must not know how any of it is found. */
#ifndef TESSERA_PLUGIN_PARTITION_PARTITIONER_H
#define TESSERA_PLUGIN_PARTITION_PARTITIONER_H

#include "emit/emit.h"
#include "model/model.h"

typedef struct ts_partitioner {
  ts_model *model;
  ts_emit emit;
  MlirOperation current;   /* the op of the source that is being partitioned */
  const ts_op *current_op; /* the same in the model, or the op around it that runs whole */
  ts_map pieces;           /* ts_value -> what this device holds of it (known_pieces.c) */
  ts_map first_ops;        /* MlirBlock -> its first op in the source */
  ts_map late;             /* MlirValue of a piece -> what was brought of it late (late_reads.c) */
  ts_map extents;  /* MlirValue in the source -> where its extents come from (extent_sources.c) */
  ts_map sizes_of; /* op or block that makes a piece -> the last op behind it for its extents */
  MlirOperation *dead; /* ops to erase, in program order */
  int num_dead, max_dead;
  /* Sets the piece under `layout` of the result of a view's op, made under `loops`. */
  bool (*build_view)(struct ts_partitioner *p, const ts_op *op, const ts_loop_sharding *loops,
                     const ts_sharding *layout);
} ts_partitioner;

/* Erases `op` when the function is done; its results must then have no uses but by such ops. */
void ts_erase_later(ts_partitioner *p, MlirOperation op);
void ts_erase_now(ts_partitioner *p);

#endif /* TESSERA_PLUGIN_PARTITION_PARTITIONER_H */
