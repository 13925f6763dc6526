/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Threads that use local ranks, and whether they have ended.
 * It must not know messages or ranks. */
#ifndef TESSERA_RUNTIME_BACKENDS_LOCAL_USERS_H
#define TESSERA_RUNTIME_BACKENDS_LOCAL_USERS_H

#include <stdbool.h>

/* A thread; outlives it for whoever refers to it. */
typedef struct tr_user tr_user;

/* The calling thread; NULL if there is no memory. Its reference is the thread's own. */
tr_user *tr_user_self(void);
/* Another reference, and its end. NULL is safe. */
tr_user *tr_user_refer(tr_user *user);
void tr_user_release(tr_user *user);
/* False for NULL. */
bool tr_user_has_ended(const tr_user *user);

#endif /* TESSERA_RUNTIME_BACKENDS_LOCAL_USERS_H */
