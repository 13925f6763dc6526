/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Slices of what is copied or computed element by element. It knows structured ops, concatenations,
 * pads and slices on tensors; it must not know memory. */
#ifndef TESSERA_LOWERING_PREPARE_SLICED_H
#define TESSERA_LOWERING_PREPARE_SLICED_H

#include "mlir-c/IR.h"

/* Of large elementwise results, transposes, pads and concatenations that are only looked at through
 * slices at known places, these are made alone: all of one, or several that come to at most half.
 * What asks for its place, or may fail, is left as it is. */
void ts_sliced_narrow(MlirOperation module);

#endif /* TESSERA_LOWERING_PREPARE_SLICED_H */
