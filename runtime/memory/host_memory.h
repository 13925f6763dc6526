/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The host's memory beside tessera_alloc and tessera_free: blocks of a call, and those that wait to
 * be used again. It must not know what the memory is for. */
#ifndef TESSERA_RUNTIME_MEMORY_HOST_MEMORY_H
#define TESSERA_RUNTIME_MEMORY_HOST_MEMORY_H

#include "tessera/runtime.h"

#include "memory/blocks.h"

/* tessera_alloc; the block is in `ring` until it is freed or leaves it. NULL: in none. */
void *tr_memory_allocate(size_t bytes, tr_blocks *ring);
/* Frees all that is in the ring. */
void tr_memory_give_back(tr_blocks *ring);

/* Of the memory that all ranks of this process share: gives back what waited unused for `window`
 * ended calls if it is more than was ever used in them, or all that waits. */
void tr_memory_end_call(int32_t window);
void tr_memory_drop(void);

#endif /* TESSERA_RUNTIME_MEMORY_HOST_MEMORY_H */
