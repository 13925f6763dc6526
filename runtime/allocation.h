/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What compiled code allocates in one call, so that all of it can be given back.
 * It must not know what the memory is for, or where it is. */
#ifndef TESSERA_RUNTIME_ALLOCATION_H
#define TESSERA_RUNTIME_ALLOCATION_H

#include "blocks.h"

/* What compiled code allocates in this thread is noted in `ring`, which becomes empty, until
 * tr_allocation_forget. Returns where it was noted before, for that. */
tr_blocks *tr_allocation_track(tr_blocks *ring);
void tr_allocation_forget(tr_blocks *before);

/* For the end of a call: what is still there belongs to the caller, or goes back. */
void tr_allocation_keep(tr_blocks *ring);
void tr_allocation_give_back(tr_blocks *ring);

#endif /* TESSERA_RUNTIME_ALLOCATION_H */
