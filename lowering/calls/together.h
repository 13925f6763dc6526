/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Calls that wait for messages, one behind another: all are started before the first is waited for,
 * so that ranks wait once and not at each. It knows calls and memory; it must not know what moves.
 */
#ifndef TESSERA_LOWERING_CALLS_TOGETHER_H
#define TESSERA_LOWERING_CALLS_TOGETHER_H

#include "lowering/calls/wrappers.h"

/* Rewrites such calls of `wrappers`' module that have memory of their own: what one writes, no
 * other reads or writes, nor what stands between them. What frees their memory comes behind all. */
void ts_calls_start_together(ts_wrappers *wrappers);

#endif /* TESSERA_LOWERING_CALLS_TOGETHER_H */
