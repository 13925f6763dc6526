/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which reductions a GPU does in parts, and in how many, so that they are enough work for all of
 * it. It knows extents; it must not know how parts are made. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_REDUCTIONS_H
#define TESSERA_LOWERING_TARGETS_CUDA_REDUCTIONS_H

#include "lowering/targets/parted.h"

/* Large ones to few elements. */
ts_parted_choose ts_cuda_choose_parts;

#endif /* TESSERA_LOWERING_TARGETS_CUDA_REDUCTIONS_H */
