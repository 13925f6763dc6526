/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Who is at fault when a rank waits: found from what is known of all ranks.
 * It must not know how that is known, nor how a job ends. */
#ifndef TESSERA_RUNTIME_WATCH_VERDICT_H
#define TESSERA_RUNTIME_WATCH_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "watch/board.h"
#include "watch/difference.h"
#include "watch/process.h"

/* What is seen of a rank, from the least to the worst. */
typedef enum tr_fate {
  TR_FATE_WAITS,     /* in the same call */
  TR_FATE_UNSEEN,    /* on another host, of which nothing is known yet */
  TR_FATE_ELSEWHERE, /* in another call */
  TR_FATE_COMPUTES,
  TR_FATE_ENDED,
  TR_FATE_DIFFERS, /* has made another call than others in their place */
  TR_FATE_SILENT,  /* its host does not answer */
  TR_FATE_STOPPED,
  TR_FATE_LEFT, /* its process ends, or has ended, by itself */
  TR_FATE_KILLED
} tr_fate;

typedef struct tr_verdict {
  tr_fate fate;
  int32_t rank;             /* whose */
  int32_t receiver;         /* who waits for a message of that rank's, which is in a call of
                             * several; -1: nobody, or it is not found out who is wrong */
  bool is_circle;           /* it waits for ranks that wait, in other calls, for each other */
  bool have_gone_on;        /* nobody is at fault, and others have gone on from the call */
  tr_difference difference; /* of TR_FATE_DIFFERS */
} tr_verdict;

/* What is known of a rank. */
typedef struct tr_actor {
  bool is_known;
  bool is_elsewhere;  /* on another host */
  bool is_silent;     /* which does not answer */
  bool is_waited_for; /* written by tr_verdict_find */
  int32_t state;      /* tr_seat_state */
  tr_process_state process;
  pid_t pid; /* whose state is looked up when it counts; 0: `process` says it, or it is a thread */
  uint64_t born;
  uint64_t calls;
  bool goes_on;            /* the last of them */
  int32_t peer;            /* of that, if it is a message; -1: it is none, or of any rank */
  const tr_ledger *ledger; /* NULL: on another host */
  const tr_recent *recent; /* NULL: on this host */
  const tr_board_place *place;
  const tr_board_meeting *meetings; /* TR_BOARD_MEETINGS of them */
  int32_t num_before;
  const tr_board_place *before[TR_BOARD_BEFORE]; /* the latest first */
  double seconds;                                /* for how long nothing has changed */
} tr_actor;

typedef struct tr_scene {
  int32_t ranks;
  tr_actor *actors; /* by rank */
} tr_scene;

/* The worst among those that a rank waits for, or that these wait for in turn. */
tr_verdict tr_verdict_find(tr_scene *scene, int32_t rank);

/* A verdict that is over may have its cause in an earlier call, which is then the verdict. */
void tr_verdict_find_difference(const tr_scene *scene, int32_t rank, tr_verdict *verdict);

/* The message: the call, the rank at fault, and every rank's place. */
void tr_verdict_tell(const tr_scene *scene, int32_t rank, const tr_verdict *verdict, double timeout,
                     char *text, size_t capacity);

/* The message of a rank that has left or is gone, as `end` says it, whether or not one waits for
 * it. */
void tr_verdict_tell_end(const tr_scene *scene, int32_t rank, const char *end, char *text,
                         size_t capacity);

#endif /* TESSERA_RUNTIME_WATCH_VERDICT_H */
