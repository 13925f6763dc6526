/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How members come to a room and wait for each other there.
 * It must not know what they bring, nor how a member sleeps. */
#include "room/room.h"

#include <sched.h>

#include "support/pause.h"

/* Counts this member's coming; true if all others have come as often. None is ahead of another by
 * more than the one that it is about to wait for. */
static bool is_last(tr_room *room) {
  uint64_t before = atomic_fetch_add_explicit(&room->memory->comings, 1, memory_order_seq_cst);
  return before + 1 == room->comings * (uint64_t)room->members;
}

/* A member that is about to sleep adds itself to `sleepers` and then looks at the number once more;
 * one that comes writes the number and then looks at `sleepers`. All four are in one order of all
 * threads (seq_cst): so either the first sees the number, or the second sees the sleeper. The store
 * releases what the member has brought. */
void tr_room_come(tr_room *room) {
  tr_room_slot *slot = tr_room_bring(room);
  room->comings++;
  atomic_store_explicit(&slot->number, room->comings, memory_order_seq_cst);
  if (tr_room_has_many(room) && !is_last(room))
    return;
  if (atomic_load_explicit(&room->memory->sleepers, memory_order_seq_cst) > 0)
    room->wake(room);
}

static bool spin(const tr_room *room, int32_t member) {
  for (int32_t i = 0; i < room->spins; i++) {
    if (tr_room_has_come(room, member))
      return true;
    tr_pause();
  }
  return tr_room_has_come(room, member);
}

tessera_status tr_room_await(tr_room *room) {
  tessera_status status = TESSERA_OK;
  if (tr_room_has_many(room))
    return spin(room, TR_ROOM_ALL) ? TESSERA_OK : room->sleep(room, TR_ROOM_ALL);
  for (int32_t i = 0; !status && i < room->members; i++)
    if (i != room->self && !spin(room, i))
      status = room->sleep(room, i);
  return status;
}

bool tr_room_all_have_come(const tr_room *room) {
  for (int32_t i = 0; i < room->members; i++)
    if (!tr_room_has_come(room, i))
      return false;
  return true;
}

/* ---- memory of members that others use ------------------------------------------------------- */

static bool is_done(const tr_room *room, int32_t member) {
  return tr_room_has_come(room, member) ||
         atomic_load_explicit(&room->memory->seats[member].has_left, memory_order_seq_cst);
}

/* All have come before, so each comes again as soon as it is done, or has left. */
static void await_done(const tr_room *room) {
  for (int32_t i = 0; i < room->members; i++)
    while (!is_done(room, i))
      sched_yield();
}

/* The failure was there for all to see before this. If a member has not come yet, then whoever sees
 * it come later sees the failure as well (all of this is in one order, seq_cst), and does not
 * begin: this one may go, and says so. If all have come, some may have begun before the failure. */
void tr_room_give_up(tr_room *room) {
  if (tr_room_all_have_come(room)) {
    tr_room_come(room);
    await_done(room);
  } else {
    atomic_store_explicit(&room->memory->seats[room->self].has_left, true, memory_order_seq_cst);
  }
}

tessera_status tr_room_finish(tr_room *room) {
  tr_room_come(room);
  tessera_status status = tr_room_await(room);
  if (status)
    await_done(room);
  return status;
}
