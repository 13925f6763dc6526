/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Tensors of the host as messages through the store: right, and slow.
 * It must not know which collective they belong to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/tcp/client.h"
#include "support/error.h"

/* Messages of collectives are numbered by lane, from 1 on; sends of the program have 0. */
enum { FOR_SENDS = 0 };

static const tcp_group *group_of(const tr_group *group) {
  return group->handle;
}

static tessera_status no_memory(size_t bytes) {
  return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a message of %zu bytes", bytes);
}

/* `serial` tells sends of the program apart. */
static tessera_status post(tr_world *world, const tr_group *group, int32_t peer, uint64_t number,
                           uint32_t serial, const tr_view *view, char *data) {
  const tr_device *device = world->device;
  tr_view packed;
  tr_copy copy;
  size_t bytes = tr_view_bytes(view);
  char *memory = malloc(bytes + 1);
  if (!memory)
    return no_memory(bytes);
  tr_view_dense(memory, view, &packed);
  tr_view_plan_copy(view, &packed, &copy);
  device->download(device, NULL, &copy, data, memory);
  tessera_status status = tr_device_settle(device, NULL);
  frame frame = {.kind = FRAME_MESSAGE,
                 .from = world->rank,
                 .to = group->members[peer],
                 .count = serial,
                 .group = group_of(group)->hash,
                 .number = number,
                 .bytes = bytes};
  if (!status)
    status = tcp_send_frame(client_of(world), &frame, memory);
  free(memory);
  return status;
}

/* `peer` -1: of any. */
static tessera_status fetch(tr_world *world, const tr_group *group, int32_t peer, uint64_t number,
                            const tr_view *view, char *data) {
  const tr_device *device = world->device;
  frame wanted = {.kind = FRAME_MESSAGE,
                  .from = peer < 0 ? -1 : group->members[peer],
                  .group = group_of(group)->hash,
                  .number = number};
  arrival *arrived;
  tessera_status status = tcp_await(client_of(world), &wanted, "a message", &arrived);
  if (status)
    return status;
  if (arrived->frame.bytes != tr_view_bytes(view)) {
    status =
        tr_fail(TESSERA_ERROR_MISMATCH,
                "pieces do not fit: rank %d sent %llu bytes where %zu were expected",
                arrived->frame.from, (unsigned long long)arrived->frame.bytes, tr_view_bytes(view));
  } else {
    tr_view packed;
    tr_copy copy;
    tr_view_dense(arrived->data, view, &packed);
    tr_view_plan_copy(&packed, view, &copy);
    device->upload(device, NULL, &copy, arrived->data, data);
    status = tr_device_settle(device, NULL);
  }
  free(arrived);
  return status;
}

/* ---- transfers ------------------------------------------------------------------------------- */

typedef struct transfer {
  tr_job job;
  int64_t count;
  tr_message messages[];
} transfer;

static tessera_status do_messages(tr_world *world, const tr_job_run *run, tr_direction direction) {
  const transfer *plan = (const transfer *)run->job;
  tessera_status status = TESSERA_OK;
  for (int64_t i = 0; !status && i < plan->count; i++) {
    const tr_message *message = &plan->messages[i];
    char *data = tr_resolve(run->bases, message->view.data);
    uint64_t number = (uint64_t)run->lane + 1;
    if (message->direction != direction)
      continue;
    status = direction == TR_SEND
                 ? post(world, run->group, message->peer, number, 0, &message->view, data)
                 : fetch(world, run->group, message->peer, number, &message->view, data);
  }
  return status;
}

static tessera_status start_transfer(tr_world *world, const tr_job_run *run) {
  return do_messages(world, run, TR_SEND);
}

static tessera_status finish_transfer(tr_world *world, const tr_job_run *run) {
  return do_messages(world, run, TR_RECEIVE);
}

tessera_status tcp_plan_transfer(tr_world *world, const tr_group *group, const tr_message *messages,
                                 int64_t count, tr_job **job) {
  size_t bytes = sizeof(transfer) + sizeof(*messages) * (size_t)count;
  transfer *made = malloc(bytes);
  (void)world;
  (void)group;
  if (!made)
    return no_memory(bytes);
  made->job = (tr_job){.start = start_transfer, .finish = finish_transfer};
  made->count = count;
  tr_messages_assign(made->messages, messages, count);
  *job = &made->job;
  return TESSERA_OK;
}

/* ---- sends of the program -------------------------------------------------------------------- */

tessera_status tcp_send(tr_world *world, const tr_group *group, const tessera_site *site,
                        int32_t peer, const tr_view *view) {
  tcp_client *client = client_of(world);
  uint32_t serial = client->num_sent++ % TCP_SENDS;
  snprintf(client->sent[serial], sizeof(client->sent[serial]), "'%s'%s%s", site->name,
           site->location[0] ? " at " : "", site->location);
  return post(world, group, peer, FOR_SENDS, serial, view, view->data);
}

tessera_status tcp_receive(tr_world *world, const tr_group *group, const tessera_site *site,
                           int32_t peer, const tr_view *view) {
  (void)site;
  return fetch(world, group, peer, FOR_SENDS, view, view->data);
}
