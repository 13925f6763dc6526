/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* From objects to a shared object, by the linker that is there. It knows linkers' command
 * lines; symbols of libtessera and libm stay undefined: the process that loads the program has
 * them. */
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver.h"

extern char **environ;

/* Starts a program whose messages go to the file `said`. 0, or an error. */
static int start(char *const *command, int said, pid_t *child) {
  posix_spawn_file_actions_t actions;
  int error = posix_spawn_file_actions_init(&actions);
  if (error)
    return error;
  if (said >= 0)
    error = posix_spawn_file_actions_adddup2(&actions, said, STDERR_FILENO);
  if (!error)
    error = posix_spawnp(child, command[0], &actions, NULL, command, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/* What was said, not before there is something and no bar is in its way. */
static void repeat(int said) {
  char part[4096];
  ssize_t size;
  for (off_t at = 0; (size = pread(said, part, sizeof(part), at)) > 0; at += size) {
    ts_watch_clear();
    fwrite(part, 1, (size_t)size, stderr);
  }
}

/* Runs a program and waits for it. Its exit status, or -1 with errno if it could not be started. */
static int run(char *const *command) {
  pid_t child;
  int said = memfd_create("tessera-link", MFD_CLOEXEC), status = 1;
  int error = start(command, said, &child);
  while (!error && waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      error = errno;
  if (said >= 0) {
    repeat(said);
    close(said);
  }
  errno = error;
  return error ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* By the options that each has for an archive of objects, all of which are wanted. */
static const struct {
  const char *name, *all, *end;
} linkers[] = {{"ld.lld-22", "--whole-archive", "--no-whole-archive"},
               {"ld.lld", "--whole-archive", "--no-whole-archive"},
               {"ld", "--whole-archive", "--no-whole-archive"},
               {"cc", "-Wl,--whole-archive", "-Wl,--no-whole-archive"}};

bool ts_link_shared(const char *object, const char *file, const char *output) {
  for (size_t i = 0; i < sizeof(linkers) / sizeof(linkers[0]); i++) {
    const char *command[] = {linkers[i].name, "-shared", "-o",           file,
                             linkers[i].all,  object,    linkers[i].end, NULL};
    int status = run((char *const *)command);
    if (status == 0)
      return true;
    /* 127: the C library started a process before it knew that there is no such program. */
    if (status > 0 && status != 127)
      return ts_driver_error(NULL, "%s could not be linked by %s", output, linkers[i].name);
  }
  return ts_driver_error(NULL, "%s: no linker found (ld.lld-22, ld.lld, ld or cc)", output);
}
