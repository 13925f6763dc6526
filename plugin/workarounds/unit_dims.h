/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Slices that lack sizes 1 of what they are of, in forms that upstream reads right. It knows slices
 * and reshapes of tensors. */
#ifndef TESSERA_WORKAROUNDS_UNIT_DIMS_H
#define TESSERA_WORKAROUNDS_UNIT_DIMS_H

#include "ir/build.h"

/* Before upstream's canonicalize. Where it makes an operand of a slice a constant, it takes the
 * sizes 1 that are lacking for the first ones. Slices that lack others get all dimensions of their
 * tensor, and a reshape beside them. */
void ts_unit_dims_keep(MlirOperation module);

/* After the last canonicalize of tensors: slices and reshapes beside them become one op again,
 * which needs no memory of its own where the reshape of strided memory would. */
void ts_unit_dims_join_reshapes(MlirOperation module);

/* Before bufferization. Which of several sizes 1 a memref.subview lacks, upstream tells by strides,
 * and crashes where it cannot. Slices that lack some of them get to lack all, and a reshape beside
 * them. */
void ts_unit_dims_drop(MlirOperation module);

/* Which of the `rank` sizes `wide` are among the `left` sizes `narrow`, which lack some that are 1:
 * the first ones that they can do without. */
void ts_unit_dims_match(intptr_t rank, const int64_t *wide, intptr_t left, const int64_t *narrow,
                        bool kept[TS_MAX_RANK]);

#endif /* TESSERA_WORKAROUNDS_UNIT_DIMS_H */
