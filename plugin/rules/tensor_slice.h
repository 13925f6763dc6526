/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What tensor.extract_slice and insert_slice say, for the files that have their rules. It must not
 * know loops. */
#ifndef TESSERA_PLUGIN_RULES_TENSOR_SLICE_H
#define TESSERA_PLUGIN_RULES_TENSOR_SLICE_H

#include "rules/tensor_numbers.h"

/* What extract_slice takes out of operand 0, or insert_slice writes operand 0 to in operand 1. */
typedef struct ts_slice {
  MlirOperation op;
  bool extracts;
  MlirValue large; /* the tensor that has the slice in it */
  int rank;        /* of it */
  MlirType small;  /* the type of the slice, maybe of fewer dimensions */
  const ts_list_number *offsets, *sizes, *strides;
  const int *small_dims; /* the dimension of the slice for each of the large tensor; -1: none */
} ts_slice;

ts_slice ts_slice_read(ts_arena *arena, MlirOperation op);
/* The slice is all of dimension `d`. */
bool ts_slice_takes_all(ts_arena *arena, const ts_slice *s, int d);
/* Remarks that a dimension stays whole because it may be cut. */
void ts_slice_keep_whole(ts_arena *arena, const ts_slice *s, int d, const char **remark);

#endif /* TESSERA_PLUGIN_RULES_TENSOR_SLICE_H */
