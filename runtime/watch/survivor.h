/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A process beside the ranks of a host, which says which of them went first where the launcher ends
 * all others before any can speak. It must not know MPI. */
#ifndef TESSERA_RUNTIME_WATCH_SURVIVOR_H
#define TESSERA_RUNTIME_WATCH_SURVIVOR_H

#include "planes/backend.h"
#include "watch/sight.h"

/* Called by one rank of a host, when all have their seats. The process has only what is mapped now
 * and the standard error; it ends when all ranks of the board have ended their contexts or are
 * gone. Where the system does not let it be, nobody says anything. */
void tr_survivor_start(const tr_sight *sight, const tr_world *world);

#endif /* TESSERA_RUNTIME_WATCH_SURVIVOR_H */
