/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Threads that use local ranks, and whether they have ended: a thread's own end notes it.
 * It must not know messages or ranks. */
#include "backends/local/users.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct tr_user {
  _Atomic int references;
  _Atomic bool has_ended;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;
static _Thread_local tr_user *self;

static void note_end(void *user) {
  ((tr_user *)user)->has_ended = true;
  tr_user_release(user);
}

static void create_key(void) {
  has_key = pthread_key_create(&key, note_end) == 0;
}

/* Threads may end after the library has been unloaded. */
__attribute__((destructor)) static void delete_key(void) {
  if (has_key)
    pthread_key_delete(key);
}

tr_user *tr_user_self(void) {
  if (self)
    return self;
  pthread_once(&once, create_key);
  tr_user *user = has_key ? malloc(sizeof(*user)) : NULL;
  if (!user)
    return NULL;
  user->references = 1;
  user->has_ended = false;
  if (pthread_setspecific(key, user) != 0) {
    free(user);
    return NULL;
  }
  return self = user;
}

tr_user *tr_user_refer(tr_user *user) {
  if (user)
    user->references++;
  return user;
}

void tr_user_release(tr_user *user) {
  if (user && --user->references == 0)
    free(user);
}

bool tr_user_has_ended(const tr_user *user) {
  return user && user->has_ended;
}
