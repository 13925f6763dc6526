/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Memory of the host that is taken piece by piece in a call, and kept for the next one.
 * It must not know what the memory is for. */
#ifndef TESSERA_RUNTIME_MEMORY_SCRATCH_H
#define TESSERA_RUNTIME_MEMORY_SCRATCH_H

#include <stddef.h>

typedef struct tr_scratch_block tr_scratch_block;

/* Zeros are an empty one. Used by one thread at a time. */
typedef struct tr_scratch {
  tr_scratch_block *block;
  size_t peak; /* the most that a call took since tr_scratch_shrink */
} tr_scratch;

/* Memory until the next tr_scratch_reset, 64-byte aligned; NULL if exhausted. Blocks are kept, so a
 * repeated pattern of calls allocates once. */
void *tr_scratch_take(tr_scratch *scratch, size_t bytes);
void tr_scratch_reset(tr_scratch *scratch);
/* Between calls: keeps no more than twice of what they took since the last time, or nothing. */
void tr_scratch_shrink(tr_scratch *scratch);
void tr_scratch_drop(tr_scratch *scratch);

#endif /* TESSERA_RUNTIME_MEMORY_SCRATCH_H */
