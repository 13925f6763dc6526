/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The start of the process that outlives the ranks of a host (main.c).
 * It must not know MPI. */
#ifndef TESSERA_RUNTIME_AFTER_START_H
#define TESSERA_RUNTIME_AFTER_START_H

/* Its descriptors beside the standard error. */
enum { TR_AFTER_BOARD = 3, TR_AFTER_BEACON = 4 };

/* Called by the first rank of a host, when all have their pulses, which are looked at when it
 * returns; the descriptors, of the board's memory and a socket or -1, stay the caller's. Where it
 * cannot be started nobody outlives the ranks. */
void tr_after_start(int board, int beacon);

#endif /* TESSERA_RUNTIME_AFTER_START_H */
