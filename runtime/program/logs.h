/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The logs of processes, brought together and written.
 * It must not know how they came about. */
#ifndef TESSERA_RUNTIME_PROGRAM_LOGS_H
#define TESSERA_RUNTIME_PROGRAM_LOGS_H

#include "tessera/runtime.h"

/* Collective over all ranks: rank 0 writes what TESSERA_TRACE and TESSERA_STATS ask for. */
tessera_status tr_logs_report(tessera_context *context);

#endif /* TESSERA_RUNTIME_PROGRAM_LOGS_H */
