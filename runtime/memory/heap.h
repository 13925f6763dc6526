/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Large blocks cut from one range of addresses, so that memory that one size gave back serves any
 * other. It must not know what blocks are for; whoever calls it holds a lock. */
#ifndef TESSERA_RUNTIME_MEMORY_HEAP_H
#define TESSERA_RUNTIME_MEMORY_HEAP_H

#include <stddef.h>

enum { TR_HEAP_GRAIN = 1 << 16 };

/* `bytes`, a multiple of TR_HEAP_GRAIN, aligned so; what a block before left there, or zeros. NULL
 * where the range has no room: it is as large as the machine's memory, or there is none. */
void *tr_heap_take(size_t bytes);
void tr_heap_give(void *block, size_t bytes);

/* Begins a new stretch of time, and returns how many bytes no block had in the one that ends. They
 * keep their pages. */
size_t tr_heap_unused(void);
/* Gives the pages of those back to the system: of all that no block had in the last stretch. */
void tr_heap_drop_unused(void);
/* The same of all that no block has now; the bytes that had pages. */
size_t tr_heap_drop(void);

#endif /* TESSERA_RUNTIME_MEMORY_HEAP_H */
