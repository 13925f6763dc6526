/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Tensors that are taken apart, or joined, in equal parts of one dimension. It knows slices,
 * insertions and joins; it must not know why anybody asks. */
#ifndef TESSERA_PLUGIN_IR_PARTS_H
#define TESSERA_PLUGIN_IR_PARTS_H

#include "ir/build.h"

enum { TS_MOST_PARTS = 64 };

/* A slice of a tensor that is part `index` of `num` of dimension `d`, and all of the others. */
typedef struct ts_part_place {
  intptr_t d;
  int64_t num, index;
} ts_part_place;

/* Whether `op` takes such a slice of `whole`. */
bool ts_part_taken(MlirOperation op, MlirValue whole, ts_part_place *part);

/* `whole` is used in parts like `part` alone, each of them by somebody. */
bool ts_is_taken_in_parts(MlirValue whole, const ts_part_place *part);

/* Of a tensor.concat of equal parts, and of the last of insertions that fill a tensor with such:
 * the parts in their order, and in `part` the dimension and their number. False for others. */
bool ts_parts_joined(MlirOperation op, MlirValue parts[TS_MOST_PARTS], ts_part_place *part);

#endif /* TESSERA_PLUGIN_IR_PARTS_H */
