/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How hosts tell each other that a rank of theirs went first, when no rank is left that could: a
 * datagram. It must not know who sends one, nor why. */
#ifndef TESSERA_RUNTIME_AFTER_BEACON_H
#define TESSERA_RUNTIME_AFTER_BEACON_H

#include <stdbool.h>

#include "watch/board.h"

/* What a host tells, of the first rank of its own that went. */
typedef struct tr_beacon_word {
  uint64_t job;   /* of the beacon of the first host: all words of the job have it */
  int64_t when;   /* nanoseconds of CLOCK_REALTIME */
  int32_t from;   /* the host's first rank */
  int32_t weight; /* of two words the one with more counts, then the earlier one; 0: another host
                   * has told this one before */
} tr_beacon_word;

/* A socket that is bound, and where it can be reached. -1: there is none; the beacon has no
 * addresses then. */
int tr_beacon_open(tr_beacon *beacon);

/* Tells all hosts whose beacons the board has but the one of rank `word->from`, without waiting. */
void tr_beacon_tell(int socket, tr_board *board, const tr_beacon_word *word);
/* Takes one word. False: it is of another job, or there is none. */
bool tr_beacon_hear(int socket, uint64_t job, tr_beacon_word *word);
/* Whether `word` counts more than `other`. */
bool tr_beacon_outweighs(const tr_beacon_word *word, const tr_beacon_word *other);

#endif /* TESSERA_RUNTIME_AFTER_BEACON_H */
