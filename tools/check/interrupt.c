/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A thread that waits for the signals that end processes, where a handler could do very little.
 * It must not know what is cleaned up. */
#include "interrupt.h"

#include <pthread.h>
#include <unistd.h>

static void (*cleanup)(void);
static sigset_t ending;

static void *wait_for_end(void *unused) {
  int number;
  if (sigwait(&ending, &number) != 0)
    return unused;
  cleanup();
  /* Die of the same signal, as whoever waits for this process expects. */
  signal(number, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &ending, NULL);
  raise(number);
  _exit(1);
}

void interrupt_clean(void (*function)(void), sigset_t *previous) {
  pthread_t thread;
  cleanup = function;
  sigemptyset(&ending);
  sigaddset(&ending, SIGINT);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGHUP);
  signal(SIGPIPE, SIG_IGN);
  pthread_sigmask(SIG_BLOCK, &ending, previous);
  if (pthread_create(&thread, NULL, wait_for_end, NULL) == 0)
    pthread_detach(thread);
  else
    pthread_sigmask(SIG_SETMASK, previous, NULL);
}
