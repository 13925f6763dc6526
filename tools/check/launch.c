/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Starts an MPI job through mpirun and waits for it.
 * It must not know what workers do. */
#include "launch.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MAX_ARGUMENTS = 32 };

/* Interrupts go to the whole group: the job ends by them, and this process then cleans up. */
static int wait_for(pid_t child) {
  struct sigaction ignore = {.sa_handler = SIG_IGN}, previous;
  sigaction(SIGINT, &ignore, &previous);
  int state = 0;
  while (waitpid(child, &state, 0) < 0 && errno == EINTR)
    continue;
  sigaction(SIGINT, &previous, NULL);
  return WIFEXITED(state) && WEXITSTATUS(state) == 0 ? 0 : 1;
}

bool launch_workers(int32_t ranks, const char *const *arguments, int *status, message *message) {
  char self[4096], count[16];
  ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
  if (length < 0)
    return fail(message, "cannot find this program's own file: %s", strerror(errno));
  self[length] = '\0';
  snprintf(count, sizeof(count), "%d", ranks);
  const char *words[MAX_ARGUMENTS] = {"mpirun", "-n", count, self};
  size_t used = 4;
  for (; *arguments; arguments++) {
    if (used + 1 == MAX_ARGUMENTS)
      return fail(message, "too many arguments for a worker");
    words[used++] = *arguments;
  }
  /* A check is about results, not speed: more ranks than cores are fine. MPICH ignores this. */
  setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
  pid_t child;
  int error = posix_spawnp(&child, words[0], NULL, NULL, (char **)words, environ);
  if (error)
    return fail(message, "cannot start mpirun: %s", strerror(error));
  *status = wait_for(child);
  return true;
}
