/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How many threads compute for a rank, and those of them that help it.
 * It must not know what they compute. */
#ifndef TESSERA_RUNTIME_THREADS_THREADS_H
#define TESSERA_RUNTIME_THREADS_THREADS_H

#include "context/context.h"

/* A rank's share of the host's cores, or what the environment asks for. Fails where that is no
 * number. */
tessera_status tr_threads_choose(tessera_context *context);

/* The threads that compute, started if they are not there; NULL: there is one. */
tr_pool *tr_threads_pool(tessera_context *context);

/* Ends the threads that helped. */
void tr_threads_stop(tessera_context *context);

#endif /* TESSERA_RUNTIME_THREADS_THREADS_H */
