/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The start of the process that outlives the ranks of a host: a program of its own, because a rank
 * that is forked would keep all memory of this one, and take its huge pages apart.
 * It must not know MPI. */
#include "after/start.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Beside the module that has this function. */
static bool find_program(char *path, size_t capacity) {
  Dl_info info;
  if (!dladdr((void *)(uintptr_t)tr_after_start, &info) || !info.dli_fname)
    return false;
  const char *end = strrchr(info.dli_fname, '/');
  int length = end ? (int)(end + 1 - info.dli_fname) : 0;
  return (size_t)snprintf(path, capacity, "%.*stessera-after", length, info.dli_fname) < capacity;
}

/* Out of the way of those that the program has. */
static int lift(int descriptor) {
  enum { ABOVE = 16 };
  return descriptor < 0 ? -1 : fcntl(descriptor, F_DUPFD_CLOEXEC, ABOVE);
}

/* The launcher's signals are for the ranks, whose group and session it leaves. */
static bool set_attributes(posix_spawnattr_t *attributes) {
  sigset_t all;
  sigfillset(&all);
  return posix_spawnattr_setsigmask(attributes, &all) == 0 &&
         posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK) == 0;
}

static bool set_descriptors(posix_spawn_file_actions_t *actions, int board, int beacon) {
  return posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0 &&
         posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
         posix_spawn_file_actions_adddup2(actions, board, TR_AFTER_BOARD) == 0 &&
         (beacon < 0 || posix_spawn_file_actions_adddup2(actions, beacon, TR_AFTER_BEACON) == 0) &&
         posix_spawn_file_actions_addclosefrom_np(actions, beacon < 0 ? TR_AFTER_BEACON
                                                                      : TR_AFTER_BEACON + 1) == 0;
}

/* Libraries that are loaded before others are for the ranks. */
static char **list_environment(void) {
  static const char before[] = "LD_PRELOAD=";
  size_t count = 0, used = 0;
  while (environ[count])
    count++;
  char **list = calloc(count + 1, sizeof(*list));
  for (size_t i = 0; list && i < count; i++)
    if (strncmp(environ[i], before, sizeof(before) - 1) != 0)
      list[used++] = environ[i];
  return list;
}

/* What is started here ends when the process that it leaves behind has looked at all ranks. */
static void spawn(const char *path, posix_spawn_file_actions_t *actions,
                  posix_spawnattr_t *attributes) {
  char name[] = "tessera-after", *arguments[] = {name, NULL};
  char **environment = list_environment();
  pid_t child;
  if (environment && posix_spawn(&child, path, actions, attributes, arguments, environment) == 0)
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
      ;
  free(environment);
}

void tr_after_start(int board, int beacon) {
  char path[4096];
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int own_board = lift(board), own_beacon = lift(beacon);
  if (own_board >= 0 && find_program(path, sizeof(path)) &&
      posix_spawn_file_actions_init(&actions) == 0) {
    if (posix_spawnattr_init(&attributes) == 0) {
      if (set_attributes(&attributes) && set_descriptors(&actions, own_board, own_beacon))
        spawn(path, &actions, &attributes);
      posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
  }
  if (own_board >= 0)
    close(own_board);
  if (own_beacon >= 0)
    close(own_beacon);
}
