/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Entry functions: which they are, the parameters that their records describe, and the packed
 * wrappers that callers use. It knows signatures; it must not know bodies. */
#ifndef TESSERA_LOWERING_ENTRIES_ENTRIES_H
#define TESSERA_LOWERING_ENTRIES_ENTRIES_H

#include "lowering/calls/site_records.h"

typedef struct ts_entry {
  const char *name;               /* in the source */
  const char *symbol;             /* in the module by now */
  const char *packed;             /* symbol of the packed wrapper */
  const struct ts_entry *resolve; /* computes the unknown numbers of its layouts; NULL: none are */
  uint32_t flags;                 /* TESSERA_ENTRY_* */
  intptr_t num_arguments, num_results;
  const char *arguments, *results; /* symbols of arrays of tessera_parameter; NULL where empty */
  /* Of each result: the donated argument whose memory it is, and which the function therefore does
   * not return; -1: it does. NULL: it returns all. */
  const intptr_t *memory_of;
} ts_entry;

typedef struct ts_entries {
  intptr_t num;
  ts_entry *entries;
} ts_entries;

typedef struct ts_entry_options {
  const char *names; /* comma-separated, or "": every public function with a body */
  bool oracle;       /* functions without layouts are whole programs, not those of one device */
} ts_entry_options;

/* Chooses the entries, makes all other functions with bodies private, records the parameters and
 * takes their attributes off. To be called while functions are still on tensors. False after
 * diagnostics. */
bool ts_entries_collect(ts_entries *entries, ts_sites *sites, const ts_entry_options *options);

/* Makes the packed wrappers, once functions are on memrefs. */
void ts_entries_pack(const ts_entries *entries, ts_records *records);

#endif /* TESSERA_LOWERING_ENTRIES_ENTRIES_H */
