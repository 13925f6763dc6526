/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The names that MLIR's lowering calls for memory, and what happens where there is none.
 * It must not know how memory is kept, or where it is. */
#include "allocation.h"

#include <stdio.h>
#include <unistd.h>

#include "error.h"
#include "launch.h"
#include "site_call.h"

/* ---- blocks of a call ------------------------------------------------------------------------ */

static _Thread_local tr_allocations *tracked;   /* NULL: nothing is noted */
static _Thread_local const tessera_site *place; /* of the next allocation; NULL: not said */

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

tr_blocks *tr_allocation_ring(void) {
  return tracked ? &tracked->accelerator : NULL;
}

void tr_allocation_done(void) {
  place = NULL;
}

/* ---- memory ---------------------------------------------------------------------------------- */

void tessera_rt_place(const tessera_site *site) {
  place = site;
}

void tr_allocation_fail(size_t bytes) {
  char message[128];
  tessera_context *context = tessera_context_current();
  if (place && context) {
    tr_call call;
    tr_call_begin_alone(place, &call);
    place = NULL;
    tr_call_end(&call,
                tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a tensor of %zu bytes", bytes),
                0);
  }
  snprintf(message, sizeof(message), "error: rank %d has no memory for a tensor of %zu bytes",
           context ? context->world.rank : 0, bytes);
  if (context)
    tr_context_raise(context, TESSERA_ERROR_OUT_OF_MEMORY, message);
  fprintf(stderr, "%s\n", message);
  _exit(1);
}

/* A tensor without elements gets an address of its own, so that freeing it needs no special case.
 */
void *_mlir_memref_to_llvm_alloc(size_t bytes) {
  const tr_device *device = tr_process_device();
  char *memory = device->allocate(device, bytes ? bytes : 1, tracked ? &tracked->process : NULL);
  if (!memory)
    tr_allocation_fail(bytes);
  place = NULL;
  return tr_device_reach(device, memory);
}

/* Alignments up to 64 hold anyway; MLIR asks for no more. */
void *_mlir_memref_to_llvm_aligned_alloc(size_t alignment, size_t bytes) {
  (void)alignment;
  return _mlir_memref_to_llvm_alloc(bytes);
}

void _mlir_memref_to_llvm_free(void *pointer) {
  const tr_device *device = tr_process_device();
  if (pointer)
    device->release(device, tr_device_regain(device, pointer));
}
