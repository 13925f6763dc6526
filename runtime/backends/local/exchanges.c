/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages between all members of a group at once: each copies what is for it straight from where
 * the others have it. It must not know grids, how threads sleep, or MLIR. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/local/hub.h"
#include "devices/host/host.h"
#include "support/error.h"

typedef struct exchange {
  tr_job job;
  local_room *room;
  room_call call;
  int64_t count;
  int32_t *by_peer[2]; /* in the same memory: of a direction, the message of each peer; -1: none */
  tr_message messages[];
} exchange;

/* What a member shows to the others. */
typedef struct shown {
  const exchange *exchange;
  const uintptr_t *bases;
} shown;

static const tr_message *find(const exchange *exchange, tr_direction direction, int32_t peer) {
  int32_t number = exchange->by_peer[direction][peer];
  return number < 0 ? NULL : &exchange->messages[number];
}

/* Both members see that their pieces do not fit; the first of them says so. Where each has called
 * is told by who knows both calls. */
static tessera_status report_misfit(const exchange *exchange, const tr_job_run *run, int32_t peer,
                                    const tr_message *from, const tr_message *to) {
  char shapes[2][128];
  const tr_view *views[2] = {from ? &from->view : NULL, to ? &to->view : NULL};
  for (int i = 0; i < 2; i++)
    if (views[i])
      tr_elements_text(views[i]->rank, views[i]->sizes, shapes[i], sizeof(shapes[i]));
    else
      strcpy(shapes[i], "nothing");
  return tr_fail(TESSERA_ERROR_MISMATCH,
                 "pieces do not fit: rank %d sends %s, where rank %d expects %s",
                 run->group->members[peer], shapes[0], exchange->room->rank, shapes[1]);
}

static tessera_status receive_from(const tr_job_run *run, const exchange *exchange, int32_t peer) {
  shown shown;
  tr_copy copy;
  memcpy(&shown, tr_room_of(&exchange->room->room, peer)->data, sizeof(shown));
  const tr_message *from = find(shown.exchange, TR_SEND, run->group->self);
  const tr_message *to = find(exchange, TR_RECEIVE, peer);
  if (!from && !to)
    return TESSERA_OK;
  if (!from || !to || !tr_view_same_shape(&from->view, &to->view))
    return report_misfit(exchange, run, peer, from, to);
  const char *source = tr_resolve(shown.bases, from->view.data);
  char *target = tr_resolve(run->bases, to->view.data);
  if (source == target)
    return TESSERA_OK;
  tr_view_plan_copy(&from->view, &to->view, &copy);
  tr_host_copy(&copy, source, target);
  return TESSERA_OK;
}

/* Each begins with what is its own, and goes on with another member than the others. */
static tessera_status receive_all(const tr_job_run *run, const exchange *exchange) {
  int32_t size = run->group->size;
  tessera_status status = TESSERA_OK;
  for (int32_t i = 0; !status && i < size; i++)
    status = receive_from(run, exchange, (run->group->self + i) % size);
  return status;
}

/* The others end what they are at first, and hear of it. */
static tessera_status fail_exchange(tr_world *world, tr_room *room, tessera_status status) {
  char text[MESSAGE_CAPACITY];
  snprintf(text, sizeof(text), "%s", tessera_last_error());
  tessera_status told = fail_all(world, status, text);
  tr_room_finish(room);
  return told == status ? tr_fail(status, "%s", text) : told;
}

static tessera_status start_exchange(tr_world *world, const tr_job_run *run) {
  exchange *exchange = (struct exchange *)run->job;
  tr_room *room = &exchange->room->room;
  shown shown = {exchange, run->bases};
  memcpy(tr_room_bring(room)->data, &shown, sizeof(shown));
  tessera_status status = begin_in_room(world, exchange->room, run->site, &exchange->call);
  if (status)
    return status;
  status = receive_all(run, exchange);
  return status ? fail_exchange(world, room, status) : tr_room_finish(room);
}

static void add_message(exchange *exchange, const tr_message *message) {
  tr_message *own = &exchange->messages[exchange->count];
  exchange->by_peer[message->direction][message->peer] = (int32_t)exchange->count++;
  own->direction = message->direction;
  own->peer = message->peer;
  tr_view_assign(&own->view, &message->view); /* most of a view is room */
}

/* Of the host's memory alone: other devices go on while the host does, in streams. */
tessera_status local_plan_exchange(tr_world *world, const tr_group *group,
                                   const tr_message *messages, int64_t count, tr_job **job) {
  size_t size = (size_t)group->size, peers = sizeof(int32_t) * size;
  if (world->device != &tr_host_device || group->size > TR_ROOM_MEMBERS)
    return TESSERA_ERROR_UNSUPPORTED;
  exchange *made = malloc(sizeof(*made) + sizeof(*messages) * (size_t)count + 2 * peers);
  if (!made)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %lld messages", (long long)count);
  made->job = (tr_job){.start = start_exchange};
  made->room = room_of(world, group);
  made->call = (room_call){.is_described = false};
  made->count = 0;
  made->by_peer[TR_SEND] = (int32_t *)&made->messages[count];
  made->by_peer[TR_RECEIVE] = made->by_peer[TR_SEND] + size;
  memset(made->by_peer[TR_SEND], -1, 2 * peers);
  for (int64_t i = 0; i < count; i++)
    add_message(made, &messages[i]);
  *job = &made->job;
  return TESSERA_OK;
}
