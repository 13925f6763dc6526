/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Blocks of memory under addresses that fault on the host; poisoned where they begin and end.
 * It must not know streams. */
#include <stdlib.h>
#include <string.h>

#include "ptx.h"
#include "standin.h"

typedef struct block {
  uint64_t address;
  const void *host; /* the same without the tag: who looks for leaks sees that it is known */
  size_t bytes;
  bool is_there, is_adopted; /* memory of somebody else */
} block;

/* In the order of addresses. */
static block *blocks;
static size_t num_blocks, capacity;

enum { ALIGNMENT = 256, POISON = 0xcb };

static size_t room(void) {
  const char *given = getenv("STANDIN_MEMORY");
  return given ? strtoull(given, NULL, 10) : (size_t)1 << 34;
}

/* Of the first block that begins behind `address`. */
static size_t behind(uint64_t address) {
  size_t low = 0, high = num_blocks;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (blocks[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static char *host_of(uint64_t address) {
  return (char *)(uintptr_t)(address & ~DEVICE_TAG);
}

static uint64_t enter(const void *memory, size_t bytes) {
  if (num_blocks == capacity) {
    capacity = capacity ? 2 * capacity : 256;
    block *larger = realloc(blocks, capacity * sizeof(*blocks));
    if (!larger)
      abort();
    blocks = larger;
  }
  uint64_t address = (uint64_t)(uintptr_t)memory | DEVICE_TAG;
  size_t at = behind(address);
  memmove(&blocks[at + 1], &blocks[at], (num_blocks - at) * sizeof(*blocks));
  blocks[at] = (block){address, memory, bytes, false, false};
  num_blocks++;
  return address;
}

uint64_t memory_reserve(size_t bytes) {
  size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  char *memory = bytes <= room() ? aligned_alloc(ALIGNMENT, rounded) : NULL;
  return memory ? enter(memory, bytes) : 0;
}

static block *find(uint64_t address) {
  size_t at = behind(address);
  return at > 0 ? &blocks[at - 1] : NULL;
}

void memory_begin(uint64_t address) {
  block *begun = find(address);
  begun->is_there = true;
  memset(host_of(address), POISON, begun->bytes);
}

bool memory_end(uint64_t address) {
  block *ended = find(address);
  if (!ended || ended->address != address || !ended->is_there)
    return false;
  if (!ended->is_adopted) {
    memset(host_of(address), POISON, ended->bytes);
    free(host_of(address));
  }
  size_t at = (size_t)(ended - blocks);
  memmove(ended, ended + 1, (num_blocks - at - 1) * sizeof(*blocks));
  num_blocks--;
  return true;
}

void memory_adopt(void *memory, size_t bytes) {
  block *adopted = find(enter(memory, bytes));
  adopted->is_there = adopted->is_adopted = true;
}

size_t memory_blocks(void) {
  return num_blocks;
}

char *device_memory(uint64_t address, size_t bytes) {
  const block *found = find(address);
  if (!found || !found->is_there || address - found->address > found->bytes ||
      bytes > found->bytes - (address - found->address))
    return NULL;
  return host_of(address);
}
