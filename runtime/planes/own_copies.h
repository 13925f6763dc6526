/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The messages of a transfer that a rank sends to itself, as copies from place to place.
 * It must not know how other messages travel. */
#ifndef TESSERA_RUNTIME_PLANES_OWN_COPIES_H
#define TESSERA_RUNTIME_PLANES_OWN_COPIES_H

#include "planes/backend.h"
#include "planes/device.h"
#include "planes/place.h"

typedef struct tr_own_copy {
  const char *from;
  char *to;
  tr_copy copy;
} tr_own_copy;

/* Of `count` messages, so many pairs go from this rank to itself. */
static inline int64_t tr_own_copies_count(const tr_group *group, const tr_message *messages,
                                          int64_t count) {
  int64_t own = 0;
  for (int64_t i = 0; i < count; i++)
    own += messages[i].peer == group->self;
  return own / 2;
}

/* The first message from `number` on of this rank to itself that goes this way. */
static inline int64_t tr_own_message(const tr_group *group, const tr_message *messages,
                                     int64_t number, tr_direction direction) {
  while (messages[number].peer != group->self || messages[number].direction != direction)
    number++;
  return number;
}

/* Fills `copies`, as many as were counted; returns the bytes that they copy. */
static inline size_t tr_own_copies_plan(const tr_group *group, const tr_message *messages,
                                        int64_t num, tr_own_copy *copies) {
  int64_t from = 0, to = 0;
  size_t bytes = 0;
  for (int64_t i = 0; i < num; i++, from++, to++) {
    from = tr_own_message(group, messages, from, TR_SEND);
    to = tr_own_message(group, messages, to, TR_RECEIVE);
    copies[i].from = messages[from].view.data;
    copies[i].to = messages[to].view.data;
    tr_view_plan_copy(&messages[from].view, &messages[to].view, &copies[i].copy);
    bytes += tr_view_bytes(&messages[from].view);
  }
  return bytes;
}

static inline void tr_own_copies_do(const tr_world *world, const tr_job_run *run, int64_t num,
                                    const tr_own_copy *copies) {
  for (int64_t i = 0; i < num; i++)
    world->device->copy(world->device, run->stream, &copies[i].copy,
                        tr_resolve(run->bases, copies[i].from),
                        tr_resolve(run->bases, copies[i].to));
}

#endif /* TESSERA_RUNTIME_PLANES_OWN_COPIES_H */
