/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Memory for compiled programs: aligned, large blocks on huge pages and reused.
 * It must not know tensors; any thread may call it. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tessera/runtime.h"

#include "context.h"

/* A temporary of some MiB that goes back to the system is faulted in again, page by page, the next
 * time: that costs more than filling it. So freed large blocks wait in bins by size. Under a memory
 * checker every block is its own, so that it sees overruns and uses after free. */
#if defined(__SANITIZE_ADDRESS__)
#define POOLED 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POOLED 0
#endif
#endif
#ifndef POOLED
#define POOLED 1
#endif

enum {
  ALIGNMENT = 64,
  HUGE_PAGE = 1 << 21,
  LARGE = 1 << 18, /* blocks from here on are pooled */
  STEPS = 4,       /* size classes per power of two */
  BINS = 40 * STEPS
};

/* Stands before what the caller sees. */
typedef struct header {
  size_t bytes; /* of the class, header included; 0: not pooled */
  struct header *next;
  char pad[ALIGNMENT - sizeof(size_t) - sizeof(void *)];
} header;

_Static_assert(sizeof(header) == ALIGNMENT, "the header keeps the alignment");

static const size_t cached_limit = (size_t)1 << 30;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static header *bins[BINS];
static size_t cached;

/* The class of a large size: its bin, and the bytes of a block in it. */
static size_t size_class(size_t bytes, size_t *class_bytes) {
  int power = 63 - __builtin_clzll(bytes);
  size_t step = ((size_t)1 << power) / STEPS;
  size_t above = (bytes - ((size_t)1 << power) + step - 1) / step;
  *class_bytes = ((size_t)1 << power) + above * step;
  return (size_t)(power - 18) * STEPS + above;
}

static header *take_cached(size_t bin) {
  pthread_mutex_lock(&lock);
  header *block = bins[bin];
  if (block) {
    bins[bin] = block->next;
    cached -= block->bytes;
  }
  pthread_mutex_unlock(&lock);
  return block;
}

/* Gives all cached blocks back to the system. False if there were none. */
static bool drop_cached(void) {
  header *all = NULL;
  pthread_mutex_lock(&lock);
  for (size_t bin = 0; bin < BINS; bin++)
    while (bins[bin]) {
      header *block = bins[bin];
      bins[bin] = block->next;
      block->next = all;
      all = block;
    }
  cached = 0;
  pthread_mutex_unlock(&lock);
  bool any = all;
  for (header *next; all; all = next) {
    next = all->next;
    free(all);
  }
  return any;
}

/* Memory is exhausted only if it is without the cached blocks too. */
static header *allocate_fresh(size_t alignment, size_t bytes) {
  header *block = aligned_alloc(alignment, bytes);
  while (!block && drop_cached())
    block = aligned_alloc(alignment, bytes);
  return block;
}

static header *allocate_large(size_t bytes) {
  size_t class_bytes, bin = size_class(bytes, &class_bytes);
  if (bin >= BINS)
    return NULL;
  header *block = take_cached(bin);
  if (block)
    return block;
  block = allocate_fresh(class_bytes >= HUGE_PAGE ? HUGE_PAGE : 4096, class_bytes);
  if (!block)
    return NULL;
  if (class_bytes >= HUGE_PAGE)
    madvise(block, class_bytes, MADV_HUGEPAGE);
  block->bytes = class_bytes;
  return block;
}

static void release_large(header *block) {
  size_t class_bytes, bin = size_class(block->bytes, &class_bytes);
  pthread_mutex_lock(&lock);
  bool keep = cached + block->bytes <= cached_limit;
  if (keep) {
    block->next = bins[bin];
    bins[bin] = block;
    cached += block->bytes;
  }
  pthread_mutex_unlock(&lock);
  if (!keep)
    free(block);
}

void *tessera_alloc(size_t bytes) {
  if (bytes == 0 || bytes > SIZE_MAX / 4)
    return NULL;
  size_t total = bytes + sizeof(header);
  if (POOLED && total >= LARGE) {
    header *block = allocate_large(total);
    return block ? block + 1 : NULL;
  }
  header *block = allocate_fresh(ALIGNMENT, (total + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
  if (!block)
    return NULL;
  block->bytes = 0;
  return block + 1;
}

void tessera_free(void *pointer) {
  if (!pointer)
    return;
  header *block = (header *)pointer - 1;
  if (block->bytes)
    release_large(block);
  else
    free(block);
}

/* ---- the names that MLIR's lowering calls -------------------------------------------------------
 */

/* A tensor without elements gets an address of its own, so that freeing it needs no special case.
 */
void *_mlir_memref_to_llvm_alloc(size_t bytes) {
  void *memory = tessera_alloc(bytes ? bytes : 1);
  if (memory)
    return memory;
  char message[96];
  snprintf(message, sizeof(message), "error: no memory for a tensor of %zu bytes", bytes);
  tessera_context *context = tessera_context_current();
  if (context)
    tr_context_raise(context, TESSERA_ERROR_OUT_OF_MEMORY, message);
  fprintf(stderr, "%s\n", message);
  _exit(1);
}

/* Alignments up to 64 hold anyway; MLIR asks for no more. */
void *_mlir_memref_to_llvm_aligned_alloc(size_t alignment, size_t bytes) {
  (void)alignment;
  return _mlir_memref_to_llvm_alloc(bytes);
}

void _mlir_memref_to_llvm_free(void *pointer) {
  tessera_free(pointer);
}
