/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions between threads: each reduces its part from everybody's memory to everybody's.
 * It must not know grids, how threads sleep, or MLIR. */
#include <stdlib.h>

#include "backends/local/hub.h"
#include "devices/host/host.h"
#include "room/sum.h"
#include "support/error.h"

typedef struct reduction {
  tr_job job;
  local_room *room;
  room_call call;
  tr_room_sum sum;
  char *in, *out;   /* places */
  int64_t starts[]; /* the sum's */
} reduction;

static tessera_status reduce_small(tr_world *world, const tr_job_run *run, reduction *reduction) {
  tr_room *room = &reduction->room->room;
  tr_room_sum_bring(room, &reduction->sum, tr_resolve(run->bases, reduction->in));
  tessera_status status = meet_in_room(world, reduction->room, run->site, &reduction->call);
  if (!status)
    tr_room_sum_take(room, &reduction->sum, tr_resolve(run->bases, reduction->out));
  return status;
}

static tessera_status reduce_large(tr_world *world, const tr_job_run *run, reduction *reduction) {
  tr_room *room = &reduction->room->room;
  tr_room_sum_show(room, tr_resolve(run->bases, reduction->in),
                   tr_resolve(run->bases, reduction->out));
  tessera_status status = begin_in_room(world, reduction->room, run->site, &reduction->call);
  if (status)
    return status;
  tr_room_sum_reduce(room, &reduction->sum);
  return tr_room_finish(room);
}

static tessera_status start_reduction(tr_world *world, const tr_job_run *run) {
  reduction *reduction = (struct reduction *)run->job;
  return tr_room_sum_is_small(&reduction->sum) ? reduce_small(world, run, reduction)
                                               : reduce_large(world, run, reduction);
}

/* Of the host's memory alone: another device's is reached by messages. */
tessera_status local_plan_reduction(tr_world *world, const tr_group *group,
                                    const tr_collective *what, tr_job **job) {
  if (world->device != &tr_host_device || group->size > TR_ROOM_MEMBERS)
    return TESSERA_ERROR_UNSUPPORTED;
  reduction *made = malloc(sizeof(*made) + sizeof(int64_t) * ((size_t)group->size + 1));
  if (!made)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a reduction");
  *made = (reduction){.job = {.start = start_reduction},
                      .room = room_of(world, group),
                      .in = what->in.data,
                      .out = what->out.data,
                      .sum = {.starts = made->starts}};
  tr_room_sum_plan(&made->sum, world->device, what);
  tr_room_describe_shape(what->view, &made->call.call);
  *job = &made->job;
  return TESSERA_OK;
}
