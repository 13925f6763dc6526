/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What compiled code allocates in one call, so that all of it can be given back.
 * It must not know what the memory is for, or where it is. */
#ifndef TESSERA_RUNTIME_MEMORY_ALLOCATION_H
#define TESSERA_RUNTIME_MEMORY_ALLOCATION_H

#include "memory/blocks.h"
#include "planes/device.h"

/* Memory of the process's device, and of the context's where that is an accelerator. */
typedef struct tr_allocations {
  tr_blocks process, accelerator;
} tr_allocations;

/* What compiled code allocates in this thread is noted in `made`, which becomes empty, until
 * tr_allocation_forget. Returns where it was noted before, for that. */
tr_allocations *tr_allocation_track(tr_allocations *made);
void tr_allocation_forget(tr_allocations *before);

/* For the end of a call: what is still there belongs to the caller, or goes back, what is in
 * `accelerator` to `device`. */
void tr_allocation_keep(tr_allocations *made);
void tr_allocation_give_back(tr_allocations *made, const tr_device *device);

/* Where the thread's allocations are noted; NULL: nowhere. */
tr_allocations *tr_allocation_tracked(void);

#endif /* TESSERA_RUNTIME_MEMORY_ALLOCATION_H */
