/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The local backend: ranks are threads of one process. Here its life and its groups.
 * It must not know grids, collectives or MLIR. */
#include "backends/local/local.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends/local/hub.h"
#include "support/error.h"
#include "threads/cores.h"

enum { MOST_BUCKETS = 256 };

/* ---- groups ---------------------------------------------------------------------------------- */

static int32_t find_group(const hub *hub, const tr_group *group) {
  for (int32_t i = 0; i < hub->num_groups; i++)
    if (hub->groups[i]->size == group->size &&
        memcmp(hub->groups[i]->members, group->members, sizeof(int32_t) * (size_t)group->size) == 0)
      return i;
  return -1;
}

static void free_group(known_group *group) {
  close_rooms(group);
  free(group);
}

static int32_t add_group(hub *hub, const tr_group *group) {
  if (hub->num_groups == hub->group_capacity) {
    int32_t capacity = hub->group_capacity ? 2 * hub->group_capacity : 8;
    known_group **groups = realloc(hub->groups, sizeof(*groups) * (size_t)capacity);
    if (!groups)
      return -1;
    hub->groups = groups;
    hub->group_capacity = capacity;
  }
  size_t bytes = sizeof(int32_t) * (size_t)group->size;
  known_group *known = calloc(1, sizeof(*known) + bytes);
  if (!known)
    return -1;
  known->size = group->size;
  known->members = (int32_t *)(known + 1);
  memcpy(known->members, group->members, bytes);
  if (!open_rooms(hub, known)) {
    free_group(known);
    return -1;
  }
  hub->groups[hub->num_groups] = known;
  return hub->num_groups++;
}

static tessera_status local_create_group(tr_world *world, tr_group *group) {
  hub *hub = world->state;
  pthread_mutex_lock(&hub->lock);
  int32_t number = find_group(hub, group);
  if (number < 0)
    number = add_group(hub, group);
  pthread_mutex_unlock(&hub->lock);
  if (number < 0)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a group");
  group->handle = (void *)(intptr_t)(number + 1);
  return TESSERA_OK;
}

static void local_destroy_group(tr_world *world, tr_group *group) {
  (void)world;
  group->handle = NULL;
}

/* ---- open and close -------------------------------------------------------------------------- */

/* Any thread may abort, in the words of this rank, which itself takes back what it has begun. */
static void local_abort(tr_world *world, const char *message) {
  hub *hub = world->state;
  pthread_mutex_lock(&hub->lock);
  if (!hub->failed) {
    hub->has_speaker = true;
    hub->speaker = world->rank;
  }
  fail_hub(hub, message);
  pthread_mutex_unlock(&hub->lock);
}

static void local_fail(tr_world *world, const char *message) {
  hub *hub = world->state;
  pthread_mutex_lock(&hub->lock);
  fail_hub(hub, message);
  withdraw_all(world);
  pthread_mutex_unlock(&hub->lock);
}

static void local_attend(tr_world *world) {
  hub *hub = world->state;
  seat *seat = &hub->seats[world->rank];
  tr_user *self = tr_user_self();
  if (atomic_load_explicit(&seat->user, memory_order_relaxed) == self)
    return;
  pthread_mutex_lock(&hub->lock);
  tr_user *before = seat->user;
  seat->user = tr_user_refer(self);
  hub->deserted = 0;
  pthread_mutex_unlock(&hub->lock);
  tr_user_release(before);
}

static void free_hub(hub *hub) {
  for (int32_t i = 0; i < hub->ranks; i++) {
    seat *seat = &hub->seats[i];
    for (int32_t k = 0; seat->posts && k < NUM_CHANNELS * hub->buckets; k++)
      free_posts(&seat->posts[k]);
    pthread_cond_destroy(&seat->wake);
    tr_user_release(seat->user);
    free(seat->posts);
  }
  for (int32_t i = 0; i < hub->num_groups; i++)
    free_group(hub->groups[i]);
  free(hub->groups);
  pthread_mutex_destroy(&hub->lock);
  free(hub);
}

static void local_close(tr_world *world) {
  hub *hub = world->state;
  pthread_mutex_lock(&hub->lock);
  withdraw_all(world);
  hub->seats[world->rank].is_closed = true;
  bool is_last = --hub->open == 0;
  pthread_mutex_unlock(&hub->lock);
  if (is_last)
    free_hub(hub);
  world->backend = NULL;
}

static const tr_backend local_backend = {
    .version = TR_BACKEND_VERSION,
    .name = "local",
    .reaches_devices = true,
    .create_group = local_create_group,
    .destroy_group = local_destroy_group,
    .plan_transfer = local_plan_transfer,
    .plan_reduction = local_plan_reduction,
    .plan_exchange = local_plan_exchange,
    .send = local_send,
    .receive = local_receive,
    .attend = local_attend,
    .fail = local_fail,
    .abort = local_abort,
    .close = local_close,
};

static hub *create_hub(int32_t ranks) {
  hub *hub = calloc(1, sizeof(*hub) + sizeof(seat) * (size_t)ranks);
  if (!hub)
    return NULL;
  pthread_condattr_t monotonic;
  pthread_mutex_init(&hub->lock, NULL);
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  hub->ranks = hub->open = ranks;
  hub->cores = tr_available_cores();
  hub->buckets = ranks < MOST_BUCKETS ? ranks : MOST_BUCKETS;
  bool is_complete = true;
  for (int32_t i = 0; i < ranks; i++) {
    seat *seat = &hub->seats[i];
    pthread_cond_init(&seat->wake, &monotonic);
    seat->posts = calloc((size_t)(NUM_CHANNELS * hub->buckets), sizeof(post_list));
    is_complete = is_complete && seat->posts;
  }
  pthread_condattr_destroy(&monotonic);
  if (is_complete)
    return hub;
  free_hub(hub);
  return NULL;
}

tessera_status tr_local_open(int32_t ranks, tr_world *worlds) {
  hub *hub = create_hub(ranks);
  if (!hub)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %d ranks", ranks);
  for (int32_t i = 0; i < ranks; i++)
    worlds[i] = (tr_world){.backend = &local_backend,
                           .control = &local_control,
                           .state = hub,
                           .rank = i,
                           .size = ranks,
                           .host_rank = i,
                           .host_ranks = ranks,
                           .host_cores = hub->cores,
                           .process_ranks = ranks};
  return TESSERA_OK;
}
