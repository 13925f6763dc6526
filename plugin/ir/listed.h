/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tensor.gather and tensor.scatter: slices of a tensor at places that another tensor lists. It
 * knows how these ops say it; it must not know what is done with the slices. */
#ifndef TESSERA_PLUGIN_IR_LISTED_H
#define TESSERA_PLUGIN_IR_LISTED_H

#include "ir/build.h"

/* The slices that `indices` lists, one coordinate for each of the dimensions `dims` of the whole
 * tensor in its last dimension. The slices' tensor has the other dimensions of `indices`, `leading`
 * of them, then those of the whole; of size 1, or none, where a coordinate says the place. */
typedef struct ts_listed {
  MlirOperation op;
  MlirValue whole, slices, indices; /* of a gather the slices are its result */
  MlirAttribute dims;
  intptr_t leading, whole_rank;
  bool keeps_ones;
} ts_listed;

/* `op` is a tensor.gather or a tensor.scatter. */
ts_listed ts_listed_read(MlirOperation op);

/* The position of dimension `d` of the whole in the list; -1: slices have all of it. */
intptr_t ts_listed_coordinate(const ts_listed *l, intptr_t d);

/* The dimension of the slices' tensor that is dimension `d` of the whole; -1: there is none. */
intptr_t ts_listed_dim(const ts_listed *l, intptr_t d);

/* The message for a coordinate outside of dimension `d`, in `buffer`. */
enum { TS_LISTED_MESSAGE = 64 };
void ts_listed_message(intptr_t d, char buffer[TS_LISTED_MESSAGE]);

/* A coordinate, of any type of integers, as an index. */
MlirValue ts_make_coordinate(const ts_maker *build, MlirValue number);

#endif /* TESSERA_PLUGIN_IR_LISTED_H */
