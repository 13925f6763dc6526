/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The names that MLIR's lowering calls for memory, and what happens where there is none.
 * It must not know how memory is kept, or where it is. */
#include "compiled/compiled_memory.h"

#include <stdio.h>
#include <unistd.h>

#include "compiled/site_call.h"
#include "context/launch.h"
#include "memory/allocation.h"
#include "support/error.h"

static _Thread_local const tessera_site *place; /* of the next allocation; NULL: not said */

void tr_compiled_memory_done(void) {
  place = NULL;
}

void tessera_rt_place(const tessera_site *site) {
  place = site;
}

void tr_compiled_memory_fail(size_t bytes) {
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
  tr_allocations *tracked = tr_allocation_tracked();
  char *memory = device->allocate(device, bytes ? bytes : 1, tracked ? &tracked->process : NULL);
  if (!memory)
    tr_compiled_memory_fail(bytes);
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
