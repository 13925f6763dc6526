/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Starts an MPI job through mpirun and waits for it.
 * It must not know what workers do. */
#include "launch.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { MAX_ARGUMENTS = 32 };

/* The mpirun that is running, or 0. */
static atomic_int running;
static atomic_bool ending;

static int wait_for(pid_t child) {
  int state = 0;
  while (waitpid(child, &state, 0) < 0 && errno == EINTR)
    continue;
  running = 0;
  while (ending)
    pause();
  return WIFEXITED(state) && WEXITSTATUS(state) == 0 ? 0 : 1;
}

void launch_end(void) {
  enum { STEP_MICROSECONDS = 20 * 1000, MAX_STEPS = 500 };
  ending = true;
  pid_t child = running;
  if (child)
    kill(child, SIGTERM);
  for (int step = 0; running && step < MAX_STEPS; step++)
    usleep(STEP_MICROSECONDS);
  if (running)
    kill(child, SIGKILL);
}

/* posix_spawnp with the signals as this process found them. */
static int spawn(const char *const *words, const sigset_t *mask, pid_t *child) {
  posix_spawnattr_t attributes;
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  int error = posix_spawnattr_init(&attributes);
  if (error)
    return error;
  posix_spawnattr_setsigmask(&attributes, mask);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  error = posix_spawnp(child, words[0], NULL, &attributes, (char **)words, environ);
  posix_spawnattr_destroy(&attributes);
  return error;
}

bool launch_workers(int32_t ranks, const char *const *arguments, const sigset_t *mask, int *status,
                    message *message) {
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
  if (geteuid() == 0) { /* Open MPI asks whether root means it; who runs a checker as root does */
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
  }
  pid_t child;
  int error = spawn(words, mask, &child);
  if (error)
    return fail(message, "cannot start mpirun: %s", strerror(error));
  running = child;
  *status = wait_for(child);
  return true;
}
