/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around convert-math-to-llvm: expm1 as a call of libm. It knows one op; it must not know
 * loops. */
#ifndef TESSERA_LOWERING_WORKAROUNDS_EXPM1_H
#define TESSERA_LOWERING_WORKAROUNDS_EXPM1_H

#include "lowering/calls/wrappers.h"

/* Makes calls of scalar math.expm1. After bufferization. */
void ts_expm1_call(MlirOperation module, ts_wrappers *wrappers);

#endif /* TESSERA_LOWERING_WORKAROUNDS_EXPM1_H */
