/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a rank remembers of its calls for traces and statistics: sums for each place in the source,
 * and the last calls. It must not know who reads it. */
#ifndef TESSERA_RUNTIME_TRACE_LOG_H
#define TESSERA_RUNTIME_TRACE_LOG_H

#include <stdbool.h>
#include <time.h>

#include "context/context.h"
#include "planes/members.h"
#include "watch/board.h"
#include "watch/note_key.h"

enum { TR_LOG_RECORDS = 1 << 16, TR_LOG_PLACES = 1 << 10 };

/* Times are of CLOCK_MONOTONIC, in nanoseconds. */
typedef struct tr_log_record {
  int64_t start, duration;
  uint64_t bytes; /* that this rank received */
  uint32_t place;
  uint32_t arrow;   /* tr_arrow */
  uint64_t message; /* the same number on both sides */
} tr_log_record;

/* Whether a call is one side of a message of the program's. */
typedef enum tr_arrow { TR_ARROW_NONE, TR_ARROW_BEGINS, TR_ARROW_ENDS } tr_arrow;

/* How many messages have gone one way between this rank and another one of a group. */
typedef struct tr_log_channel {
  uint64_t hash;  /* of both ends and the group's members, the same on both sides */
  uint32_t arrow; /* TR_ARROW_NONE: the row is free */
  uint64_t count; /* so far */
} tr_log_channel;

enum { TR_LOG_CHANNELS = 1 << 10 };

typedef struct tr_log_place {
  tr_board_place what;
  uint64_t calls, bytes;
  int64_t nanoseconds;
} tr_log_place;

struct tr_log {
  int64_t start; /* of the call that goes on; 0: none does */
  uint32_t place;
  uint32_t num_places;
  uint32_t arrow;                  /* of the call that goes on */
  bool has_lost_count;             /* of messages that come: nobody knows whose some were */
  uint64_t message;                /* of the call that goes on */
  uint64_t num_records;            /* so far; the last TR_LOG_RECORDS are there */
  tr_log_record *records;          /* NULL: only the sums are wanted */
  tr_note_key keys[TR_LOG_PLACES]; /* a cache */
  uint32_t found[TR_LOG_PLACES];   /* the place that a key leads to */
  tr_log_place places[TR_LOG_PLACES];
  tr_log_channel channels[TR_LOG_CHANNELS];
};

/* As TESSERA_TRACE and TESSERA_STATS say; leaves the context without a log where they do not. */
void tr_log_open(tessera_context *context);
void tr_log_close(tessera_context *context);
/* Sites are another program's from now on: those before stay under their names. */
void tr_log_forget(tessera_context *context);

/* The number of the site's place; all that find no room have the last one. */
uint32_t tr_log_describe(tessera_context *context, const tessera_site *site, tr_membership members,
                         uint32_t slot);

/* The call that goes on is one side of a message between this rank and a position of the group;
 * negative: of whoever came first, and then nothing is known of those that come later. Messages
 * between two ranks of a group arrive in the order in which they were sent, so that they are known
 * by counting. */
void tr_log_message(tr_log *log, const tr_group *group, int32_t peer, tr_arrow arrow);

static inline int64_t tr_log_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline void tr_log_begin(tessera_context *context, tr_log *log, const tessera_site *site,
                                tr_membership members) {
  uint64_t number = site->index >= 0 ? (uint64_t)site->index : (uintptr_t)site >> 4;
  uint32_t slot = (uint32_t)number & (TR_LOG_PLACES - 1);
  log->place = tr_note_knows(&log->keys[slot], site)
                   ? log->found[slot]
                   : tr_log_describe(context, site, members, slot);
  log->start = tr_log_clock();
}

/* `calls`: 1, or 0 of what goes on until it is waited for, and counts then. */
static inline void tr_log_end(tr_log *log, uint64_t bytes, uint64_t calls) {
  if (log->start == 0)
    return;
  int64_t duration = tr_log_clock() - log->start;
  tr_log_place *place = &log->places[log->place];
  place->calls += calls;
  place->bytes += bytes;
  place->nanoseconds += duration;
  if (log->records)
    log->records[log->num_records & (TR_LOG_RECORDS - 1)] =
        (tr_log_record){log->start, duration, bytes, log->place, log->arrow, log->message};
  log->num_records++;
  log->arrow = TR_ARROW_NONE;
  log->start = 0;
}

#endif /* TESSERA_RUNTIME_TRACE_LOG_H */
