/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Loops of which a comparison of the body with data leaves one step to do: scatters, histograms and
 * gathers, as importers write them. It knows bodies; it must not know code. */
#ifndef TESSERA_LOWERING_KERNELS_ONE_HOT_H
#define TESSERA_LOWERING_KERNELS_ONE_HOT_H

#include "lowering/kernels/nest.h"

/* Finds them in a nest as it was read. All outputs keep the values that they would have, and each
 * element is combined in the same order; but a sum to which +0.0 is added in idle steps is left
 * alone there, so that a -0.0 stays one. */
void ts_one_hot_find(ts_buffers *memories, ts_nest *nest);

#endif /* TESSERA_LOWERING_KERNELS_ONE_HOT_H */
