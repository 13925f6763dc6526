/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What the system says of a process. It must not know ranks. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "watch/verdict.h"

/* The state's letter and the time of birth, fields 3 and 22 of proc_pid_stat(5). The name before
 * them may have any characters, so they are counted from the last bracket. */
static bool read_stat(pid_t pid, char *state, uint64_t *born) {
  char path[64], text[1024];
  snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
  FILE *file = fopen(path, "re");
  if (!file)
    return false;
  size_t length = fread(text, 1, sizeof(text) - 1, file);
  fclose(file);
  text[length] = '\0';
  const char *field = strrchr(text, ')');
  if (!field || sscanf(field + 1, " %c", state) != 1)
    return false;
  enum { BIRTH = 20 }; /* fields behind the bracket */
  for (int i = 0; field && i < BIRTH; i++)
    field = strchr(field + 1, ' ');
  return field && sscanf(field, "%" SCNu64, born) == 1;
}

uint64_t tr_process_born(pid_t pid) {
  char state;
  uint64_t born = 0;
  return read_stat(pid, &state, &born) ? born : 0;
}

tr_process_state tr_process_look(pid_t pid, uint64_t born) {
  char state;
  uint64_t found = 0;
  if (!read_stat(pid, &state, &found) || found != born || state == 'Z' || state == 'X')
    return TR_PROCESS_GONE;
  return state == 'T' || state == 't' ? TR_PROCESS_STOPPED : TR_PROCESS_RUNS;
}
