/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Convolutions on memrefs to calls of the runtime's. It knows strides: an operand in another order
 * of dimensions is one whose strides say so. */
#ifndef TESSERA_LOWERING_CALLS_CONV_H
#define TESSERA_LOWERING_CALLS_CONV_H

#include "lowering/calls/site_records.h"
#include "lowering/calls/wrappers.h"

/* Replaces every convolution that is worth it, and the fill with zero before it. */
void ts_conv_lower(ts_sites *sites, ts_wrappers *wrappers);

#endif /* TESSERA_LOWERING_CALLS_CONV_H */
