/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Sizes of memory that is allocated, and what it is for. It knows memref.alloc; it must not know
 * what the memory holds. */
#ifndef TESSERA_LOWERING_CALLS_ALLOCATIONS_H
#define TESSERA_LOWERING_CALLS_ALLOCATIONS_H

#include "lowering/calls/site_records.h"
#include "lowering/calls/wrappers.h"

/* Before each allocation of run-time size: calls of the runtime that end the program if an extent
 * is negative, or the product of all wraps. False after diagnostics: static shapes whose product
 * wraps. */
bool ts_allocations_check(ts_sites *sites, ts_wrappers *wrappers);

/* `block` is allocated in place of `alloc`, and of smaller ones: it is for the same op. */
void ts_allocation_replaces(MlirOperation block, MlirOperation alloc);

/* Before each allocation that is left: a call of the runtime that says what it is for, which a
 * failure names. When nothing is added and moved any more. */
void ts_allocations_place(ts_sites *sites, ts_wrappers *wrappers);

#endif /* TESSERA_LOWERING_CALLS_ALLOCATIONS_H */
