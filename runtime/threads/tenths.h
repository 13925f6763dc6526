/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Waits in steps, so that a job that is stopped as a whole has not waited.
 * It must not know for what. */
#ifndef TESSERA_RUNTIME_THREADS_TENTHS_H
#define TESSERA_RUNTIME_THREADS_TENTHS_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

/* A tenth of a second, with `lock` held, or until `is_done`, which `changed` tells: true
 * if it is not yet. */
static inline bool tr_wait_a_tenth(pthread_cond_t *changed, pthread_mutex_t *lock,
                                   const bool *is_done) {
  enum { TENTH = 100000000, SECOND = 1000000000 };
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += TENTH;
  until.tv_sec += until.tv_nsec / SECOND;
  until.tv_nsec %= SECOND;
  int error = 0;
  while (!*is_done && error == 0)
    error = pthread_cond_clockwait(changed, lock, CLOCK_MONOTONIC, &until);
  return !*is_done;
}

#endif /* TESSERA_RUNTIME_THREADS_TENTHS_H */
