/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions in parts. It knows maps of linalg ops; it must not know which reductions are worth it,
 * nor kernels. */
#ifndef TESSERA_LOWERING_TARGETS_REDUCE_PARTS_H
#define TESSERA_LOWERING_TARGETS_REDUCE_PARTS_H

#include "lowering/targets/parted.h"

/* On tensors: a reduction of static shape whose order may change, and that `choose` wants parts of,
 * becomes one to a tensor of parts, and a reduction of that; always the same parts in the same
 * order. What comes of it is asked for again. */
void ts_reduce_in_parts(MlirOperation module, ts_parted_choose *choose);

#endif /* TESSERA_LOWERING_TARGETS_REDUCE_PARTS_H */
