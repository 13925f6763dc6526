/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Scratch memory of a context: blocks that grow to what a call needs and stay.
 * It must not know what the memory is for. */
#include "context.h"

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

static tr_scratch_block *add_block(tessera_context *context, size_t bytes) {
  tr_scratch_block *last = context->scratch;
  size_t earlier = last ? last->earlier + last->used : 0;
  size_t capacity = bytes > SCRATCH_SMALLEST ? bytes : SCRATCH_SMALLEST;
  if (capacity < earlier)
    capacity = round_up(earlier);
  tr_scratch_block *block = tessera_alloc(round_up(sizeof(*block)) + round_up(capacity));
  if (!block)
    return NULL;
  *block = (tr_scratch_block){last, round_up(capacity), 0, earlier};
  context->scratch = block;
  return block;
}

static char *memory_of(tr_scratch_block *block) {
  return (char *)block + round_up(sizeof(*block));
}

void *tr_scratch_take(tessera_context *context, size_t bytes) {
  bytes = round_up(bytes ? bytes : 1);
  tr_scratch_block *block = context->scratch;
  if (!block || block->capacity - block->used < bytes)
    block = add_block(context, bytes);
  if (!block)
    return NULL;
  char *memory = memory_of(block) + block->used;
  block->used += bytes;
  return memory;
}

/* Keeps one block that is large enough for all that the last call took. */
void tr_scratch_reset(tessera_context *context) {
  tr_scratch_block *block = context->scratch;
  if (!block)
    return;
  size_t total = block->earlier + block->used;
  if (total > context->scratch_peak)
    context->scratch_peak = total;
  tr_scratch_block *older = block->next;
  block->next = NULL;
  block->used = block->earlier = 0;
  for (tr_scratch_block *next; older; older = next) {
    next = older->next;
    tessera_free(older);
  }
  if (total > block->capacity) {
    tessera_free(block);
    context->scratch = NULL;
    add_block(context, total);
  }
}

void tr_scratch_drop(tessera_context *context) {
  tr_scratch_reset(context);
  tessera_free(context->scratch);
  context->scratch = NULL;
}

void tr_scratch_shrink(tessera_context *context) {
  const tr_scratch_block *block = context->scratch;
  if (block && block->capacity > SCRATCH_SMALLEST && block->capacity / 2 > context->scratch_peak)
    tr_scratch_drop(context);
  context->scratch_peak = 0;
}
