/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What the system says of processes, and the end of one that does not end by itself.
 * It must not know ranks. */
#ifndef TESSERA_RUNTIME_WATCH_PROCESS_H
#define TESSERA_RUNTIME_WATCH_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum tr_process_state {
  TR_PROCESS_RUNS,
  TR_PROCESS_STOPPED,
  TR_PROCESS_GONE
} tr_process_state;

/* Fields of proc_pid_stat(5). The name may have any characters. */
typedef struct tr_process_stat {
  char name[64];
  char state;
  pid_t parent;
  uint64_t born;
  bool is_ending; /* or has ended */
  int status;     /* as of waitpid, of such a one; 0 also where the system does not tell */
} tr_process_stat;

/* False: it is not there. */
bool tr_process_read(pid_t pid, tr_process_stat *stat);
/* When a process was born, as a number that tells it from others; 0: it is not there. */
uint64_t tr_process_born(pid_t pid);
tr_process_state tr_process_look(pid_t pid, uint64_t born);

/* ---- launcher.c: of this process ------------------------------------------------------------- */

enum { TR_LAUNCHER_PROCESSES = 3 };

/* Its processes on this host, from that which has started this one upwards. */
typedef struct tr_launcher {
  int count;         /* 0: it is none that is known */
  bool ends_at_once; /* a job of which a rank is gone, before another rank can speak */
  pid_t pids[TR_LAUNCHER_PROCESSES];
  uint64_t born[TR_LAUNCHER_PROCESSES];
} tr_launcher;

/* What has started this process, if that is a launcher of one of the MPIs, which serves one job,
 * and its helpers. */
tr_launcher tr_launcher_find(void);
/* Leaves a process behind that ends the launcher if it is still there so many seconds later, and
 * then ends itself: launchers wait for ever for a host that they cannot reach, and some hang when
 * ranks abort and are killed at once. */
void tr_launcher_bury(const tr_launcher *launcher, int seconds);

#endif /* TESSERA_RUNTIME_WATCH_PROCESS_H */
