/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Sizes of memory that is allocated. It knows memref.alloc; it must not know what the memory is
 * for. */
#ifndef TESSERA_LOWERING_CALLS_ALLOCATIONS_H
#define TESSERA_LOWERING_CALLS_ALLOCATIONS_H

#include "lowering/calls/wrappers.h"
#include "lowering/site_records.h"

/* Before each allocation of run-time size: calls of the runtime that end the program if an extent
 * is negative, or the product of all wraps. False after diagnostics: static shapes whose product
 * wraps. */
bool ts_allocations_check(ts_sites *sites, ts_wrappers *wrappers);

#endif /* TESSERA_LOWERING_CALLS_ALLOCATIONS_H */
