/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Copies between a global tensor and a piece of it, one for each box of the piece's runs.
 * It must not know layouts, programs or contexts. */
#include "program/cut.h"

#include <string.h>

#include "program/tensor.h"

/* A side of a copy, in elements. */
typedef struct side {
  int64_t strides[TR_MAX_RANK];
  int64_t offset; /* of the box */
} side;

/* The boxes of one piece: runs chosen dimension by dimension. */
typedef struct walk {
  const tr_piece *piece;
  size_t element;
  side global, local;
  int32_t rank; /* of the box so far */
  int64_t shape[TR_MAX_RANK], global_steps[TR_MAX_RANK], local_steps[TR_MAX_RANK];
  const tr_device *device;
  const char *from;
  char *to;
  bool taking; /* from is global, and on the host; else from is local */
} walk;

static void copy_box(const walk *walk) {
  const tr_device *device = walk->device;
  int64_t element = (int64_t)walk->element;
  int64_t global = walk->global.offset * element, local = walk->local.offset * element;
  tr_copy copy;
  if (walk->taking) {
    tr_copy_plan(walk->element, walk->rank, walk->shape, walk->global_steps, walk->local_steps,
                 &copy);
    device->upload(device, NULL, &copy, walk->from + global, walk->to + local);
  } else {
    tr_copy_plan(walk->element, walk->rank, walk->shape, walk->local_steps, walk->global_steps,
                 &copy);
    device->download(device, NULL, &copy, walk->from + local, walk->to + global);
  }
}

static void add_dimension(walk *walk, int64_t size, int64_t global_step, int64_t local_step) {
  walk->shape[walk->rank] = size;
  walk->global_steps[walk->rank] = global_step;
  walk->local_steps[walk->rank] = local_step;
  walk->rank++;
}

/* Runs of one length, evenly apart, as factors of a dimension make them. */
static bool is_even(const tr_run_list *list) {
  const tr_run *runs = list->runs;
  for (int64_t i = 1; i < list->count; i++)
    if (runs[i].length != runs[0].length ||
        runs[i].global - runs[i - 1].global != runs[1].global - runs[0].global ||
        runs[i].local - runs[i - 1].local != runs[1].local - runs[0].local)
      return false;
  return true;
}

static void copy_dimensions(walk *walk, int32_t dim);

/* Of dimension `dim` the run alone, or as many that are evenly apart. */
static void copy_run(walk *walk, int32_t dim, const tr_run *run, int64_t count) {
  int64_t global_stride = walk->global.strides[dim], local_stride = walk->local.strides[dim];
  int64_t global = walk->global.offset, local = walk->local.offset;
  int32_t rank = walk->rank;
  walk->global.offset += run->global * global_stride;
  walk->local.offset += run->local * local_stride;
  if (count > 1)
    add_dimension(walk, count, (run[1].global - run->global) * global_stride,
                  (run[1].local - run->local) * local_stride);
  add_dimension(walk, run->length, global_stride, local_stride);
  copy_dimensions(walk, dim + 1);
  walk->rank = rank;
  walk->global.offset = global;
  walk->local.offset = local;
}

static void copy_dimensions(walk *walk, int32_t dim) {
  const tr_piece *piece = walk->piece;
  if (dim == piece->rank) {
    copy_box(walk);
    return;
  }
  const tr_run_list *list = &piece->runs[dim];
  bool has_room = walk->rank + 1 + piece->rank - dim <= TR_MAX_RANK;
  if (has_room && is_even(list)) {
    copy_run(walk, dim, list->runs, list->count);
    return;
  }
  for (int64_t i = 0; i < list->count; i++)
    copy_run(walk, dim, &list->runs[i], 1);
}

/* Nothing is touched where a dimension is empty: the memory may not exist. */
static tessera_status copy_piece(walk *walk, const int64_t *global_strides) {
  const tr_piece *piece = walk->piece;
  for (int32_t i = 0; i < piece->rank; i++)
    if (piece->runs[i].count == 0)
      return TESSERA_OK;
  if (piece->rank > 0)
    memcpy(walk->global.strides, global_strides, sizeof(int64_t) * (size_t)piece->rank);
  tr_dense_strides(piece->rank, piece->shape, walk->local.strides);
  copy_dimensions(walk, 0);
  return tr_device_settle(walk->device, NULL);
}

tessera_status tr_piece_take(const tr_piece *piece, size_t element, const void *global,
                             const int64_t *global_strides, const tr_device *device, void *local) {
  walk walk = {.piece = piece,
               .element = element,
               .device = device,
               .from = global,
               .to = local,
               .taking = true};
  return copy_piece(&walk, global_strides);
}

tessera_status tr_piece_put(const tr_piece *piece, size_t element, const tr_device *device,
                            const void *local, void *global, const int64_t *global_strides) {
  walk walk = {.piece = piece, .element = element, .device = device, .from = local, .to = global};
  return copy_piece(&walk, global_strides);
}
