/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which backend the process's default context gets.
 * It must not know what a backend does. */
#ifndef TESSERA_RUNTIME_LAUNCH_H
#define TESSERA_RUNTIME_LAUNCH_H

#include "backend.h"

/* Opens the world of the launcher that started the process, or one local rank. TESSERA_BACKEND
 * (local, mpi, openmpi, mpich) decides otherwise. */
tessera_status tr_launch_open(tr_world *world);

#endif /* TESSERA_RUNTIME_LAUNCH_H */
