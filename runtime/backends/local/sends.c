/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Sends of the program between threads: what is not awaited yet is kept, in the host's memory. It
 * must not know grids, collectives or MLIR. */
#include <stdlib.h>

#include "backends/local/posts.h"
#include "planes/call_account.h"
#include "support/error.h"

typedef struct buffered_send {
  post post;
  tr_kept_site kept;
  tr_view view; /* dense, of what follows */
} buffered_send;

tessera_status local_send(tr_world *world, const tr_group *group, const tessera_site *site,
                          int32_t peer, const tr_view *view) {
  hub *hub = world->state;
  tr_copy copy;
  buffered_send *send = malloc(sizeof(*send) + tr_view_bytes(view));
  if (!send)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a message of %zu bytes",
                   tr_view_bytes(view));
  int32_t receiver = group->members[peer];
  send->post = (post){.direction = TR_SEND,
                      .channel = CHANNEL_SEND,
                      .group = group_number(group),
                      .source = world->rank,
                      .rank = world->rank,
                      .site = &send->kept.site,
                      .view = &send->view,
                      .data = (char *)(send + 1)};
  tr_keep_site(site, &send->kept);
  tr_view_dense(send->post.data, view, &send->view);
  tr_view_plan_copy(view, &send->view, &copy);
  world->device->download(world->device, NULL, &copy, view->data, send->post.data);
  tessera_status status = tr_device_settle(world->device, NULL);
  pthread_mutex_lock(&hub->lock);
  if (!status && hub->failed)
    status = peer_failure(hub, world->rank);
  if (!status)
    status = enter_post(world, receiver, &send->post);
  bool waits = send->post.list;
  pthread_mutex_unlock(&hub->lock);
  if (!waits)
    free(send);
  return status;
}

tessera_status local_receive(tr_world *world, const tr_group *group, const tessera_site *site,
                             int32_t peer, const tr_view *view) {
  hub *hub = world->state;
  event event = {.rank = world->rank, .awaits = awaits_post};
  post own = {.direction = TR_RECEIVE,
              .channel = CHANNEL_SEND,
              .group = group_number(group),
              .source = peer < 0 ? ANY_PEER : group->members[peer],
              .rank = world->rank,
              .event = &event,
              .site = site,
              .view = view,
              .data = view->data};
  begin_on_device(world, TR_BLOCKING, NULL, &event);
  pthread_mutex_lock(&hub->lock);
  tessera_status status = hub->failed ? peer_failure(hub, world->rank) : TESSERA_OK;
  if (!status)
    status = enter_post(world, world->rank, &own);
  if (!status) {
    linger(hub, &event);
    status = await(hub, site, &event);
  }
  if (status)
    withdraw(hub, &event, &own, 1);
  follow_copies(world, &event);
  pthread_mutex_unlock(&hub->lock);
  return status;
}

/* Drops this rank's sends among those of one list, and finds the oldest. */
static void drop_sends(hub *hub, post_list *list, int32_t sender, post **oldest) {
  for (post *post = list->first, *next; post; post = next) {
    next = post->next;
    if (post->event || post->source != sender)
      continue;
    unlink_post(hub, post);
    struct post *newer = *oldest && (*oldest)->sequence < post->sequence ? post : *oldest;
    *oldest = newer == post ? *oldest : post;
    free(newer);
  }
}

tessera_status drop_unreceived(tr_world *world) {
  hub *hub = world->state;
  post *oldest = NULL;
  int32_t receiver = -1;
  pthread_mutex_lock(&hub->lock);
  for (int32_t i = 0; hub->kept > 0 && i < hub->ranks; i++) {
    post *before = oldest;
    drop_sends(hub, list_of(hub, i, CHANNEL_SEND, world->rank), world->rank, &oldest);
    receiver = oldest != before ? i : receiver;
  }
  pthread_mutex_unlock(&hub->lock);
  if (!oldest)
    return TESSERA_OK;
  char site[256];
  tr_account_place(oldest->site, site, sizeof(site));
  tr_fail(TESSERA_ERROR_MISMATCH, "%s: rank %d never received what rank %d sent", site, receiver,
          world->rank);
  free(oldest);
  return TESSERA_ERROR_MISMATCH;
}
