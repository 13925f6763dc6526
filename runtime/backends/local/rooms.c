/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Rooms of threads: how they sleep there, so that ranks that wait in vain are found, and how they
 * fail. It must not know what is done in them. */
#include <stdlib.h>
#include <sys/mman.h>

#include "backends/local/hub.h"
#include "planes/site_hash.h"
#include "support/error.h"

/* Looks before a rank sleeps: about 50 us where each has a core, which is what it takes to fall
 * asleep and be woken; hardly any where another rank wants this core. */
enum { SPINS = 1000, FEW_SPINS = 20 };

/* ---- sleeping -------------------------------------------------------------------------------- */

static bool awaits_member(const hub *hub, const event *event, int32_t rank) {
  const known_group *group = event->room->group;
  (void)hub;
  for (int32_t i = 0; i < group->size; i++)
    if (group->members[i] == rank)
      return !tr_room_has_come(&event->room->room, i);
  return false;
}

/* As waiting for anything else: under the lock, and seen by who looks for ranks that wait in vain.
 * The number of sleepers goes up before the last look: see tr_room_come. */
static tessera_status sleep_in_room(tr_room *room, int32_t member) {
  local_room *own = room->keeper;
  hub *hub = own->group->hub;
  event event = {.rank = own->rank, .awaits = awaits_member, .room = own, .pending = 1};
  pthread_mutex_lock(&hub->lock);
  own->sleeper = (sleeper){&event, member};
  atomic_fetch_add_explicit(&room->memory->sleepers, 1, memory_order_seq_cst);
  if (tr_room_has_come(room, member))
    event.pending = 0;
  tessera_status status =
      event.pending && hub->failed ? peer_failure(hub, own->rank) : await(hub, room->site, &event);
  atomic_fetch_sub_explicit(&room->memory->sleepers, 1, memory_order_relaxed);
  own->sleeper.event = NULL;
  pthread_mutex_unlock(&hub->lock);
  return status;
}

static void wake_sleepers(tr_room *room) {
  known_group *group = ((local_room *)room->keeper)->group;
  pthread_mutex_lock(&group->hub->lock);
  for (int32_t i = 0; i < group->size; i++) {
    local_room *other = &group->rooms[i];
    if (other->sleeper.event && other->sleeper.event->pending &&
        tr_room_has_come(&other->room, other->sleeper.member))
      advance(group->hub, other->sleeper.event);
  }
  pthread_mutex_unlock(&group->hub->lock);
}

static bool has_failed(const tr_room *room) {
  return atomic_load_explicit(&((local_room *)room->keeper)->group->hub->failed,
                              memory_order_seq_cst);
}

/* ---- rooms ----------------------------------------------------------------------------------- */

bool open_rooms(hub *hub, known_group *group) {
  void *memory = mmap(NULL, tr_room_bytes(group->size), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  group->hub = hub;
  group->memory = memory == MAP_FAILED ? NULL : memory;
  group->rooms = calloc((size_t)group->size, sizeof(*group->rooms));
  if (!group->memory || !group->rooms)
    return false;
  for (int32_t i = 0; i < group->size; i++) {
    local_room *room = &group->rooms[i];
    *room = (local_room){.room = {.memory = group->memory,
                                  .members = group->size,
                                  .self = i,
                                  .spins = hub->ranks <= hub->cores ? SPINS : FEW_SPINS,
                                  .sleep = sleep_in_room,
                                  .wake = wake_sleepers,
                                  .keeper = room},
                         .group = group,
                         .rank = group->members[i]};
  }
  return true;
}

void close_rooms(known_group *group) {
  if (group->memory)
    munmap(group->memory, tr_room_bytes(group->size));
  free(group->rooms);
}

local_room *room_of(tr_world *world, const tr_group *group) {
  hub *hub = world->state;
  pthread_mutex_lock(&hub->lock);
  known_group *known = hub->groups[group_number(group)];
  pthread_mutex_unlock(&hub->lock);
  return &known->rooms[group->self];
}

/* ---- meeting --------------------------------------------------------------------------------- */

tessera_status fail_all(tr_world *world, tessera_status status, const char *text) {
  hub *hub = world->state;
  pthread_mutex_lock(&hub->lock);
  if (hub->failed) {
    status = peer_failure(hub, world->rank);
  } else {
    fail_hub(hub, text);
    tr_fail(status, "%s", text);
  }
  pthread_mutex_unlock(&hub->lock);
  return status;
}

static tessera_status heard_failure(tr_world *world) {
  hub *hub = world->state;
  pthread_mutex_lock(&hub->lock);
  tessera_status status = peer_failure(hub, world->rank);
  pthread_mutex_unlock(&hub->lock);
  return status;
}

static tessera_status report_difference(tr_world *world, tr_room *room, const tessera_site *site,
                                        const tr_room_call *call) {
  char text[MESSAGE_CAPACITY];
  tessera_status status = tr_room_find_difference(room, call, site, world->program_calls,
                                                  world->rank, text, sizeof(text));
  return status ? status : fail_all(world, TESSERA_ERROR_MISMATCH, text);
}

static void bring_call(const tr_world *world, tr_room *room, const tessera_site *site,
                       room_call *call) {
  room->site = site;
  if (!call->is_described) {
    call->call.site = tr_hash_site_by_text(site);
    call->is_described = true;
  }
  tr_room_bring_call(room, &call->call, world->program_calls);
}

tessera_status meet_in_room(tr_world *world, local_room *own, const tessera_site *site,
                            room_call *call) {
  tr_room *room = &own->room;
  bring_call(world, room, site, call);
  tr_room_come(room);
  tessera_status status = tr_room_await(room);
  if (status)
    return status;
  return tr_room_same_call(room) ? TESSERA_OK : report_difference(world, room, site, &call->call);
}

/* Where calls differ, all know, and none begins. */
tessera_status begin_in_room(tr_world *world, local_room *own, const tessera_site *site,
                             room_call *call) {
  tr_room *room = &own->room;
  bring_call(world, room, site, call);
  tr_room_come(room);
  tessera_status status = tr_room_await(room);
  if (!status && !tr_room_same_call(room))
    return report_difference(world, room, site, &call->call);
  if (!status && has_failed(room))
    status = heard_failure(world);
  if (status)
    tr_room_give_up(room);
  return status;
}
