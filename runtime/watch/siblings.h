/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ranks of one launcher, before they know each other: their numbers are in the environments that it
 * gave them. It must not know MPI. */
#ifndef TESSERA_RUNTIME_WATCH_SIBLINGS_H
#define TESSERA_RUNTIME_WATCH_SIBLINGS_H

#include <stddef.h>

/* The number of this process's rank, as its launcher says it; "?" without one. */
const char *tr_siblings_own_rank(void);

/* Called by a thread that lasts: this process has come to the others, who can see it by the
 * thread's name. */
void tr_siblings_come(void);

/* Which of the launcher's ranks on this host are stopped, are not there, or have not come: ": rank
 * 2 is stopped (SIGSTOP, or a debugger)"; "" if none is, or that cannot be seen. */
void tr_siblings_tell(char *text, size_t capacity);

#endif /* TESSERA_RUNTIME_WATCH_SIBLINGS_H */
