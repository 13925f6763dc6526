/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The pieces of each tensor that are there already. It knows where they are known; it must not know
 * how they are made. */
#ifndef TESSERA_PLUGIN_PARTITION_KNOWN_PIECES_H
#define TESSERA_PLUGIN_PARTITION_KNOWN_PIECES_H

#include "partition/partitioner.h"

/* What this device holds of a value. */
typedef struct ts_local_piece {
  MlirValue value; /* in the source: a value of the model may stand for several */
  MlirValue local;
  const ts_sharding *layout;
  MlirBlock scope;             /* where it is known from now on; null: wherever the value is */
  struct ts_local_piece *next; /* in the order in which they were made */
} ts_local_piece;

/* The first of a value of the model; NULL: there is none. */
ts_local_piece *ts_local_pieces(const ts_partitioner *p, const ts_value *info);
void ts_add_local_piece(ts_partitioner *p, ts_value *info, ts_local_piece piece);
/* Whether it is one of `value`, known to the current op. */
bool ts_is_known_piece(const ts_partitioner *p, MlirValue value, const ts_local_piece *piece);

/* `local` is this device's piece of `value`, which `info` stands for, under `layout`. */
void ts_set_piece(ts_partitioner *p, ts_value *info, MlirValue value, MlirValue local,
                  const ts_sharding *layout);

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

/* Goes from a value to what lies behind annotations of it that change nothing. */
void ts_look_behind(ts_value **info, MlirValue *value);

#endif /* TESSERA_PLUGIN_PARTITION_KNOWN_PIECES_H */
