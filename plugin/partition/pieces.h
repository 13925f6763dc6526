/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The pieces of each tensor that this device holds while a function is partitioned: one for each
 * layout that somebody asked for. It knows layouts and where to build; it must not know what ops
 * mean. */
#ifndef TESSERA_PLUGIN_PARTITION_PIECES_H
#define TESSERA_PLUGIN_PARTITION_PIECES_H

#include "partition/known_pieces.h"

/* Notes the block's first op, before which pieces of its arguments are built. Call before anything
 * is built in the block. */
void ts_enter_block(ts_partitioner *p, MlirBlock block);

/* The piece of `value`, which `info` stands for, under `layout`: found, or built once, right after
 * the definition of the piece that it is cheapest to make from, or of the free value; before the
 * current op where a layout has numbers that only the launch knows. Null after a located error. */
MlirValue ts_piece(ts_partitioner *p, ts_value *info, MlirValue value, const ts_sharding *layout);
/* Elements that the busiest device receives when ts_piece builds the piece; 0 if there is no piece
 * to start from. */
double ts_piece_cost(ts_partitioner *p, ts_value *info, MlirValue value, const ts_sharding *layout);

/* What `ask` reads of such a piece, cut before `user` out of one that has it. */
MlirValue ts_piece_read(ts_partitioner *p, ts_value *info, MlirValue value, ts_ask ask,
                        MlirOperation user);
/* A tensor of the size of such a piece, before `user`, whose content does not count. Null after a
 * located error. */
MlirValue ts_fresh_piece(ts_partitioner *p, const ts_value *info, MlirValue value,
                         const ts_sharding *layout, MlirOperation user);
/* ts_piece for a destination whose content does not count: a fresh tensor unless the piece exists.
 */
MlirValue ts_piece_or_fresh(ts_partitioner *p, ts_value *info, MlirValue value,
                            const ts_sharding *layout, MlirOperation user);

/* Brings `local`, the piece of `value` under `from`, under `to`, where is built now. Null after a
 * located error. */
MlirValue ts_move_piece(ts_partitioner *p, const ts_value *info, MlirValue value, MlirValue local,
                        const ts_sharding *from, const ts_sharding *to);

/* What a cut takes of a dimension. */
typedef struct ts_cut {
  MlirValue offset, size;
  bool takes_all;
} ts_cut;
ts_cut ts_cut_nothing(ts_emit *emit, MlirValue local, int d);
/* The part of `local` that `cuts` say; itself if that is all of it. */
MlirValue ts_emit_cut(ts_emit *emit, MlirValue local, int rank, const ts_cut *cuts);
/* What `ask` reads, out of `local`, a piece under `layout`, which holds all of it. */
MlirValue ts_part_of_piece(ts_emit *emit, MlirValue local, const ts_sharding *layout, ts_ask ask);

#endif /* TESSERA_PLUGIN_PARTITION_PIECES_H */
