/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What shows that a rank's process ends, before its launcher knows of it.
 * It must not know who looks. */
#include "watch/pulse.h"

#include <fcntl.h>
#include <unistd.h>

#include "watch/process.h"

/* Launchers know of an end by the sockets and pipes that are closed then, and kill the other ranks
 * before the system says that the first one has ended. Linux closes those last whose descriptors
 * are lowest (since 4.3, task_work_run), and the launcher's are low. */
static void take_pulse(int32_t pulse[2]) {
  enum { HIGH = 1000 }; /* most processes may have 1024 */
  int ends[2];
  pulse[0] = pulse[1] = -1;
  if (pipe2(ends, O_CLOEXEC) != 0)
    return;
  pulse[0] = ends[0];
  pulse[1] = fcntl(ends[1], F_DUPFD_CLOEXEC, HIGH);
  close(ends[1]);
}

void tr_pulse_take_seat(tr_seat *seat, int32_t rank) {
  seat->rank = rank;
  seat->pid = getpid();
  seat->born = tr_process_born(seat->pid);
  seat->pulse[0] = seat->pulse[1] = -1;
  if (tr_launcher_find().ends_at_once)
    take_pulse(seat->pulse);
}

void tr_pulse_end(tr_seat *seat) {
  for (int i = 0; i < 2; i++) {
    if (seat->pulse[i] >= 0)
      close(seat->pulse[i]);
    seat->pulse[i] = -1;
  }
}
