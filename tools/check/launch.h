/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Starts an MPI job of tessera-check workers and waits for it.
 * It must not know what workers do. */
#ifndef TESSERA_TOOLS_CHECK_LAUNCH_H
#define TESSERA_TOOLS_CHECK_LAUNCH_H

#include <stdint.h>

#include <signal.h>

#include "common/values.h"

/* Runs `mpirun -n ranks <this program> arguments...` (NULL-terminated) under the given signal mask.
 * *status becomes the job's exit status, at most 1. */
bool launch_workers(int32_t ranks, const char *const *arguments, const sigset_t *mask, int *status,
                    message *message);

/* Ends the job that is running, if one is, and waits for its end. launch_workers then does not
 * return: the caller is about to end the process. */
void launch_end(void);

#endif /* TESSERA_TOOLS_CHECK_LAUNCH_H */
