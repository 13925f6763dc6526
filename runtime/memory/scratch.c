/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Scratch memory: blocks that grow to what a call needs and stay.
 * It must not know what the memory is for. */
#include "memory/scratch.h"

#include "tessera/runtime.h"

enum { SCRATCH_ALIGNMENT = 64, SCRATCH_SMALLEST = 1 << 14 };

struct tr_scratch_block {
  tr_scratch_block *next; /* older and smaller blocks of the same call */
  size_t capacity;        /* without this header */
  size_t used;
  size_t earlier; /* bytes used in `next` and beyond */
};

static size_t round_up(size_t bytes) {
  return (bytes + SCRATCH_ALIGNMENT - 1) / SCRATCH_ALIGNMENT * SCRATCH_ALIGNMENT;
}

static tr_scratch_block *add_block(tr_scratch *scratch, size_t bytes) {
  tr_scratch_block *last = scratch->block;
  size_t earlier = last ? last->earlier + last->used : 0;
  size_t capacity = bytes > SCRATCH_SMALLEST ? bytes : SCRATCH_SMALLEST;
  if (capacity < earlier)
    capacity = round_up(earlier);
  tr_scratch_block *block = tessera_alloc(round_up(sizeof(*block)) + round_up(capacity));
  if (!block)
    return NULL;
  *block = (tr_scratch_block){last, round_up(capacity), 0, earlier};
  scratch->block = block;
  return block;
}

static char *memory_of(tr_scratch_block *block) {
  return (char *)block + round_up(sizeof(*block));
}

void *tr_scratch_take(tr_scratch *scratch, size_t bytes) {
  bytes = round_up(bytes ? bytes : 1);
  tr_scratch_block *block = scratch->block;
  if (!block || block->capacity - block->used < bytes)
    block = add_block(scratch, bytes);
  if (!block)
    return NULL;
  char *memory = memory_of(block) + block->used;
  block->used += bytes;
  return memory;
}

/* Keeps one block that is large enough for all that the last call took. */
void tr_scratch_reset(tr_scratch *scratch) {
  tr_scratch_block *block = scratch->block;
  if (!block)
    return;
  size_t total = block->earlier + block->used;
  if (total > scratch->peak)
    scratch->peak = total;
  tr_scratch_block *older = block->next;
  block->next = NULL;
  block->used = block->earlier = 0;
  for (tr_scratch_block *next; older; older = next) {
    next = older->next;
    tessera_free(older);
  }
  if (total > block->capacity) {
    tessera_free(block);
    scratch->block = NULL;
    add_block(scratch, total);
  }
}

void tr_scratch_drop(tr_scratch *scratch) {
  tr_scratch_reset(scratch);
  tessera_free(scratch->block);
  scratch->block = NULL;
}

void tr_scratch_shrink(tr_scratch *scratch) {
  const tr_scratch_block *block = scratch->block;
  if (block && block->capacity > SCRATCH_SMALLEST && block->capacity / 2 > scratch->peak)
    tr_scratch_drop(scratch);
  scratch->peak = 0;
}
