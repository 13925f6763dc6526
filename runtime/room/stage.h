/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions of processes, whose memory the others cannot see: block by block through memory that
 * all see, and that stays in the caches. It must not know how a member sleeps, nor how failures are
 * told. */
#ifndef TESSERA_RUNTIME_ROOM_STAGE_H
#define TESSERA_RUNTIME_ROOM_STAGE_H

#include "room/sum.h"

enum { TR_STAGE_BYTES = 1 << 18 };

/* What each member puts for the others: blocks of its input, and of what it has reduced. A block is
 * read in the step after that in which it was put there, and another one lies beside it. */
typedef struct tr_stage {
  _Alignas(TR_ROOM_LINE) char inputs[2][TR_STAGE_BYTES];
  _Alignas(TR_ROOM_LINE) char results[2][TR_STAGE_BYTES];
} tr_stage;

/* After the members' first meeting: does the reduction, with the stages of all members. They meet
 * at each step. */
tessera_status tr_stage_reduce(tr_room *room, tr_stage *stages, const tr_room_sum *sum,
                               const char *in, char *out);

/* Of a reduction that does not scatter: each member's part of the output is there already, and the
 * others get it. After a meeting, or after tr_stage_reduce. */
tessera_status tr_stage_gather(tr_room *room, tr_stage *stages, const tr_room_sum *sum, char *out);

#endif /* TESSERA_RUNTIME_ROOM_STAGE_H */
