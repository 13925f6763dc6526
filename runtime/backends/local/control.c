/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The control plane between threads: members meet, and each takes all numbers along.
 * It must not know what the numbers mean. */
#include <string.h>

#include "backends/local/hub.h"

enum { MOST_AT_ONCE = TR_ROOM_INLINE / sizeof(int64_t) };

/* `count` numbers of each member from number `first` on. */
static tessera_status collect_some(tr_world *world, local_room *own, const tessera_site *site,
                                   room_call *call, int64_t count, const int64_t *mine,
                                   int64_t *all, int64_t stride) {
  tr_room *room = &own->room;
  size_t bytes = sizeof(int64_t) * (size_t)count;
  memcpy(tr_room_bring(room)->data, mine, bytes);
  tessera_status status = meet_in_room(world, own, site, call);
  for (int32_t i = 0; !status && i < room->members; i++)
    memcpy(all + i * stride, tr_room_of(room, i)->data, bytes);
  return status;
}

static tessera_status local_collect(tr_world *world, const tr_group *group,
                                    const tessera_site *site, int64_t count, const int64_t *mine,
                                    int64_t *all) {
  tessera_status status = TESSERA_OK;
  room_call call = {.is_described = false};
  if (group->size == 1) {
    memcpy(all, mine, sizeof(int64_t) * (size_t)count);
    return TESSERA_OK;
  }
  local_room *room = room_of(world, group);
  for (int64_t first = 0; !status && first < count; first += MOST_AT_ONCE) {
    int64_t some = count - first < MOST_AT_ONCE ? count - first : MOST_AT_ONCE;
    status = collect_some(world, room, site, &call, some, mine + first, all + first, count);
  }
  return status;
}

const tr_control local_control = {.collect = local_collect, .settle = drop_unreceived};
