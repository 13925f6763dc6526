/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Copies between a global tensor and a piece of it, along the runs of the piece.
 * It must not know layouts, programs or contexts. */
#include "program/cut.h"

#include <string.h>

#include "devices/host/host.h"
#include "program/tensor.h"

/* A walk over the runs of one piece: `from` and `to` move along with the indices. */
typedef struct walk {
  const tr_piece *piece;
  size_t element;
  int64_t from_strides[TR_MAX_RANK];
  int64_t to_strides[TR_MAX_RANK];
  bool taking; /* from is global; else from is local */
} walk;

static void copy_runs(const walk *walk, int32_t dim, const char *from, char *to) {
  const tr_piece *piece = walk->piece;
  int64_t from_step = walk->from_strides[dim] * (int64_t)walk->element;
  int64_t to_step = walk->to_strides[dim] * (int64_t)walk->element;
  for (int64_t r = 0; r < piece->runs[dim].count; r++) {
    const tr_run *run = &piece->runs[dim].runs[r];
    const char *start = from + (walk->taking ? run->global : run->local) * from_step;
    char *target = to + (walk->taking ? run->local : run->global) * to_step;
    if (dim + 1 == piece->rank)
      tr_host_copy_strided(walk->element, 1, &run->length, start, &walk->from_strides[dim], target,
                           &walk->to_strides[dim]);
    else
      for (int64_t i = 0; i < run->length; i++)
        copy_runs(walk, dim + 1, start + i * from_step, target + i * to_step);
  }
}

/* Nothing is touched where a dimension is empty: the memory may not exist. */
static void copy_piece(walk *walk, const void *from, void *to) {
  for (int32_t i = 0; i < walk->piece->rank; i++)
    if (walk->piece->runs[i].count == 0)
      return;
  if (walk->piece->rank == 0)
    memcpy(to, from, walk->element);
  else
    copy_runs(walk, 0, from, to);
}

void tr_piece_take(const tr_piece *piece, size_t element, const void *global,
                   const int64_t *global_strides, void *local) {
  walk walk = {.piece = piece, .element = element, .taking = true};
  memcpy(walk.from_strides, global_strides, sizeof(int64_t) * (size_t)piece->rank);
  tr_dense_strides(piece->rank, piece->shape, walk.to_strides);
  copy_piece(&walk, global, local);
}

void tr_piece_put(const tr_piece *piece, size_t element, const void *local, void *global,
                  const int64_t *global_strides) {
  walk walk = {.piece = piece, .element = element, .taking = false};
  tr_dense_strides(piece->rank, piece->shape, walk.from_strides);
  memcpy(walk.to_strides, global_strides, sizeof(int64_t) * (size_t)piece->rank);
  copy_piece(&walk, local, global);
}
