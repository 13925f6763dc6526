/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Whether the record of a program is one, before anything follows its pointers.
 * It must not know contexts, or where the record came from. */
#ifndef TESSERA_RUNTIME_PROGRAM_RECORD_H
#define TESSERA_RUNTIME_PROGRAM_RECORD_H

#include "tessera/runtime.h"

/* Checks every pointer, count, size and layout of the record; `name` is the program's in messages,
 * which say what is wrong where. A count is compared with what it may be, not with what the memory
 * holds, and a pointer with what an address looks like: a record cannot tell more. */
tessera_status tr_record_check(const tessera_program_record *record, const char *name);

#endif /* TESSERA_RUNTIME_PROGRAM_RECORD_H */
