/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Results that lie in the memory of a donated argument. It knows memrefs and returns; it must not
 * know how they came to lie there. */
#ifndef TESSERA_LOWERING_MEMORY_DONATED_H
#define TESSERA_LOWERING_MEMORY_DONATED_H

#include "lowering/entries/entries.h"

/* Entries no longer return results that are a donated argument's memory as a whole; `memory_of`
 * says which these are. Of an argument that is returned twice the first. */
void ts_memory_hand_over(ts_entries *entries, ts_records *records);

#endif /* TESSERA_LOWERING_MEMORY_DONATED_H */
