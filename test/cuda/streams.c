/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Streams: lists of work, done when somebody waits, or by chance before.
 * It must not know what the work is. */
#include <stdlib.h>

#include "standin.h"

int stream_error;
char stream_message[1024];

static stream *streams;
static int num_streams;
static uint64_t state; /* 0: no seed yet */

uint32_t chance(uint32_t limit) {
  if (state == 0) {
    const char *seed = getenv("STANDIN_SEED");
    state = (seed ? strtoull(seed, NULL, 10) : 1) * 0x9e3779b97f4a7c15u | 1;
  }
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)((state * 0x2545f4914f6cdd1du >> 33) % limit);
}

void stream_add(stream *added) {
  added->next = streams;
  streams = added;
  num_streams++;
}

void stream_give(stream *stream, work *work) {
  work->next = NULL;
  *(stream->last ? &stream->last->next : &stream->first) = work;
  stream->last = work;
  stream->given++;
}

/* After an error nothing is done any more, but all is given back. False: the work is not done yet.
 */
static bool do_first(stream *stream) {
  work *work = stream->first, *next = work->next;
  stream->is_busy = true;
  int error = work->run(work);
  stream->is_busy = false;
  if (error == LATER)
    return false;
  stream->first = next;
  if (!stream->first)
    stream->last = NULL;
  if (!stream_error)
    stream_error = error;
  stream->done++;
  return true;
}

/* Streams in turn, each for a while: STANDIN_EAGER=1 lets work be done as soon as it is given,
 * STANDIN_LATE=1 not before somebody waits for it. */
void stream_chance(void) {
  enum { LONGEST = 4 };
  static int eager = -1, late = -1;
  if (eager < 0) {
    eager = getenv("STANDIN_EAGER") != NULL;
    late = getenv("STANDIN_LATE") != NULL;
  }
  for (stream *stream = late ? NULL : streams; stream; stream = stream->next) {
    uint32_t pieces = eager ? UINT32_MAX : chance(4) == 0 ? chance(LONGEST) : 0;
    while (stream->first && !stream->is_busy && pieces-- > 0 && do_first(stream))
      continue;
  }
}

void stream_progress(void) {
  enum { MOST = 8 };
  for (stream *stream = streams; stream; stream = stream->next)
    for (int i = 0; i < MOST && stream->first && !stream->is_busy && do_first(stream); i++)
      continue;
}

bool stream_try(stream *waited, uint64_t done) {
  while (waited->done < done) {
    if (chance(8) == 0)
      stream_chance();
    if (waited->done < done && (waited->is_busy || !do_first(waited)))
      return false;
  }
  return true;
}

void stream_wait(stream *waited, uint64_t done) {
  while (!stream_try(waited, done))
    stream_pause();
}
