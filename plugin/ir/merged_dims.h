/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Neighbouring dimensions of a tensor that are one of another: what tensor.collapse_shape and
 * expand_shape say. It must not know why anybody reshapes. */
#ifndef TESSERA_PLUGIN_IR_MERGED_DIMS_H
#define TESSERA_PLUGIN_IR_MERGED_DIMS_H

#include "ir/build.h"

/* Dimension g of the merged tensor is `num[g]` dimensions of the other one, from first[g] on. */
typedef struct ts_merged_dims {
  int count;
  int first[TS_MAX_RANK], num[TS_MAX_RANK];
} ts_merged_dims;

/* Reads either op; both tensors have at most TS_MAX_RANK dimensions. */
void ts_merged_dims_read(MlirOperation reshape, ts_merged_dims *merged);

/* `value`, of static or known-nowhere sizes `sizes` once its dimensions are merged. */
MlirValue ts_make_collapse(const ts_maker *build, MlirValue value, const ts_merged_dims *merged,
                           const int64_t *sizes);
/* The reverse, to `rank` dimensions of static sizes. */
MlirValue ts_make_expand(const ts_maker *build, MlirValue value, const ts_merged_dims *merged,
                         int rank, const int64_t *sizes);

#endif /* TESSERA_PLUGIN_IR_MERGED_DIMS_H */
