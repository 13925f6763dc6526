/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The collectives: a row each.
 * It must not know how a plan is done, nor how bytes travel. */
#ifndef TESSERA_RUNTIME_COLLECTIVES_TABLE_H
#define TESSERA_RUNTIME_COLLECTIVES_TABLE_H

#include "planes/members.h"
#include "tessera/runtime.h"

typedef struct tr_draft tr_draft;

/* Which sides of a call count. */
typedef enum tr_sides {
  TR_SIDES_BOTH,
  TR_SIDES_BUFFER,     /* the input is the output */
  TR_SIDES_ROOT_READS, /* the input counts on the root alone */
  TR_SIDES_ROOT_WRITES /* the output does */
} tr_sides;

/* In which dimensions input and output may have different extents. */
typedef enum tr_varying { TR_VARY_NONE, TR_VARY_AXIS, TR_VARY_BOTH_AXES, TR_VARY_ALL } tr_varying;

struct tr_collective_row {
  const char *name;
  tr_membership membership;
  tr_sides sides;
  tr_varying varying;
  /* Compares what members must have in common, and agrees on sizes that a plan depends on. */
  tessera_status (*meet)(tr_draft *draft);
  /* Adds the steps. */
  tessera_status (*plan)(tr_draft *draft);
};
typedef struct tr_collective_row tr_collective_row;

/* The row of a kind of site; NULL for kinds that are no collectives. */
const tr_collective_row *tr_collective_of(int32_t kind);

/* What the rows need; each in a file of its name, or of a name that several share. */
tessera_status tr_meet_all_gather(tr_draft *draft);
tessera_status tr_plan_all_gather(tr_draft *draft);
tessera_status tr_meet_all_reduce(tr_draft *draft);
tessera_status tr_plan_all_reduce(tr_draft *draft);
tessera_status tr_meet_all_slice(tr_draft *draft);
tessera_status tr_plan_all_slice(tr_draft *draft);
tessera_status tr_meet_all_to_all(tr_draft *draft);
tessera_status tr_plan_all_to_all(tr_draft *draft);
tessera_status tr_meet_broadcast(tr_draft *draft);
tessera_status tr_plan_broadcast(tr_draft *draft);
tessera_status tr_meet_gather(tr_draft *draft);
tessera_status tr_plan_gather(tr_draft *draft);
tessera_status tr_meet_scatter(tr_draft *draft);
tessera_status tr_plan_scatter(tr_draft *draft);
tessera_status tr_meet_reduce(tr_draft *draft);
tessera_status tr_plan_reduce(tr_draft *draft);
tessera_status tr_meet_reduce_scatter(tr_draft *draft);
tessera_status tr_plan_reduce_scatter(tr_draft *draft);
tessera_status tr_meet_shift(tr_draft *draft);
tessera_status tr_plan_shift(tr_draft *draft);
tessera_status tr_meet_update_halo(tr_draft *draft);
tessera_status tr_plan_update_halo(tr_draft *draft);
tessera_status tr_meet_exchange(tr_draft *draft);
tessera_status tr_plan_exchange(tr_draft *draft);

#endif /* TESSERA_RUNTIME_COLLECTIVES_TABLE_H */
