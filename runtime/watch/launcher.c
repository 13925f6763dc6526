/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The launcher of this process, and its end where it would wait for ever.
 * It must not know ranks. */
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "watch/process.h"

static const char *const tops[] = {"mpirun", "mpiexec", "orterun", "prterun"};
static const char hydra_helper[] = "hydra_pmi_proxy";
static const char *const helpers[] = {"orted", "prted", hydra_helper};

/* Serves one job. Both MPIs have variants of the first two, such as mpirun.mpich. */
static bool is_top(const char *name) {
  for (size_t i = 0; i < sizeof(tops) / sizeof(tops[0]); i++)
    if (strncmp(name, tops[i], strlen(tops[i])) == 0)
      return true;
  return false;
}

static bool is_helper(const char *name) {
  for (size_t i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++)
    if (strcmp(name, helpers[i]) == 0)
      return true;
  return false;
}

/* Shells may stand between, and a launcher's helper below the launcher. What is above the first
 * launcher may have started other jobs, as may a helper that no launcher is above. */
tr_launcher tr_launcher_find(void) {
  enum { STEPS = 8 };
  tr_launcher launcher = {0};
  tr_process_stat stat;
  pid_t pid = getppid();
  for (int i = 0; i < STEPS && pid > 1 && tr_process_read(pid, &stat); i++, pid = stat.parent) {
    if (!is_top(stat.name) && !is_helper(stat.name))
      continue;
    if (launcher.count == TR_LAUNCHER_PROCESSES)
      break;
    launcher.ends_at_once |= strcmp(stat.name, hydra_helper) == 0;
    launcher.pids[launcher.count] = pid;
    launcher.born[launcher.count++] = stat.born;
    if (is_top(stat.name))
      return launcher;
  }
  return (tr_launcher){.ends_at_once = launcher.ends_at_once};
}

/* True if one is still there. Whether it is the same process is asked each time. */
static bool signal_all(const tr_launcher *launcher, int number) {
  bool is_there = false;
  for (int i = 0; i < launcher->count; i++)
    if (tr_process_look(launcher->pids[i], launcher->born[i]) != TR_PROCESS_GONE) {
      is_there = true;
      if (number > 0)
        kill(launcher->pids[i], number);
    }
  return is_there;
}

/* False if all are gone before. */
static bool outlasts(const tr_launcher *launcher, int tenths) {
  const struct timespec tenth = {0, 100000000};
  for (int i = 0; i < tenths; i++) {
    if (!signal_all(launcher, 0))
      return false;
    nanosleep(&tenth, NULL);
  }
  return true;
}

/* In a process of its own, of which nobody waits for the end. */
static _Noreturn void end_launcher(const tr_launcher *launcher, int seconds) {
  enum { TENTHS = 10, LAUNCHER_ENDS = 20 };
  if (outlasts(launcher, seconds * TENTHS)) {
    signal_all(launcher, SIGTERM);
    if (outlasts(launcher, LAUNCHER_ENDS))
      signal_all(launcher, SIGKILL);
  }
  _exit(0);
}

/* Without the C library's handlers of forks, which may belong to MPI, and without descriptors,
 * which the launcher would wait for. */
void tr_launcher_bury(const tr_launcher *launcher, int seconds) {
  if (launcher->count == 0 || _Fork() != 0)
    return;
  setsid();
  if (_Fork() != 0)
    _exit(0);
  close_range(0, ~0u, 0);
  end_launcher(launcher, seconds);
}
