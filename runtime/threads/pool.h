/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Threads that take part in the work of the one that owns them.
 * It must not know contexts, or what the work is. */
#ifndef TESSERA_RUNTIME_THREADS_POOL_H
#define TESSERA_RUNTIME_THREADS_POOL_H

#include <stdint.h>

typedef struct tr_pool tr_pool;

/* Steps `from` to `to` (not included) of some work. */
typedef void tr_pool_work(void *data, int64_t from, int64_t to);

/* A pool of `threads` threads, that of the caller included; fewer where the system gives no more;
 * NULL where it gives none, or no memory. One thread at a time uses a pool. */
tr_pool *tr_pool_open(int32_t threads);
/* Ends its threads. In a process that was forked from the owner's there are none to end. */
void tr_pool_close(tr_pool *pool);

/* Has all of `steps` done, in blocks of `block` that whoever is free takes, lowest first. Returns
 * when they are done; what they wrote is then seen by the caller. `work` neither waits nor leaves
 * by longjmp. */
void tr_pool_run(tr_pool *pool, tr_pool_work *work, void *data, int64_t steps, int64_t block);

#endif /* TESSERA_RUNTIME_THREADS_POOL_H */
