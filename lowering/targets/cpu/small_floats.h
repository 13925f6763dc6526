/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Floats of 8 bits: computed with as f32, converted by tables, for want of anything else that knows
 * them. */
#ifndef TESSERA_LOWERING_TARGETS_CPU_SMALL_FLOATS_H
#define TESSERA_LOWERING_TARGETS_CPU_SMALL_FLOATS_H

#include "lowering/records.h"

/* Does `op` convert from or to an 8-bit float for which there are tables? */
bool ts_small_floats_convert(MlirOperation op);

/* Is anything computed in 8-bit floats? On structured ops, once they are generic. */
bool ts_small_floats_compute(MlirOperation module);

/* Conversions become code. On memrefs. */
void ts_small_floats_lower(ts_records *records);

#endif /* TESSERA_LOWERING_TARGETS_CPU_SMALL_FLOATS_H */
