/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which rank of a host went first, and how. It must not know who is told. */
#ifndef TESSERA_RUNTIME_AFTER_GONE_H
#define TESSERA_RUNTIME_AFTER_GONE_H

#include <stdbool.h>
#include <stddef.h>

#include "watch/board.h"

typedef struct tr_gone {
  tr_board *board;
  int poll;         /* a descriptor that is ready when a rank has gone */
  bool is_blind;    /* who is not seen may be the first */
  int32_t num_gone; /* ranks whose pulse has ended */
  int32_t asked;    /* of them because somebody wanted the end */
  int32_t first;    /* a seat; -1: nobody went but by an end that all is well with */
  int32_t state;    /* tr_seat_state of that, then */
  int32_t status;   /* as of waitpid; 0: it is not known, or all is well */
  int64_t when;     /* nanoseconds of CLOCK_REALTIME */
} tr_gone;

/* Looks at all seats of the board, whose ranks are there. */
void tr_gone_open(tr_gone *gone, tr_board *board);
/* One rank has gone: its seat is what `poll` has said. */
void tr_gone_note(tr_gone *gone, int32_t seat, int pulse);
/* Whether a rank is gone that `poll` has not told of. It may, a little later: a process counts as
 * gone when its first thread has ended, and closes its files with its last one. */
bool tr_gone_is_one_unseen(const tr_gone *gone);
/* All ranks have ended their contexts, or are gone. */
bool tr_gone_are_all_over(const tr_gone *gone);

/* Somebody wanted the job to end, and knows it. */
bool tr_gone_is_asked_for(const tr_gone *gone);
enum { TR_GONE_NOBODY = 3 };
/* How sure this is: more of the first of all than of one that a launcher has killed for it; most
 * that nobody is to be named. */
int32_t tr_gone_weight(const tr_gone *gone);
/* "is gone: its process 123 was killed (signal 9), …" */
void tr_gone_describe(const tr_gone *gone, char *text, size_t capacity);

#endif /* TESSERA_RUNTIME_AFTER_GONE_H */
