/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions of processes of one host: small ones brought along to a meeting, large ones directly
 * in each other's memory, or, where these are not reached, through memory that they share.
 * It must not know grids, collectives above the table, or MLIR. */
#include <stdlib.h>
#include <string.h>

#include "backends/mpi/rooms.h"

/* ---- which way ------------------------------------------------------------------------------- */

/* Where a member reduces so many bytes and more of each input, and all inputs together have fewer
 * than the other number, they are reduced directly: reaching for another's memory is a call of the
 * kernel each, and what is larger than the caches goes past them through shared memory. Measured by
 * bench/collectives.sh. Where ranks share cores, all larger ones are: through shared memory they
 * meet once for each piece, and each time they may wait for a core. */
enum { LEAST_PART = 1 << 16, BEHIND_DIRECT = 1 << 26 };

static bool is_in_room(const mpi_state *state) {
  return state->collectives != COLLECTIVES_NATIVE && state->collectives != COLLECTIVES_MESSAGES;
}

static bool is_direct(const mpi_room *room, const tr_collective *what) {
  size_t members = (size_t)room->room.members;
  return room->doors && (room->state->collectives == COLLECTIVES_DIRECT ||
                         (what->whole >= LEAST_PART * members &&
                          (room->state->any_is_crowded || what->whole < BEHIND_DIRECT / members)));
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

static tessera_status start_small(tr_world *world, const tr_job_run *run) {
  reduction *reduction = (struct reduction *)run->job;
  tr_room *room = &reduction->room->room;
  tr_room_sum_bring(room, &reduction->sum, tr_resolve(run->bases, reduction->in));
  tessera_status status = meet_in_room(world, reduction->room, run, &reduction->call);
  if (!status)
    tr_room_sum_take(room, &reduction->sum, tr_resolve(run->bases, reduction->out));
  return status;
}

static tessera_status start_shared(tr_world *world, const tr_job_run *run) {
  reduction *reduction = (struct reduction *)run->job;
  mpi_room *room = reduction->room;
  tessera_status status = meet_in_room(world, room, run, &reduction->call);
  return status ? status
                : tr_stage_reduce(&room->room, room->stages, &reduction->sum,
                                  tr_resolve(run->bases, reduction->in),
                                  tr_resolve(run->bases, reduction->out));
}

/* A member fails in here only where all do: at the first meeting, where nobody begins, or at the
 * second, where all are done. So nobody leaves while others use its memory. */
static tessera_status start_direct(tr_world *world, const tr_job_run *run) {
  reduction *reduction = (struct reduction *)run->job;
  mpi_room *room = reduction->room;
  tr_room_sum_show(&room->room, tr_resolve(run->bases, reduction->in),
                   tr_resolve(run->bases, reduction->out));
  tessera_status status = meet_in_room(world, room, run, &reduction->call);
  return status ? status
                : leave_memory(room, tr_direct_reduce(&room->room, &reduction->sum, room->doors,
                                                      run->scratch));
}

/* Of the host's memory alone. */
tessera_status mpi_plan_reduction(tr_world *world, const tr_group *group, const tr_collective *what,
                                  tr_job **job) {
  mpi_room *room = ((const known_comm *)group->handle)->room;
  const mpi_state *state = world->state;
  if (!room || strcmp(world->device->name, "host") != 0 || !is_in_room(state))
    return TESSERA_ERROR_UNSUPPORTED;
  if (room->hosts > 1)
    return what->in.starts ? TESSERA_ERROR_UNSUPPORTED
                           : plan_over_hosts(world, group, room, what, job);
  size_t bytes = sizeof(reduction) + sizeof(int64_t) * ((size_t)group->size + 1);
  reduction *made = malloc(bytes);
  if (!made)
    return no_memory(state, bytes);
  *made = (reduction){
      .room = room, .in = what->in.data, .out = what->out.data, .sum = {.starts = made->starts}};
  tr_room_sum_plan(&made->sum, world->device, what);
  bool is_small = tr_room_sum_is_small(&made->sum), direct = is_direct(room, what);
  made->job.start = is_small ? start_small : direct ? start_direct : start_shared;
  made->job.scratch_bytes = direct && !is_small ? tr_direct_bytes(group->size) : 0;
  tr_room_describe_shape(what->view, &made->call.call);
  *job = &made->job;
  return TESSERA_OK;
}
