/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* From one layout to another: which rows each rank has that others need. Every rank works it out by
 * itself. It knows layouts and grid shapes; it must not know contexts, messages or element types.
 */
#ifndef TESSERA_RUNTIME_LAYOUT_OVERLAP_H
#define TESSERA_RUNTIME_LAYOUT_OVERLAP_H

#include "layout/pieces.h"

/* Two layouts of one tensor on one grid. */
typedef struct tr_exchange {
  int32_t rank;
  int32_t grid_rank;
  int64_t grid[TR_MAX_RANK];
  int64_t extents[TR_MAX_RANK];
  tr_placement from, to;
} tr_exchange;

/* Rows that are consecutive in the source's memory and in the target's. */
typedef struct tr_shared_run {
  int64_t from; /* local index in the source's piece */
  int64_t to;   /* local index in the target's piece */
  int64_t length;
} tr_shared_run;

/* What one rank has and another needs: the product of the dimensions' runs. */
typedef struct tr_overlap {
  int32_t peer;     /* the other rank; this one for what stays */
  int64_t elements; /* in all boxes */
  tr_shared_run *runs[TR_MAX_RANK];
  int64_t counts[TR_MAX_RANK];
} tr_overlap;

typedef struct tr_overlap_list {
  tr_overlap *items;
  int64_t count;
} tr_overlap_list;

/* What one rank sends and receives. */
typedef struct tr_overlaps {
  int32_t rank;                    /* of the tensor */
  int64_t from_shape[TR_MAX_RANK]; /* of this rank's pieces */
  int64_t to_shape[TR_MAX_RANK];
  tr_overlap_list sends, receives; /* what stays is in `receives` */
} tr_overlaps;

/* Those of rank `self` of `size`. To be destroyed, after a failure too. */
tessera_status tr_overlaps_create(const tr_exchange *exchange, int32_t self, int32_t size,
                                  tr_overlaps *overlaps);
void tr_overlaps_destroy(tr_overlaps *overlaps);

/* True if an overlap is one box. */
bool tr_overlap_is_box(const tr_overlap *overlap, int32_t rank);

#endif /* TESSERA_RUNTIME_LAYOUT_OVERLAP_H */
