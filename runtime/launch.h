/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which backend the process's default context gets, and which device all contexts do.
 * It must not know what a backend or a device does. */
#ifndef TESSERA_RUNTIME_LAUNCH_H
#define TESSERA_RUNTIME_LAUNCH_H

#include "backend.h"

/* Opens the world of the launcher that started the process, or one local rank. TESSERA_BACKEND
 * (local, mpi, openmpi, mpich) decides otherwise. */
tessera_status tr_launch_open(tr_world *world);

/* The device on which tensors lie: the host, or the module that TESSERA_DEVICE names. */
tessera_status tr_launch_device(const tr_device **device);
/* The same for what needs no context; the host where it cannot be loaded, as starting a context
 * says. Any thread. */
const tr_device *tr_process_device(void);

#endif /* TESSERA_RUNTIME_LAUNCH_H */
