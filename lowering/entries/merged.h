/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Entry functions of many parameters as part of their wrappers. It knows calls; it must not know
 * what is passed. */
#ifndef TESSERA_LOWERING_ENTRIES_MERGED_H
#define TESSERA_LOWERING_ENTRIES_MERGED_H

#include "lowering/entries/entries.h"

/* Moves the body of each entry of many parameters that its wrapper alone calls into the wrapper.
 * Arguments are read, and views of them made, where they are first used; results are stored where
 * their memory is allocated. Linear in the ops. */
void ts_entries_merge(const ts_entries *entries, ts_records *records);

#endif /* TESSERA_LOWERING_ENTRIES_MERGED_H */
