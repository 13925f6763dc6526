/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a process sees of the ranks of its host on their board, from tick to tick.
 * It must not know what follows from it. */
#ifndef TESSERA_RUNTIME_WATCH_SIGHT_H
#define TESSERA_RUNTIME_WATCH_SIGHT_H

#include <stdbool.h>

#include "watch/board.h"
#include "watch/verdict.h"

enum { TR_TICK = 100 }; /* milliseconds: a tenth of a second */

/* What is remembered of a seat. Time is counted in ticks, not read from a clock: a job that is
 * stopped as a whole, by a debugger or by a sleeping machine, has not waited. */
typedef struct tr_seen {
  uint64_t now;
  int64_t ticks;
} tr_seen;

typedef struct tr_sight {
  tr_board *board;
  bool are_processes; /* else threads of one, of which the system knows nothing */
  tr_seen *seats;
  double *seconds; /* for how long each seat has not changed */
  tr_scene scene;
} tr_sight;

/* False: there is no memory. It is closed in either case. The board stays the caller's. */
bool tr_sight_open(tr_sight *sight, tr_board *board, bool are_processes);
void tr_sight_close(tr_sight *sight);

/* Once each tick. */
void tr_sight_look(tr_sight *sight);
/* Puts what the seats say now into the scene. */
void tr_sight_show(tr_sight *sight);

#endif /* TESSERA_RUNTIME_WATCH_SIGHT_H */
