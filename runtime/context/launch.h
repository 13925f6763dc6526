/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which backend the process's default context gets, and which devices contexts do.
 * It must not know what a backend or a device does. */
#ifndef TESSERA_RUNTIME_CONTEXT_LAUNCH_H
#define TESSERA_RUNTIME_CONTEXT_LAUNCH_H

#include "planes/backend.h"

/* Opens the world of the launcher that started the process, or one local rank. TESSERA_BACKEND
 * (local, mpi, openmpi, mpich, tcp) decides otherwise. */
tessera_status tr_launch_open(tr_world *world);

/* Opens the world that a rendezvous leads to. */
tessera_status tr_launch_open_by(const tessera_rendezvous *rendezvous, tr_world *world);

/* A device for a context: the host, or that of the module of this name. */
tessera_status tr_launch_device(const char *name, const tr_device_seat *seat,
                                const tr_device **device);
/* Puts a backend that moves memory of the world's device before the world's own. Collective over
 * all ranks; the world is as it was after a failure. */
tessera_status tr_launch_reach(tr_world *world);
/* What TESSERA_DEVICE says; NULL: nothing, so that programs decide. */
const char *tr_launch_device_name(void);

/* The device whose memory code that runs on the host allocates: the host, or what TESSERA_DEVICE
 * names if such code can reach it; the host where it cannot be loaded, as starting a context says.
 * Any thread. */
const tr_device *tr_process_device(void);

#endif /* TESSERA_RUNTIME_CONTEXT_LAUNCH_H */
