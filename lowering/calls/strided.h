/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Memory with strides taken apart, and seen in another order of dimensions. It knows memrefs; it
 * must not know what is computed on them. */
#ifndef TESSERA_LOWERING_CALLS_STRIDED_H
#define TESSERA_LOWERING_CALLS_STRIDED_H

#include "ir/build.h"

/* Where a memref begins, and per dimension its size and stride. */
typedef struct ts_strided {
  MlirValue memref, base, offset;
  MlirValue sizes[TS_MAX_RANK], strides[TS_MAX_RANK];
} ts_strided;

void ts_strided_read(const ts_maker *build, MlirValue memref, ts_strided *strided);

/* The same memory from `offset` on, as `rank` dimensions of these sizes and strides. */
MlirValue ts_strided_view(const ts_maker *build, const ts_strided *strided, MlirValue offset,
                          int rank, const MlirValue *sizes, const MlirValue *strides);

#endif /* TESSERA_LOWERING_CALLS_STRIDED_H */
