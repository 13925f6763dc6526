/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Whether the members of a room make the same call, and how that is said where they do not.
 * It must not know what a call does. */
#ifndef TESSERA_RUNTIME_ROOM_ACCOUNT_H
#define TESSERA_RUNTIME_ROOM_ACCOUNT_H

#include "room/room.h"
#include "tensors/view.h"

/* What a call has in common with that of all other members. */
typedef struct tr_room_call {
  uint64_t site, shape; /* hashes */
  char extents[96];     /* of what all have alike, and the bytes of its elements, in words */
} tr_room_call;

/* Of a call at `site`, with a view of which all members have the same extents. */
void tr_room_describe_shape(const tr_view *view, tr_room_call *call);

/* The hashes of this member's call, brought when it comes next. */
static inline void tr_room_bring_call(tr_room *room, const tr_room_call *call,
                                      uint64_t program_call) {
  tr_room_slot *slot = tr_room_bring(room);
  slot->call = call->site + program_call * 0x9ddfea08eb382d69u;
  slot->shape = call->shape;
}

/* True if all members have brought the same. Then none sees a difference; else all do. */
static inline bool tr_room_same_call(const tr_room *room) {
  const tr_room_slot *own = tr_room_of(room, room->self);
  uint64_t difference = 0;
  for (int32_t i = 0; i < room->members; i++) {
    const tr_room_slot *slot = tr_room_of(room, i);
    difference |= (slot->call ^ own->call) | (slot->shape ^ own->shape);
  }
  return difference == 0;
}

/* Where not: all members tell each other what they call, and each writes how two of them differ, in
 * the same words. Fails if they cannot. */
tessera_status tr_room_find_difference(tr_room *room, const tr_room_call *call,
                                       const tessera_site *site, uint64_t program_call,
                                       int32_t rank, char *text, size_t capacity);

#endif /* TESSERA_RUNTIME_ROOM_ACCOUNT_H */
