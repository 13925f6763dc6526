/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The blocks that compiled code allocates in one call.
 * It must not know how memory is kept, or where it is. */
#include "memory/allocation.h"

#include <stddef.h>

#include "context/launch.h"

static _Thread_local tr_allocations *tracked; /* NULL: nothing is noted */

tr_allocations *tr_allocation_track(tr_allocations *made) {
  tr_allocations *before = tracked;
  tr_blocks_start(&made->process);
  tr_blocks_start(&made->accelerator);
  tracked = made;
  return before;
}

void tr_allocation_forget(tr_allocations *before) {
  tracked = before;
}

static void keep(tr_blocks *ring) {
  while (tr_blocks_any(ring))
    tr_blocks_leave(ring->next);
}

void tr_allocation_keep(tr_allocations *made) {
  keep(&made->process);
  keep(&made->accelerator);
}

void tr_allocation_give_back(tr_allocations *made, const tr_device *device) {
  const tr_device *process = tr_process_device();
  process->release_all(process, &made->process);
  if (tr_blocks_any(&made->accelerator))
    device->release_all(device, &made->accelerator);
}

tr_allocations *tr_allocation_tracked(void) {
  return tracked;
}
