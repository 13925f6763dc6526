/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Integer divisions and powers that may have no result. It knows when that is; it must not know
 * what is done with quotients. */
#ifndef TESSERA_LOWERING_CALLS_DIVISIONS_H
#define TESSERA_LOWERING_CALLS_DIVISIONS_H

#include "lowering/calls/site_records.h"
#include "lowering/calls/wrappers.h"

/* Lets every division, remainder and power of integers fail, with its place, where its divisor is
 * zero, its result too large, or it raises zero to a negative power: processors end the process
 * there, or give any number. A divisor that is a constant is known not to. A remainder by -1 is 0,
 * without the quotient. On memrefs. */
void ts_divisions_check(ts_sites *sites, ts_wrappers *wrappers);

#endif /* TESSERA_LOWERING_CALLS_DIVISIONS_H */
