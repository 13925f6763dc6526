/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Rooms: memory in which the members of a group on one host meet, threads of a process or several
 * processes. It knows memory and members; it must not know tensors, what a call does, or how a
 * member sleeps. */
#ifndef TESSERA_RUNTIME_ROOM_ROOM_H
#define TESSERA_RUNTIME_ROOM_ROOM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tessera/runtime.h"

enum {
  TR_ROOM_LINE = 64,      /* bytes that travel between cores at once */
  TR_ROOM_INLINE = 4096,  /* bytes that a member can bring along */
  TR_ROOM_MEMBERS = 4096, /* at most */
  TR_ROOM_FEW = 64, /* up to here members look at each of the others; more of them are counted */
  TR_ROOM_ALL = -1  /* in place of a member */
};

/* What a member brings when it comes. The number and the first bytes share a line, so that a member
 * who waits for the number gets these with it. */
typedef struct tr_room_slot {
  _Alignas(TR_ROOM_LINE) _Atomic uint64_t number; /* of the coming; written last */
  uint64_t call, shape;                           /* hashes (account.h) */
  _Alignas(8) char data[TR_ROOM_INLINE];
} tr_room_slot;

/* A member's own, which it alone writes. What it brings at one coming is there until it comes for
 * the second time after that: it does so when all others have come once more, and they do so when
 * they need it no longer. Hence two. */
typedef struct tr_room_seat {
  tr_room_slot slots[2];
  _Alignas(TR_ROOM_LINE) _Atomic bool has_left; /* for ever, in the middle of a call */
} tr_room_seat;

typedef struct tr_room_memory {
  _Alignas(TR_ROOM_LINE) _Atomic uint32_t sleepers; /* members that may sleep */
  _Atomic uint32_t bell;                            /* changes when they are to look again */
  _Alignas(TR_ROOM_LINE) _Atomic uint64_t comings;  /* of many members, all together */
  tr_room_seat seats[];
} tr_room_memory;

/* A room as one of its members sees it; used by one thread at a time. */
typedef struct tr_room tr_room;
struct tr_room {
  tr_room_memory *memory;
  int32_t members, self;
  int32_t spins;            /* looks at a number, before the member sleeps */
  uint64_t comings;         /* of this member so far */
  const tessera_site *site; /* of the call under way, for `sleep` */
  /* Returns when `member`, or TR_ROOM_ALL, has come as often as this one, or fails: then it never
   * will. */
  tessera_status (*sleep)(tr_room *room, int32_t member);
  /* Others may sleep, and are to look again. */
  void (*wake)(tr_room *room);
  void *keeper; /* for these functions */
};

static inline size_t tr_room_bytes(int32_t members) {
  return sizeof(tr_room_memory) + sizeof(tr_room_seat) * (size_t)members;
}

/* What this member brings when it comes next; written before tr_room_come. */
static inline tr_room_slot *tr_room_bring(tr_room *room) {
  return &room->memory->seats[room->self].slots[(room->comings + 1) & 1];
}

/* What a member has brought to the last coming of this one, after tr_room_await. */
static inline tr_room_slot *tr_room_of(const tr_room *room, int32_t member) {
  return &room->memory->seats[member].slots[room->comings & 1];
}

/* Of many members each would be woken once for each other one. */
static inline bool tr_room_has_many(const tr_room *room) {
  return room->members > TR_ROOM_FEW;
}

/* True if a member, or TR_ROOM_ALL, has come as often as this one. Acquires what it has written
 * before. In the one order of all such loads and stores, because sleepers rely on that: see
 * tr_room_come. */
static inline bool tr_room_has_come(const tr_room *room, int32_t member) {
  if (member == TR_ROOM_ALL)
    return atomic_load_explicit(&room->memory->comings, memory_order_seq_cst) >=
           room->comings * (uint64_t)room->members;
  return atomic_load_explicit(&tr_room_of(room, member)->number, memory_order_seq_cst) >=
         room->comings;
}

/* This member comes, with what it has brought. */
void tr_room_come(tr_room *room);
/* Until all members have come as often as this one. */
tessera_status tr_room_await(tr_room *room);
bool tr_room_all_have_come(const tr_room *room);

/* ---- memory of members that others use ------------------------------------------------------- */

/* A call in which members use each other's memory: each comes and says where it is, awaits the
 * others, and where that was successful and no member is known to have failed, begins; then it
 * finishes. Else it gives up: returns when nobody uses its memory any more. */
void tr_room_give_up(tr_room *room);
/* This member uses the others' memory no more; returns when nobody uses its own. */
tessera_status tr_room_finish(tr_room *room);

#endif /* TESSERA_RUNTIME_ROOM_ROOM_H */
