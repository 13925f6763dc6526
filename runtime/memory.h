/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What compiled code allocates in one call, so that all of it can be given back.
 * It must not know what the memory is for. */
#ifndef TESSERA_RUNTIME_MEMORY_H
#define TESSERA_RUNTIME_MEMORY_H

#include "tessera/runtime.h"

/* A ring of blocks, each of which is in one ring at most. */
typedef struct tr_blocks {
  struct tr_blocks *next, *previous; /* NULL: in no ring */
} tr_blocks;

/* tessera_alloc for compiled code. */
void *tr_memory_allocate(size_t bytes);

/* What compiled code allocates in this thread is noted in `blocks`, which becomes empty, until
 * tr_memory_forget. Returns where it was noted before, for that. */
tr_blocks *tr_memory_track(tr_blocks *blocks);
void tr_memory_forget(tr_blocks *before);

/* For the end of a call: what is still there belongs to the caller, or goes back. */
void tr_memory_keep(tr_blocks *blocks);
void tr_memory_give_back(tr_blocks *blocks);

#endif /* TESSERA_RUNTIME_MEMORY_H */
