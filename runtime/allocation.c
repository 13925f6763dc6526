/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The names that MLIR's lowering calls for memory, and what happens where there is none.
 * It must not know how memory is kept. */
#include <stdio.h>
#include <unistd.h>

#include "guard.h"
#include "memory.h"

static _Noreturn void fail_without_memory(size_t bytes) {
  char message[128];
  tessera_context *context = tessera_context_current();
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
  void *memory = tr_memory_allocate(bytes ? bytes : 1);
  if (!memory)
    fail_without_memory(bytes);
  return memory;
}

/* Alignments up to 64 hold anyway; MLIR asks for no more. */
void *_mlir_memref_to_llvm_aligned_alloc(size_t alignment, size_t bytes) {
  (void)alignment;
  return _mlir_memref_to_llvm_alloc(bytes);
}

void _mlir_memref_to_llvm_free(void *pointer) {
  tessera_free(pointer);
}
