/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The program record: the constant that a compiled program exports. It knows the tables that the
 * other stages made. */
#ifndef TESSERA_LOWERING_ENTRIES_PROGRAM_RECORD_H
#define TESSERA_LOWERING_ENTRIES_PROGRAM_RECORD_H

#include "lowering/calls/site_records.h"
#include "lowering/entries/entries.h"

/* The record of code for a device, which targets make that have some. */
#define TS_DEVICE_CODE "tessera.device_code"

/* Drops sites that nothing calls, numbers the rest, and makes `tessera_program`. */
void ts_program_record(ts_sites *sites, const ts_entries *entries);

#endif /* TESSERA_LOWERING_ENTRIES_PROGRAM_RECORD_H */
