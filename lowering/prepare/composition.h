/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Tensors as what they are put together from: parts of others, at known places. It knows slices,
 * insertions and paddings; it must not know who reads them. */
#ifndef TESSERA_LOWERING_PREPARE_COMPOSITION_H
#define TESSERA_LOWERING_PREPARE_COMPOSITION_H

#include "ir/build.h"
#include "lowering/prepare/devices.h"

enum { TS_BOX_RANK = 8 };

/* Elements `from` to `to` along each dimension. */
typedef struct ts_box {
  int rank;
  int64_t from[TS_BOX_RANK], to[TS_BOX_RANK];
} ts_box;

/* All elements of a tensor of static shape and at most TS_BOX_RANK dimensions. */
ts_box ts_box_of(MlirValue tensor);

typedef struct ts_borders {
  /* There is a border of pieces along dimension `d`, before element `at`. */
  void (*visit)(void *user, int d, int64_t at);
  void *user;
  bool copies; /* set: some piece has to be copied to where it is put */
} ts_borders;

/* Visits the borders of the pieces of a tensor of static shape, some more than once: those that it
 * has on any device. False if there are too many pieces. */
bool ts_pieces_find(const ts_devices *devices, MlirValue tensor, ts_borders *borders);

/* Elements `part` of a tensor, from the piece that they lie in, or a scalar if they are all the
 * same. If they lie in several pieces, of what these were put together to; if the piece is another
 * one on another device, put together anew. */
MlirValue ts_pieces_take(const ts_devices *devices, const ts_maker *build, MlirValue tensor,
                         const ts_box *part);

/* Whether all that is read of `tensor`, which is through slices, lies outside of parts[i] on each
 * device i. */
bool ts_pieces_avoid(const ts_devices *devices, MlirValue tensor, const ts_box *parts);

/* tensor.extract_slice, or the tensor itself if that is all of it. */
MlirValue ts_box_slice(const ts_maker *build, MlirValue tensor, const ts_box *part);
/* tensor.insert_slice */
MlirValue ts_box_insert(const ts_maker *build, MlirValue piece, MlirValue into, const ts_box *part);

#endif /* TESSERA_LOWERING_PREPARE_COMPOSITION_H */
