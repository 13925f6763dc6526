/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The control plane between threads: members meet, and each takes all numbers along.
 * It must not know what the numbers mean. */
#include <stdlib.h>
#include <string.h>

#include "backends/local/hub.h"
#include "error.h"

static bool make_room(known_group *group, int64_t count) {
  meeting *meeting = &group->meeting;
  int64_t needed = count * group->size;
  if (!meeting->events)
    meeting->events = calloc((size_t)group->size, sizeof(*meeting->events));
  if (meeting->capacity < needed) {
    int64_t *numbers = realloc(meeting->numbers, sizeof(int64_t) * (size_t)needed);
    if (!numbers)
      return false;
    meeting->numbers = numbers;
    meeting->capacity = needed;
  }
  return meeting->events;
}

/* The last member that comes wakes the others. */
static void open_meeting(hub *hub, known_group *group) {
  meeting *meeting = &group->meeting;
  for (int32_t i = 0; i < group->size; i++) {
    if (meeting->events[i])
      advance(hub, meeting->events[i]);
    meeting->events[i] = NULL;
  }
}

/* With the lock held. A member that comes again before all others have left waits for them: its
 * event is that of the meeting to come. */
static tessera_status meet(hub *hub, known_group *group, int32_t self, int32_t rank,
                           const tessera_site *site, int64_t count, const int64_t *mine,
                           int64_t *all) {
  meeting *meeting = &group->meeting;
  if (!make_room(group, count))
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the sizes of %d ranks", group->size);
  if (meeting->arrived == 0) {
    meeting->site = site;
    meeting->first = rank;
  } else if (!same_collective(meeting->site, site)) {
    tessera_status status = report_other_collective(meeting->site, meeting->first, site, rank);
    fail_hub(hub, tessera_last_error());
    return status;
  }
  memcpy(meeting->numbers + self * count, mine, sizeof(int64_t) * (size_t)count);
  event event = {.rank = rank, .pending = ++meeting->arrived < group->size};
  tessera_status status = TESSERA_OK;
  if (event.pending) {
    meeting->events[self] = &event;
    status = await(hub, site, &event);
    meeting->events[self] = NULL;
  } else {
    open_meeting(hub, group);
  }
  if (!status)
    memcpy(all, meeting->numbers, sizeof(int64_t) * (size_t)(count * group->size));
  return status;
}

/* Members leave when all have taken the numbers, so that nobody writes the next ones before. */
static tessera_status leave(hub *hub, known_group *group, int32_t self, int32_t rank,
                            const tessera_site *site) {
  meeting *meeting = &group->meeting;
  event event = {.rank = rank, .pending = ++meeting->left < group->size};
  if (event.pending) {
    meeting->events[self] = &event;
    tessera_status status = await(hub, site, &event);
    meeting->events[self] = NULL;
    return status;
  }
  meeting->arrived = meeting->left = 0;
  open_meeting(hub, group);
  return TESSERA_OK;
}

static tessera_status local_collect(tr_world *world, const tr_group *group,
                                    const tessera_site *site, int64_t count, const int64_t *mine,
                                    int64_t *all) {
  hub *hub = world->state;
  if (group->size == 1) {
    memcpy(all, mine, sizeof(int64_t) * (size_t)count);
    return TESSERA_OK;
  }
  pthread_mutex_lock(&hub->lock);
  known_group *known = hub->groups[group_number(group)];
  tessera_status status = hub->failed ? peer_failure(hub) : TESSERA_OK;
  if (!status)
    status = meet(hub, known, group->self, world->rank, site, count, mine, all);
  if (!status)
    status = leave(hub, known, group->self, world->rank, site);
  pthread_mutex_unlock(&hub->lock);
  return status;
}

void free_meeting(meeting *meeting) {
  free(meeting->numbers);
  free(meeting->events);
}

const tr_control local_control = {.collect = local_collect, .settle = drop_unreceived};
