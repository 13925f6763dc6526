/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What shows that a rank's process ends, before its launcher knows of it.
 * It must not know who looks. */
#include "after/pulse.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

/* Launchers know of an end by the sockets and pipes that are closed then, and kill the other ranks
 * before the system says that the first one has ended. Linux closes those last whose descriptors
 * are lowest (since 4.3, task_work_run), and the launcher's are low. */
static int highest_descriptor(void) {
  enum { HIGH = 1000, SPARE = 8 }; /* most processes may have 1024 */
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < HIGH + SPARE)
    return (int)limit.rlim_cur - SPARE;
  return HIGH;
}

/* Of the process, from its first context to its end. */
static int own[2] = {-1, -1};

/* A process that is forked may live longer. */
static void end_in_child(void) {
  for (int i = 0; i < 2; i++)
    if (own[i] >= 0)
      close(own[i]);
}

static void make_pulse(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return;
  own[0] = ends[0];
  own[1] = fcntl(ends[1], F_DUPFD_CLOEXEC, highest_descriptor());
  close(ends[1]);
  pthread_atfork(NULL, NULL, end_in_child);
}

void tr_pulse_take(tr_seat *seat) {
  if (own[0] < 0)
    make_pulse();
  seat->pulse = own[1] < 0 ? -1 : own[0];
}
