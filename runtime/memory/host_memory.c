/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Memory of the host for compiled programs: aligned, large blocks on huge pages and reused.
 * It must not know tensors; any thread may call it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "tessera/runtime.h"

#include "memory/heap.h"
#include "memory/host_memory.h"

/* A temporary of some MiB that goes back to the system is faulted in again, page by page, the next
 * time: that costs more than filling it. So large blocks come from one range of addresses, where
 * freed memory serves blocks of any size, and keeps its pages until as many calls of programs as
 * make a window have done without them. Under a memory checker every block is its own, so that it
 * sees overruns and uses after free. */
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
  LARGE = 1 << 18 /* blocks from here on are pooled */
};

/* Stands before what the caller sees. */
typedef struct header {
  size_t bytes;   /* of the heap, header included; 0: of the C library */
  tr_blocks ring; /* of the call that allocated it */
  char pad[ALIGNMENT - sizeof(size_t) - sizeof(tr_blocks)];
} header;

_Static_assert(sizeof(header) == ALIGNMENT, "the header keeps the alignment");

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t in_use, most_in_use; /* of large blocks; since tr_memory_end_call looked last */
static _Atomic int32_t ended_calls;

/* Gives all pages of free memory back to the system. False if there were none. */
static bool drop_free(void) {
  pthread_mutex_lock(&lock);
  bool any = tr_heap_drop() > 0;
  pthread_mutex_unlock(&lock);
  return any;
}

void tr_memory_drop(void) {
  drop_free();
}

/* Ranks that do not keep step use now more, now less at once: that much may wait. */
void tr_memory_end_call(int32_t window) {
  if (atomic_fetch_add_explicit(&ended_calls, 1, memory_order_relaxed) + 1 < window)
    return;
  pthread_mutex_lock(&lock);
  atomic_store_explicit(&ended_calls, 0, memory_order_relaxed);
  if (tr_heap_unused() > most_in_use)
    tr_heap_drop_unused();
  most_in_use = in_use;
  pthread_mutex_unlock(&lock);
}

/* Memory is exhausted only if it is without the free pages too. */
static header *allocate_apart(size_t bytes) {
  size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  header *block = aligned_alloc(ALIGNMENT, rounded);
  while (!block && drop_free())
    block = aligned_alloc(ALIGNMENT, rounded);
  if (block)
    block->bytes = 0;
  return block;
}

static header *allocate_large(size_t bytes) {
  size_t rounded = (bytes + TR_HEAP_GRAIN - 1) / TR_HEAP_GRAIN * TR_HEAP_GRAIN;
  pthread_mutex_lock(&lock);
  header *block = tr_heap_take(rounded);
  if (block) {
    block->bytes = rounded;
    in_use += rounded;
    most_in_use = in_use > most_in_use ? in_use : most_in_use;
  }
  pthread_mutex_unlock(&lock);
  return block;
}

static void release_large(header *block) {
  size_t bytes = block->bytes;
  pthread_mutex_lock(&lock);
  in_use -= bytes;
  tr_heap_give(block, bytes);
  pthread_mutex_unlock(&lock);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static header *allocate(size_t bytes) {
  if (bytes == 0 || bytes > SIZE_MAX / 4)
    return NULL;
  size_t total = bytes + sizeof(header);
  header *block = POOLED && total >= LARGE ? allocate_large(total) : NULL;
  return block ? block : allocate_apart(total);
}

void *tr_memory_allocate(size_t bytes, tr_blocks *ring) {
  header *block = allocate(bytes);
  if (!block)
    return NULL;
  if (ring)
    tr_blocks_enter(ring, &block->ring);
  else
    block->ring = (tr_blocks){NULL, NULL};
  return block + 1;
}

void *tessera_alloc(size_t bytes) {
  return tr_memory_allocate(bytes, NULL);
}

void tessera_free(void *pointer) {
  if (!pointer)
    return;
  header *block = (header *)pointer - 1;
  tr_blocks_leave(&block->ring);
  if (block->bytes)
    release_large(block);
  else
    free(block);
}

void tr_memory_give_back(tr_blocks *ring) {
  while (tr_blocks_any(ring)) {
    header *block = (header *)((char *)ring->next - offsetof(header, ring));
    tessera_free(block + 1);
  }
}
