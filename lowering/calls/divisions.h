/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Integer divisions that may have no result. */
#ifndef TESSERA_LOWERING_CALLS_DIVISIONS_H
#define TESSERA_LOWERING_CALLS_DIVISIONS_H

#include "lowering/calls/wrappers.h"
#include "lowering/site_records.h"

/* Lets every division and remainder of integers fail, with its place, where its divisor is zero or
 * its result too large: processors end the process there, or give any number. A divisor that is a
 * constant is known not to. On memrefs. */
void ts_divisions_check(ts_sites *sites, ts_wrappers *wrappers);

#endif /* TESSERA_LOWERING_CALLS_DIVISIONS_H */
