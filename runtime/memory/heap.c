/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Large blocks cut from one range of addresses, so that memory that one size gave back serves any
 * other. It must not know what blocks are for; whoever calls it holds a lock. */
#include "memory/heap.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CHUNK = 1 << 21 }; /* a huge page: of each it is known when a block had it last */

/* Free memory between blocks, in the order of addresses; it stands where the memory begins. */
typedef struct gap {
  struct gap *next;
  size_t bytes;
} gap;

static char *start;    /* NULL: no range, for now or for ever */
static size_t length;  /* of the range */
static size_t top;     /* no block is behind it, and no gap */
static size_t touched; /* nothing behind it has pages */
static gap *gaps;
static uint32_t *last_used; /* by chunk: the stretch in which a block had it; 0: it has no pages */
static uint32_t stretch = 2;
static bool has_failed;

/* As much as the machine has: what is more could never be filled. Pages come when they are touched.
 */
static void reserve(void) {
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  has_failed = true;
  if (pages <= 0 || page <= 0)
    return;
  size_t bytes = (size_t)pages * (size_t)page / CHUNK * CHUNK;
  last_used = calloc(bytes / CHUNK + 1, sizeof(*last_used));
  char *range = last_used ? mmap(NULL, bytes + CHUNK, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                          : MAP_FAILED;
  if (range == MAP_FAILED) {
    free(last_used);
    return;
  }
  start = (char *)(((uintptr_t)range + CHUNK - 1) / CHUNK * CHUNK);
  length = bytes;
  madvise(start, length, MADV_HUGEPAGE);
  has_failed = false;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The smallest gap that is large enough, the first of equals; NULL if there is none. */
static gap **find_gap(size_t bytes) {
  gap **best = NULL;
  for (gap **place = &gaps; *place; place = &(*place)->next)
    if ((*place)->bytes >= bytes && (!best || (*place)->bytes < (*best)->bytes))
      best = place;
  return best;
}

static void note_use(const char *block, size_t bytes) {
  size_t first = (size_t)(block - start) / CHUNK;
  size_t last = ((size_t)(block - start) + bytes - 1) / CHUNK;
  for (size_t chunk = first; chunk <= last; chunk++)
    last_used[chunk] = stretch;
}

static char *cut(gap **place, size_t bytes) {
  gap *found = *place;
  if (found->bytes == bytes) {
    *place = found->next;
  } else {
    gap *rest = (gap *)((char *)found + bytes);
    *rest = (gap){found->next, found->bytes - bytes};
    note_use((char *)rest, sizeof(*rest));
    *place = rest;
  }
  return (char *)found;
}

void *tr_heap_take(size_t bytes) {
  if (!start && !has_failed)
    reserve();
  gap **place = find_gap(bytes);
  char *block = NULL;
  if (place) {
    block = cut(place, bytes);
  } else if (start && bytes <= length - top) {
    block = start + top;
    top += bytes;
    touched = touched > top ? touched : top;
  }
  if (block)
    note_use(block, bytes);
  return block;
}

void tr_heap_give(void *block, size_t bytes) {
  gap **place = &gaps, *before = NULL, *freed = block;
  note_use(block, bytes);
  for (; *place && (char *)*place < (char *)block; place = &(*place)->next)
    before = *place;
  *freed = (gap){*place, bytes};
  *place = freed;
  if (freed->next && (char *)freed + freed->bytes == (char *)freed->next) {
    freed->bytes += freed->next->bytes;
    freed->next = freed->next->next;
  }
  if (before && (char *)before + before->bytes == (char *)freed) {
    before->bytes += freed->bytes;
    before->next = freed->next;
    freed = before;
  }
  if ((char *)freed + freed->bytes != start + top)
    return;
  for (place = &gaps; *place != freed; place = &(*place)->next)
    ;
  *place = NULL;
  top = (size_t)((char *)freed - start);
}

/* ---- pages ----------------------------------------------------------------------------------- */

/* Whole chunks with pages in free memory that no block had since stretch `since`: their bytes.
 * Gives them back if `drop`. The first bytes of a gap say that it is one. */
typedef enum fate { FATE_KEEP, FATE_DROP } fate;

static size_t sweep_range(size_t from, size_t to, uint32_t since, fate fate) {
  size_t bytes = 0;
  for (size_t chunk = (from + CHUNK - 1) / CHUNK; (chunk + 1) * CHUNK <= to; chunk++) {
    if (last_used[chunk] == 0 || last_used[chunk] >= since)
      continue;
    bytes += CHUNK;
    if (fate == FATE_DROP) {
      madvise(start + chunk * CHUNK, CHUNK, MADV_DONTNEED);
      last_used[chunk] = 0;
    }
  }
  return bytes;
}

static size_t sweep(uint32_t since, fate fate) {
  size_t bytes = 0;
  for (gap *at = gaps; at; at = at->next) {
    size_t from = (size_t)((char *)at - start);
    bytes += sweep_range(from + sizeof(*at), from + at->bytes, since, fate);
  }
  size_t end = (touched + CHUNK - 1) / CHUNK * CHUNK;
  bytes += sweep_range(top, end, since, fate);
  if (fate == FATE_DROP && since > stretch)
    touched = top;
  return bytes;
}

size_t tr_heap_unused(void) {
  size_t bytes = start ? sweep(stretch, FATE_KEEP) : 0;
  stretch++;
  return bytes;
}

void tr_heap_drop_unused(void) {
  if (start)
    sweep(stretch - 1, FATE_DROP);
}

size_t tr_heap_drop(void) {
  return start ? sweep(stretch + 1, FATE_DROP) : 0;
}
