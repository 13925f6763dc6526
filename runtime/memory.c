/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Memory of the host for compiled programs: aligned, large blocks on huge pages and reused.
 * It must not know tensors; any thread may call it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "tessera/runtime.h"

#include "memory.h"

/* A temporary of some MiB that goes back to the system is faulted in again, page by page, the next
 * time: that costs more than filling it. So freed large blocks wait in bins by size, until as many
 * calls of programs as make a window have done without them. Under a memory checker every block is
 * its own, so that it sees overruns and uses after free. */
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
  tr_blocks ring; /* of the call that allocated it */
  char pad[ALIGNMENT - sizeof(size_t) - sizeof(void *) - sizeof(tr_blocks)];
} header;

_Static_assert(sizeof(header) == ALIGNMENT, "the header keeps the alignment");

static const size_t slack = (size_t)1 << 26;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Freed blocks of one class, the last one first. The deepest `unused` were in it all the time since
 * tr_memory_end_call looked last. */
typedef struct bin {
  header *first;
  size_t count;
  size_t unused;
} bin;

static bin bins[BINS];
static size_t cached;
static size_t in_use, most_in_use; /* of large blocks; since tr_memory_end_call looked last */
static size_t earlier_most;        /* and from one look before to that one */
static _Atomic int32_t ended_calls;

/* The class of a large size: its bin, and the bytes of a block in it. */
static size_t size_class(size_t bytes, size_t *class_bytes) {
  int power = 63 - __builtin_clzll(bytes);
  size_t step = ((size_t)1 << power) / STEPS;
  size_t above = (bytes - ((size_t)1 << power) + step - 1) / step;
  *class_bytes = ((size_t)1 << power) + above * step;
  return (size_t)(power - 18) * STEPS + above;
}

/* Counts a block as used, and takes it if there is one. */
static header *take_cached(bin *bin, size_t bytes) {
  pthread_mutex_lock(&lock);
  in_use += bytes;
  most_in_use = in_use > most_in_use ? in_use : most_in_use;
  header *block = bin->first;
  if (block) {
    bin->first = block->next;
    bin->count--;
    if (bin->unused > bin->count)
      bin->unused = bin->count;
    cached -= block->bytes;
  }
  pthread_mutex_unlock(&lock);
  return block;
}

/* Cuts off the deepest `count` blocks of a bin and puts them before `others`. */
static header *cut_deepest(bin *bin, size_t count, header *others) {
  header **place = &bin->first;
  for (size_t i = count; i < bin->count; i++)
    place = &(*place)->next;
  header *deepest = *place;
  *place = NULL;
  bin->count -= count;
  for (header *block = deepest, *next; block; block = next) {
    next = block->next;
    cached -= block->bytes;
    block->next = others;
    others = block;
  }
  return others;
}

/* What used and cached blocks may come to: what the program needs at once, and an eighth more for
 * ranks that need it at other times than each other. */
static size_t limit(void) {
  size_t most = most_in_use > earlier_most ? most_in_use : earlier_most;
  return most + most / 8 + slack;
}

/* Takes cached blocks, the largest first, until a new one has room. */
static header *make_room(void) {
  header *others = NULL;
  pthread_mutex_lock(&lock);
  for (size_t i = BINS; i > 0 && in_use + cached > limit(); i--) {
    bin *bin = &bins[i - 1];
    while (bin->first && in_use + cached > limit())
      others = cut_deepest(bin, 1, others);
    if (bin->unused > bin->count)
      bin->unused = bin->count;
  }
  pthread_mutex_unlock(&lock);
  return others;
}

/* Gives blocks back to the system. What free keeps for others has no pages. */
static void give_back(header *blocks) {
  enum { PAGE = 4096 };
  for (header *next; blocks; blocks = next) {
    next = blocks->next;
    uintptr_t start = ((uintptr_t)(blocks + 1) + PAGE - 1) / PAGE * PAGE;
    uintptr_t end = ((uintptr_t)blocks + blocks->bytes) / PAGE * PAGE;
    madvise((void *)start, end - start, MADV_DONTNEED);
    free(blocks);
  }
}

/* Gives all cached blocks back to the system. False if there were none. */
static bool drop_cached(void) {
  header *all = NULL;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < BINS; i++) {
    all = cut_deepest(&bins[i], bins[i].count, all);
    bins[i].unused = 0;
  }
  pthread_mutex_unlock(&lock);
  bool any = all;
  give_back(all);
  return any;
}

void tr_memory_drop(void) {
  drop_cached();
}

/* Ranks that do not keep step use now more, now less at once: that much may wait. */
void tr_memory_end_call(int32_t window) {
  if (atomic_fetch_add_explicit(&ended_calls, 1, memory_order_relaxed) + 1 < window)
    return;
  header *unused = NULL;
  size_t bytes = 0;
  pthread_mutex_lock(&lock);
  atomic_store_explicit(&ended_calls, 0, memory_order_relaxed);
  for (size_t i = 0; i < BINS; i++)
    bytes += bins[i].unused ? bins[i].unused * bins[i].first->bytes : 0;
  for (size_t i = 0; i < BINS; i++) {
    if (bytes > most_in_use)
      unused = cut_deepest(&bins[i], bins[i].unused, unused);
    bins[i].unused = bins[i].count;
  }
  earlier_most = most_in_use;
  most_in_use = in_use;
  pthread_mutex_unlock(&lock);
  give_back(unused);
}

/* Memory is exhausted only if it is without the cached blocks too. */
static header *allocate_fresh(size_t alignment, size_t bytes) {
  header *block = aligned_alloc(alignment, bytes);
  while (!block && drop_cached())
    block = aligned_alloc(alignment, bytes);
  return block;
}

static header *allocate_large(size_t bytes) {
  size_t class_bytes, number = size_class(bytes, &class_bytes);
  if (number >= BINS)
    return NULL;
  header *block = take_cached(&bins[number], class_bytes);
  if (block)
    return block;
  give_back(make_room());
  block = allocate_fresh(class_bytes >= HUGE_PAGE ? HUGE_PAGE : 4096, class_bytes);
  if (!block) {
    pthread_mutex_lock(&lock);
    in_use -= class_bytes;
    pthread_mutex_unlock(&lock);
    return NULL;
  }
  if (class_bytes >= HUGE_PAGE)
    madvise(block, class_bytes, MADV_HUGEPAGE);
  block->bytes = class_bytes;
  return block;
}

static void release_large(header *block) {
  size_t class_bytes;
  bin *bin = &bins[size_class(block->bytes, &class_bytes)];
  pthread_mutex_lock(&lock);
  in_use -= block->bytes;
  bool keep = in_use + cached + block->bytes <= limit();
  if (keep) {
    block->next = bin->first;
    bin->first = block;
    bin->count++;
    cached += block->bytes;
  }
  pthread_mutex_unlock(&lock);
  if (!keep)
    free(block);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static header *allocate(size_t bytes) {
  if (bytes == 0 || bytes > SIZE_MAX / 4)
    return NULL;
  size_t total = bytes + sizeof(header);
  if (POOLED && total >= LARGE)
    return allocate_large(total);
  header *block = allocate_fresh(ALIGNMENT, (total + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
  if (block)
    block->bytes = 0;
  return block;
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
