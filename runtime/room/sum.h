/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions in a room: all_reduce and reduce_scatter of dense memory of the host. Each element is
 * reduced by one member, or by all alike, in the order of members: results are the same everywhere
 * and every time. It must not know how a member sleeps, nor how failures are told. */
#ifndef TESSERA_RUNTIME_ROOM_SUM_H
#define TESSERA_RUNTIME_ROOM_SUM_H

#include "planes/backend.h"
#include "room/room.h"

typedef struct tr_room_sum {
  const tr_device *device;  /* the host */
  tr_combination what;      /* of all members; `count` is of a member's whole input */
  bool scatters;            /* each member gets its part alone, at the beginning of its output */
  size_t in_size, out_size; /* bytes of an element */
  int64_t *starts;          /* elements of the parts that members reduce: one more than members */
} tr_room_sum;

/* True if members can bring their input along, and each reduce it all. */
static inline bool tr_room_sum_is_small(const tr_room_sum *sum) {
  return sum->what.members <= TR_ROOM_FEW &&
         (size_t)sum->what.count * sum->in_size <= TR_ROOM_INLINE;
}

/* Parts of near equal size for so many members, cut between lines. */
void tr_room_sum_cut(tr_room_sum *sum, int32_t members);
/* Of an all_reduce, or of a reduce_scatter, whose input is cut; `starts` is there. */
void tr_room_sum_plan(tr_room_sum *sum, const tr_device *device, const tr_collective *what);

/* Of a small one, between tr_room_bring and the end: writes what this member brings, and the output
 * from what all have brought. */
void tr_room_sum_bring(tr_room *room, const tr_room_sum *sum, const char *in);
void tr_room_sum_take(const tr_room *room, const tr_room_sum *sum, char *out);

/* Of members that reach each other's memory: says where this member's is; after the meeting, where
 * everybody's is, from this member's part on. */
typedef struct tr_room_part {
  char *ins[TR_ROOM_MEMBERS];
  char *outs[TR_ROOM_MEMBERS]; /* this member's first, then those of the members behind it */
  int32_t members, num_outs;
  int64_t count;
} tr_room_part;

void tr_room_sum_show(tr_room *room, char *in, char *out);
void tr_room_sum_find_part(const tr_room *room, const tr_room_sum *sum, tr_room_part *part);

/* Of threads: reduces this member's part from everybody's input to whoever gets it. */
void tr_room_sum_reduce(const tr_room *room, const tr_room_sum *sum);

#endif /* TESSERA_RUNTIME_ROOM_SUM_H */
