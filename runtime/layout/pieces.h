/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which part of a global tensor a rank holds: runs of indices, dimension by dimension.
 * It knows layout words and grid shapes; it must not know programs, contexts or element types. */
#ifndef TESSERA_RUNTIME_LAYOUT_PIECES_H
#define TESSERA_RUNTIME_LAYOUT_PIECES_H

#include <stdbool.h>

#include "tessera/runtime.h"

#include "tensors/copy.h"

/* The most dimensions that a tensor or grid may have here. */
enum { TR_MAX_RANK = TR_COPY_RANK };

/* `length` consecutive local indices that are consecutive global ones. */
typedef struct tr_run {
  int64_t local;
  int64_t global;
  int64_t length;
} tr_run;

typedef struct tr_run_list {
  tr_run *runs;
  int64_t count;
  int64_t capacity;
} tr_run_list;

/* One rank's piece. Local indices outside every run are halo rows beyond the tensor's ends (with
 * TR_PIECE_HALO), or any halo rows (with TR_PIECE_CORE). */
typedef struct tr_piece {
  int32_t rank;
  int64_t shape[TR_MAX_RANK];  /* local extents, halos included */
  int64_t global[TR_MAX_RANK]; /* global extents */
  tr_run_list runs[TR_MAX_RANK];
} tr_piece;

typedef enum tr_piece_part { TR_PIECE_HALO, TR_PIECE_CORE } tr_piece_part;

/* A layout on a grid whose extents are all known. */
typedef struct tr_placement {
  const int64_t *layout; /* NULL: the whole tensor on every rank */
  int32_t grid_rank;
  const int64_t *grid_shape; /* grid_rank extents */
} tr_placement;

/* Checks that the words mean something on the grid and for a tensor of these extents (-1: unknown):
 * axes in range and used once, factors that multiply to the extents, offsets that add up. */
tessera_status tr_placement_check(const tr_placement *placement, int32_t rank,
                                  const int64_t *global);
/* The same of a target that may be a part of the tensor: offsets rise in it, or fall, and no
 * more. */
tessera_status tr_placement_check_part(const tr_placement *placement, int32_t rank,
                                       const int64_t *global);

/* Local extents of `device`'s piece, halos included; -1 where `global` is. */
void tr_local_shape(const tr_placement *placement, int64_t device, int32_t rank,
                    const int64_t *global, int64_t *shape);

/* Makes `device`'s piece of a tensor of known global extents. To be destroyed after success. */
tessera_status tr_piece_create(const tr_placement *placement, int64_t device, tr_piece_part part,
                               int32_t rank, const int64_t *global, tr_piece *piece);
void tr_piece_destroy(tr_piece *piece);

/* Where `device` is along a grid axis. */
int64_t tr_coordinate(const tr_placement *placement, int64_t device, int64_t axis);

/* True for one of the ranks that hold the same piece, the same one for every piece: the one at
 * coordinate 0 of all axes that split nothing. */
bool tr_leads_replicas(const tr_placement *placement, int64_t device);

/* The axes over which the value is partial: words (axis, reduction) each. Returns their number. */
int64_t tr_partial_axes(const tr_placement *placement, const int64_t **words);

/* The global extent of dimension `dim` from the local shapes of all devices (`rank` extents each),
 * where the layout does not tell it. */
int64_t tr_global_extent(const tr_placement *placement, int32_t rank, int32_t dim,
                         const int64_t *local_shapes);

#endif /* TESSERA_RUNTIME_LAYOUT_PIECES_H */
