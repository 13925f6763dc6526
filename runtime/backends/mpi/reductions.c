/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions of processes through memory that they share, and where these are worth it.
 * It must not know grids, collectives above the table, or MLIR. */
#include <stdlib.h>
#include <string.h>

#include "backends/mpi/rooms.h"

/* ---- where it is worth it -------------------------------------------------------------------- */

/* Whole inputs of so many bytes and more, and of fewer than the other number says, which messages
 * reduce faster: two members read each other's memory at once, where MPI does. Measured by
 * bench/collectives.sh. */
typedef struct limits {
  size_t least, behind;
} limits;

/* Of all_reduce and of reduce_scatter, of two members. */
static const limits by_messages[] = {
#if defined(OPEN_MPI)
    {0, 0},
    {0, 0},
#else
    {1 << 14, 1 << 25},
    {1 << 15, 1 << 20},
#endif
};

static bool is_worth_it(const mpi_state *state, const tr_group *group, const tr_collective *what) {
  const limits *limits = &by_messages[what->in.starts != NULL];
  if (state->collectives != COLLECTIVES_MEASURED)
    return state->collectives == COLLECTIVES_SHARED;
  return group->size > 2 || what->whole < limits->least || what->whole >= limits->behind;
}

/* ---- reductions ------------------------------------------------------------------------------ */

typedef struct reduction {
  tr_job job;
  mpi_room *room;
  room_call call;
  tr_room_sum sum;
  char *in, *out;   /* places */
  int64_t starts[]; /* the sum's */
} reduction;

static tessera_status start_reduction(tr_world *world, const tr_job_run *run) {
  reduction *reduction = (struct reduction *)run->job;
  tr_room *room = &reduction->room->room;
  char *in = tr_resolve(run->bases, reduction->in), *out = tr_resolve(run->bases, reduction->out);
  bool is_small = tr_room_sum_is_small(&reduction->sum);
  if (is_small)
    tr_room_sum_bring(room, &reduction->sum, in);
  tessera_status status = meet_in_room(world, reduction->room, run, &reduction->call);
  if (status)
    return status;
  if (!is_small)
    return tr_stage_reduce(room, reduction->room->stages, &reduction->sum, in, out);
  tr_room_sum_take(room, &reduction->sum, out);
  return TESSERA_OK;
}

/* Of the host's memory alone. */
tessera_status mpi_plan_reduction(tr_world *world, const tr_group *group, const tr_collective *what,
                                  tr_job **job) {
  mpi_room *room = ((const known_comm *)group->handle)->room;
  const mpi_state *state = world->state;
  if (!room || strcmp(world->device->name, "host") != 0 || !is_worth_it(state, group, what))
    return TESSERA_ERROR_UNSUPPORTED;
  if (room->hosts > 1)
    return what->in.starts ? TESSERA_ERROR_UNSUPPORTED
                           : plan_over_hosts(world, group, room, what, job);
  size_t bytes = sizeof(reduction) + sizeof(int64_t) * ((size_t)group->size + 1);
  reduction *made = malloc(bytes);
  if (!made)
    return no_memory(state, bytes);
  *made = (reduction){.job = {.start = start_reduction},
                      .room = room,
                      .in = what->in.data,
                      .out = what->out.data,
                      .sum = {.starts = made->starts}};
  tr_room_sum_plan(&made->sum, world->device, what);
  tr_room_describe_shape(what->view, &made->call.call);
  *job = &made->job;
  return TESSERA_OK;
}
