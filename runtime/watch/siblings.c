/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What the system says of the other ranks that this process's launcher has started here.
 * It must not know MPI. */
#include "watch/siblings.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "watch/process.h"

enum { MOST_RANKS = 4096 };

/* As the launchers of both MPIs call a rank's number, how many ranks there are, and how many here.
 */
typedef struct naming {
  const char *rank, *ranks, *here;
} naming;

static const naming namings[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"PMIX_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
};

static const naming *find_naming(void) {
  for (size_t i = 0; i < sizeof(namings) / sizeof(namings[0]); i++)
    if (getenv(namings[i].rank))
      return &namings[i];
  return NULL;
}

const char *tr_siblings_own_rank(void) {
  const naming *naming = find_naming();
  return naming ? getenv(naming->rank) : "?";
}

/* ---- another process's environment ----------------------------------------------------------- */

/* Texts that end with a zero byte each, and one more behind them; NULL: they cannot be read. */
static char *read_environment(pid_t pid, size_t *length) {
  enum { MOST = 1 << 20 };
  char path[64], *data = malloc(MOST + 1);
  snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
  int file = data ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  ssize_t count = 1;
  for (*length = 0; file >= 0 && count > 0 && *length < MOST;
       *length += count > 0 ? (size_t)count : 0)
    count = read(file, data + *length, MOST - *length);
  if (file >= 0)
    close(file);
  if (file >= 0 && *length > 0) {
    data[*length] = '\0';
    return data;
  }
  free(data);
  return NULL;
}

/* -1: it has none. */
static int read_rank(pid_t pid, const char *name) {
  size_t length, known = strlen(name);
  char *data = read_environment(pid, &length);
  int rank = -1;
  for (const char *at = data; data && at < data + length && rank < 0; at += strlen(at) + 1)
    if (strncmp(at, name, known) == 0 && at[known] == '=')
      rank = atoi(at + known + 1);
  free(data);
  return rank;
}

/* ---- who has come ---------------------------------------------------------------------------- */

/* What the system shows of a thread, without shared memory: at most 15 characters. */
static const char thread_name[] = "tessera-watch";

void tr_siblings_come(void) {
  prctl(PR_SET_NAME, thread_name);
}

static bool has_name(pid_t pid, const char *thread) {
  char path[320], name[32] = "";
  snprintf(path, sizeof(path), "/proc/%d/task/%.200s/comm", (int)pid, thread);
  FILE *file = fopen(path, "re");
  bool is_read = file && fgets(name, sizeof(name), file);
  if (file)
    fclose(file);
  name[strcspn(name, "\n")] = '\0';
  return is_read && strcmp(name, thread_name) == 0;
}

static bool has_come(pid_t pid) {
  char path[64];
  struct dirent *entry;
  bool found = false;
  snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
  DIR *threads = opendir(path);
  while (threads && !found && (entry = readdir(threads)))
    found = entry->d_name[0] != '.' && has_name(pid, entry->d_name);
  if (threads)
    closedir(threads);
  return found;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Of a rank, which may be several processes, what counts most. */
typedef enum sight { UNSEEN, SEEN, COME, STOPPED } sight;

static bool is_child_of(const tr_process_stat *stat, const tr_launcher *launcher) {
  enum { STEPS = 8 };
  tr_process_stat above = *stat;
  for (int i = 0; i < STEPS; i++) { /* shells may stand between */
    for (int k = 0; k < launcher->count; k++)
      if (above.parent == launcher->pids[k])
        return true;
    if (above.parent <= 1 || !tr_process_read(above.parent, &above))
      return false;
  }
  return false;
}

static void look_at(pid_t pid, const naming *naming, const tr_launcher *launcher, uint8_t *sights) {
  tr_process_stat stat;
  if (!tr_process_read(pid, &stat) || stat.state == 'Z' || stat.state == 'X' ||
      !is_child_of(&stat, launcher))
    return;
  int rank = read_rank(pid, naming->rank);
  if (rank < 0 || rank >= MOST_RANKS)
    return;
  sight sight = has_come(pid) ? COME : SEEN;
  if (stat.state == 'T' || stat.state == 't')
    sight = STOPPED;
  if (sight > sights[rank])
    sights[rank] = sight;
}

static bool look_at_all(const naming *naming, uint8_t *sights) {
  tr_launcher launcher = tr_launcher_find();
  DIR *processes = launcher.count > 0 ? opendir("/proc") : NULL;
  struct dirent *entry;
  if (!processes)
    return false;
  while ((entry = readdir(processes)))
    if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9')
      look_at((pid_t)atol(entry->d_name), naming, &launcher, sights);
  closedir(processes);
  return true;
}

static int number(const char *name) {
  const char *text = getenv(name);
  return text ? atoi(text) : 0;
}

void tr_siblings_tell(char *text, size_t capacity) {
  static const char *const words[] = {[UNSEEN] = "is gone, or was not started",
                                      [SEEN] = "has not come: it computes, or waits for "
                                               "something else",
                                      [STOPPED] = "is stopped (SIGSTOP, or a debugger)"};
  uint8_t sights[MOST_RANKS] = {UNSEEN};
  const naming *naming = find_naming();
  text[0] = '\0';
  if (!naming || !look_at_all(naming, sights))
    return;
  int ranks = number(naming->ranks), all_are_here = ranks == number(naming->here);
  size_t used = 0;
  for (int rank = 0; rank < ranks && rank < MOST_RANKS && used < capacity; rank++)
    if (sights[rank] == STOPPED || sights[rank] == SEEN || (sights[rank] == UNSEEN && all_are_here))
      used += (size_t)snprintf(text + used, capacity - used, "%s rank %d %s", used ? "," : ":",
                               rank, words[sights[rank]]);
}
