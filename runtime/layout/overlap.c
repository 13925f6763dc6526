/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Pieces of one layout against those of another.
 * It must not know contexts, messages or element types. */
#include "layout/overlap.h"

#include <stdlib.h>
#include <string.h>

#include "layout/words.h"
#include "support/error.h"

/* ---- runs of two pieces ---------------------------------------------------------------------- */

/* Both lists ascend in global indices. Returns the number of runs; writes them if `runs` is set. */
static int64_t intersect(const tr_run_list *from, const tr_run_list *to, tr_shared_run *runs) {
  int64_t count = 0;
  for (int64_t i = 0, k = 0; i < from->count && k < to->count;) {
    const tr_run *source = &from->runs[i], *target = &to->runs[k];
    int64_t source_end = source->global + source->length;
    int64_t target_end = target->global + target->length;
    int64_t start = source->global > target->global ? source->global : target->global;
    int64_t end = source_end < target_end ? source_end : target_end;
    if (start < end) {
      if (runs)
        runs[count] = (tr_shared_run){source->local + start - source->global,
                                      target->local + start - target->global, end - start};
      count++;
    }
    if (source_end <= target_end)
      i++;
    else
      k++;
  }
  return count;
}

static void free_overlap(tr_overlap *overlap, int32_t rank) {
  for (int32_t i = 0; i < rank; i++)
    free(overlap->runs[i]);
}

/* Adds what `peer` shares, if anything. */
static tessera_status add_overlap(tr_overlap_list *list, int32_t peer, const tr_piece *from,
                                  const tr_piece *to) {
  tr_overlap *item = &list->items[list->count];
  memset(item, 0, sizeof(*item));
  item->peer = peer;
  item->elements = 1;
  for (int32_t i = 0; i < from->rank; i++) {
    item->counts[i] = intersect(&from->runs[i], &to->runs[i], NULL);
    if (item->counts[i] == 0) {
      free_overlap(item, from->rank);
      return TESSERA_OK;
    }
    item->runs[i] = malloc(sizeof(tr_shared_run) * (size_t)item->counts[i]);
    if (!item->runs[i]) {
      free_overlap(item, from->rank);
      return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the pieces of an exchange");
    }
    intersect(&from->runs[i], &to->runs[i], item->runs[i]);
    int64_t rows = 0;
    for (int64_t k = 0; k < item->counts[i]; k++)
      rows += item->runs[i][k].length;
    item->elements *= rows;
  }
  list->count++;
  return TESSERA_OK;
}

bool tr_overlap_is_box(const tr_overlap *overlap, int32_t rank) {
  for (int32_t i = 0; i < rank; i++)
    if (overlap->counts[i] != 1)
      return false;
  return true;
}

/* ---- all ranks ------------------------------------------------------------------------------- */

/* A rank takes what it lacks from the owner that agrees with it on all axes that split nothing in
 * the source: one owner for each element, itself where it is one, replicas evenly loaded. */
static bool is_supplier(const tr_exchange *exchange, const bool *splits, int64_t a, int64_t b) {
  for (int32_t i = exchange->grid_rank - 1; i >= 0; i--) {
    if (!splits[i] && a % exchange->grid[i] != b % exchange->grid[i])
      return false;
    a /= exchange->grid[i];
    b /= exchange->grid[i];
  }
  return true;
}

/* This rank's pieces against those of one other rank. */
static tessera_status add_peer(const tr_exchange *exchange, int32_t peer, bool is_self,
                               const tr_piece *own_from, const tr_piece *own_to,
                               tr_overlaps *overlaps) {
  tr_piece from, to;
  tessera_status status = tr_piece_create(&exchange->from, peer, TR_PIECE_CORE, exchange->rank,
                                          exchange->extents, &from);
  if (status)
    return status;
  status =
      tr_piece_create(&exchange->to, peer, TR_PIECE_HALO, exchange->rank, exchange->extents, &to);
  if (!status) {
    status = add_overlap(&overlaps->receives, peer, &from, own_to);
    if (!status && !is_self)
      status = add_overlap(&overlaps->sends, peer, own_from, &to);
    tr_piece_destroy(&to);
  }
  tr_piece_destroy(&from);
  return status;
}

static tessera_status add_peers(const tr_exchange *exchange, int32_t self, int32_t size,
                                tr_overlaps *overlaps) {
  bool splits[TR_MAX_RANK] = {false};
  tr_layout_split_axes(exchange->from.layout, splits);
  tr_piece from, to;
  tessera_status status = tr_piece_create(&exchange->from, self, TR_PIECE_CORE, exchange->rank,
                                          exchange->extents, &from);
  if (status)
    return status;
  status =
      tr_piece_create(&exchange->to, self, TR_PIECE_HALO, exchange->rank, exchange->extents, &to);
  if (!status) {
    memcpy(overlaps->from_shape, from.shape, sizeof(int64_t) * (size_t)exchange->rank);
    memcpy(overlaps->to_shape, to.shape, sizeof(int64_t) * (size_t)exchange->rank);
    for (int32_t peer = 0; !status && peer < size; peer++)
      if (is_supplier(exchange, splits, self, peer))
        status = add_peer(exchange, peer, peer == self, &from, &to, overlaps);
    tr_piece_destroy(&to);
  }
  tr_piece_destroy(&from);
  return status;
}

tessera_status tr_overlaps_create(const tr_exchange *exchange, int32_t self, int32_t size,
                                  tr_overlaps *overlaps) {
  memset(overlaps, 0, sizeof(*overlaps));
  overlaps->rank = exchange->rank;
  overlaps->sends.items = malloc(sizeof(tr_overlap) * (size_t)size);
  overlaps->receives.items = malloc(sizeof(tr_overlap) * (size_t)size);
  if (!overlaps->sends.items || !overlaps->receives.items)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the pieces of an exchange");
  return add_peers(exchange, self, size, overlaps);
}

static void destroy_list(tr_overlap_list *list, int32_t rank) {
  for (int64_t i = 0; i < list->count; i++)
    free_overlap(&list->items[i], rank);
  free(list->items);
}

void tr_overlaps_destroy(tr_overlaps *overlaps) {
  destroy_list(&overlaps->sends, overlaps->rank);
  destroy_list(&overlaps->receives, overlaps->rank);
}
