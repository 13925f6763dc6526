/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Questions about the grid (this device's place, extents, neighbours) to runtime calls and
 * constants. It knows index arithmetic only. */
#ifndef TESSERA_LOWERING_CALLS_QUERIES_H
#define TESSERA_LOWERING_CALLS_QUERIES_H

#include "lowering/calls/site_records.h"
#include "lowering/calls/wrappers.h"

/* Replaces every query in the module. False after
 * diagnostics. */
bool ts_queries_lower(ts_sites *sites, ts_wrappers *wrappers);

#endif /* TESSERA_LOWERING_CALLS_QUERIES_H */
