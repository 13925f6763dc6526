/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Even pieces of what every device has as views of it. It knows all_slice; it must not know what
 * the pieces are for. */
#ifndef TESSERA_LOWERING_PREPARE_CUTS_H
#define TESSERA_LOWERING_PREPARE_CUTS_H

#include "lowering/calls/site_records.h"

/* Makes slices at this device's place of those all_slice ops of known sizes on tensors: no copy is
 * made of them where one is not needed, and no call. */
void ts_cuts_to_slices(ts_sites *sites);

#endif /* TESSERA_LOWERING_PREPARE_CUTS_H */
