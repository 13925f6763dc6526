/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The pieces of each tensor that this device holds while a function is partitioned: one for each
 * layout that somebody asked for. It knows layouts and where to build; it must not know what ops
 * mean. */
#ifndef TESSERA_PLUGIN_PARTITION_PIECES_H
#define TESSERA_PLUGIN_PARTITION_PIECES_H

#include "emit/emit.h"
#include "model/model.h"

typedef struct ts_partitioner {
  ts_model *model;
  ts_emit emit;
  MlirOperation current;   /* the op of the source that is being partitioned */
  const ts_op *current_op; /* the same in the model, or the op around it that runs whole */
  ts_map pieces;           /* ts_value -> what this device holds of it (pieces.c) */
  ts_map first_ops;        /* MlirBlock -> its first op in the source */
  ts_map extents;          /* MlirValue in the source -> what its global extents are (extents.c) */
  ts_map sizes_of;     /* op or block that makes a piece -> the last op behind it for its extents */
  MlirOperation *dead; /* ops to erase, in program order */
  int num_dead, max_dead;
} ts_partitioner;

/* Notes the block's first op, before which pieces of its arguments are built. Call before anything
 * is built in the block. */
void ts_enter_block(ts_partitioner *p, MlirBlock block);

/* `local` is this device's piece of `value`, which `info` stands for, under `layout`. */
void ts_set_piece(ts_partitioner *p, ts_value *info, MlirValue value, MlirValue local,
                  const ts_sharding *layout);

/* The piece of `value`, which `info` stands for, under `layout`: found, or built once, right after
 * the definition of the piece that it is cheapest to make from, or of the free value; before the
 * current op where a layout has numbers that only the launch knows. Null after a located error. */
MlirValue ts_piece(ts_partitioner *p, ts_value *info, MlirValue value, const ts_sharding *layout);
/* Elements that the busiest device receives when ts_piece builds the piece; 0 if there is no piece
 * to start from. */
double ts_piece_cost(ts_partitioner *p, const ts_value *info, MlirValue value,
                     const ts_sharding *layout);

/* The same for a destination whose content does not count: a fresh tensor unless the piece exists.
 */
MlirValue ts_piece_or_fresh(ts_partitioner *p, ts_value *info, MlirValue value,
                            const ts_sharding *layout, MlirOperation user);
/* A piece that is there already. */
typedef struct ts_known_piece {
  MlirValue local; /* null: there is none */
  const ts_sharding *layout;
  bool everywhere; /* known wherever the value is */
  bool run_time;   /* dimension `d` has a halo or offsets that only the launch knows */
} ts_known_piece;
/* The first piece of `value`, or better one whose dimension `d` has no halo and no offsets that
 * only the launch knows. */
ts_known_piece ts_find_piece(const ts_partitioner *p, MlirValue value, int d);

/* Erases `op` when the function is done; its results must then have no uses but by such ops. */
void ts_erase_later(ts_partitioner *p, MlirOperation op);
void ts_erase_now(ts_partitioner *p);

#endif /* TESSERA_PLUGIN_PARTITION_PIECES_H */
