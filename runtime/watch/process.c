/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What the system says of a process. It must not know ranks. */
#include "watch/process.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Without memory of malloc's: a process that was forked beside other threads asks too. */
static bool read_file(const char *path, char *text, size_t capacity) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  ssize_t length = read(file, text, capacity - 1);
  close(file);
  text[length > 0 ? length : 0] = '\0';
  return length > 0;
}

bool tr_process_read(pid_t pid, tr_process_stat *stat) {
  char path[64], text[1024];
  snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
  if (!read_file(path, text, sizeof(text)))
    return false;
  const char *from = strchr(text, '('), *field = strrchr(text, ')');
  if (!from || !field || strlen(field) < sizeof(") S 1"))
    return false;
  size_t length = (size_t)(field - from - 1);
  length = length < sizeof(stat->name) ? length : sizeof(stat->name) - 1;
  memcpy(stat->name, from + 1, length);
  stat->name[length] = '\0';
  stat->state = field[2];
  stat->parent = (pid_t)strtol(field + 4, NULL, 10);
  enum { FLAGS = 7, BIRTH = 20, IS_ENDING = 4 }; /* fields behind the bracket; PF_EXITING */
  stat->is_ending = stat->state == 'Z' || stat->state == 'X';
  for (int i = 1; field && i <= BIRTH; i++) {
    field = strchr(field + 1, ' ');
    if (field && i == FLAGS)
      stat->is_ending |= (strtoul(field, NULL, 10) & IS_ENDING) != 0;
  }
  stat->born = field ? strtoull(field, NULL, 10) : 0;
  const char *last = strrchr(text, ' ');
  stat->status = last ? (int)strtol(last, NULL, 10) : 0;
  return field;
}

uint64_t tr_process_born(pid_t pid) {
  tr_process_stat stat;
  return tr_process_read(pid, &stat) ? stat.born : 0;
}

tr_process_state tr_process_look(pid_t pid, uint64_t born) {
  tr_process_stat stat;
  if (!tr_process_read(pid, &stat) || stat.born != born || stat.state == 'Z' || stat.state == 'X')
    return TR_PROCESS_GONE;
  return stat.state == 'T' || stat.state == 't' ? TR_PROCESS_STOPPED : TR_PROCESS_RUNS;
}
