/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Collectives on tensors to calls on memrefs: how each bufferizes and which wrapper it calls. It
 * knows shapes of results and dead inputs; it must not know what a collective does. */
#ifndef TESSERA_LOWERING_CALLS_BUFFERIZE_COLLECTIVES_H
#define TESSERA_LOWERING_CALLS_BUFFERIZE_COLLECTIVES_H

#include "lowering/calls/site_records.h"
#include "lowering/calls/wrappers.h"

/* Adds to `registry` what one-shot-bufferize needs to know of every collective of the table. */
void ts_collectives_make_bufferizable(MlirDialectRegistry registry);

/* Adds to the module what bufferizing its collectives will refer to: their wrappers, and the
 * queries that size results known only at run time. */
void ts_collectives_prepare(ts_sites *sites, ts_wrappers *wrappers);

/* Makes calls of the collectives on memory, which have sites. Upstream's op has no memory effects:
 * it may be dropped, or merged with another one, until then. */
void ts_collectives_call_on_memory(ts_sites *sites, ts_wrappers *wrappers);

#endif /* TESSERA_LOWERING_CALLS_BUFFERIZE_COLLECTIVES_H */
