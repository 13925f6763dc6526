/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Who is at fault when a rank waits: found from the board and from the system.
 * It must not know how a job ends. */
#ifndef TESSERA_RUNTIME_WATCH_VERDICT_H
#define TESSERA_RUNTIME_WATCH_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "watch/board.h"

/* What is seen of a rank, from the least to the worst. */
typedef enum tr_fate {
  TR_FATE_WAITS,     /* in the same call */
  TR_FATE_UNSEEN,    /* on another host */
  TR_FATE_ELSEWHERE, /* in another call */
  TR_FATE_COMPUTES,
  TR_FATE_ENDED,
  TR_FATE_STOPPED,
  TR_FATE_LEFT, /* its process ends, or has ended, by itself */
  TR_FATE_KILLED
} tr_fate;

typedef struct tr_verdict {
  tr_fate fate;
  int32_t rank; /* whose */
} tr_verdict;

/* Whether ranks are processes, whose state the system knows. */
typedef enum tr_kinship { TR_THREADS, TR_PROCESSES } tr_kinship;

/* The worst among those that the rank of this seat waits for, or that these wait for in turn. */
tr_verdict tr_verdict_find(const tr_board *board, int32_t seat, tr_kinship kinship);

/* The message: the call, the rank at fault, and every rank's place. `seconds` is for how long each
 * seat has not changed. */
void tr_verdict_tell(const tr_board *board, int32_t seat, const tr_verdict *verdict,
                     const double *seconds, double timeout, char *text, size_t capacity);

/* ---- process.c ------------------------------------------------------------------------------- */

typedef enum tr_process_state {
  TR_PROCESS_RUNS,
  TR_PROCESS_STOPPED,
  TR_PROCESS_GONE
} tr_process_state;

/* When a process was born, as a number that tells it from others; 0: it is not there. */
uint64_t tr_process_born(pid_t pid);
tr_process_state tr_process_look(pid_t pid, uint64_t born);

#endif /* TESSERA_RUNTIME_WATCH_VERDICT_H */
