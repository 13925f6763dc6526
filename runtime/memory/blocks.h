/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Blocks of memory in a ring: what compiled code has allocated in one call, so that all of it can
 * be given back. It must not know where the memory is. */
#ifndef TESSERA_RUNTIME_MEMORY_BLOCKS_H
#define TESSERA_RUNTIME_MEMORY_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

/* A ring, or a member of one: each is in one ring at most. */
typedef struct tr_blocks {
  struct tr_blocks *next, *previous; /* NULL: in no ring */
} tr_blocks;

static inline void tr_blocks_start(tr_blocks *ring) {
  ring->next = ring->previous = ring;
}

static inline bool tr_blocks_any(const tr_blocks *ring) {
  return ring->next != ring;
}

static inline void tr_blocks_enter(tr_blocks *ring, tr_blocks *block) {
  *block = (tr_blocks){ring->next, ring};
  ring->next->previous = block;
  ring->next = block;
}

static inline void tr_blocks_leave(tr_blocks *block) {
  if (!block->next)
    return;
  block->next->previous = block->previous;
  block->previous->next = block->next;
  block->next = block->previous = NULL;
}

#endif /* TESSERA_RUNTIME_MEMORY_BLOCKS_H */
