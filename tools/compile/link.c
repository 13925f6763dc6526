/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* From objects to a shared object, by the linker that is there. It knows linkers' command
 * lines; symbols of libtessera and libm stay undefined: the process that loads the program has
 * them. */
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver.h"

extern char **environ;

/* Runs a program and waits for it. Its exit status, or -1 with errno if it could not be started. */
static int run(char *const *command) {
  pid_t child;
  int error = posix_spawnp(&child, command[0], NULL, NULL, command, environ);
  if (error) {
    errno = error;
    return -1;
  }
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
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
