/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Rooms of processes on one host, and the reductions that are done there.
 * It must not know grids, collectives above the table, or MLIR. */
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "backends/mpi/state.h"
#include "room/account.h"
#include "room/stage.h"

struct mpi_room {
  tr_room room;
  mpi_state *state;
  const known_comm *comm;
  tr_stage *stages; /* by member, behind the room in one memory */
  size_t bytes;
};

/* ---- sleeping -------------------------------------------------------------------------------- */

/* Looks before a rank yields: about 50 us where each has a core. Then it yields so often, and then
 * sleeps. In between it looks after MPI, whose messages may need this rank to get on, and which
 * tells it of failures. */
enum { SPINS = 1000, FEW_SPINS = 20, YIELDS = 200, NAP = 1000000 /* nanoseconds */ };

/* A rank that was killed in its sleep leaves the number of sleepers too high: others then wake
 * nobody, in vain. */
static void nap(tr_room *room, int32_t member) {
  tr_room_memory *memory = room->memory;
  struct timespec most = {0, NAP};
  uint32_t bell = atomic_load_explicit(&memory->bell, memory_order_seq_cst);
  atomic_fetch_add_explicit(&memory->sleepers, 1, memory_order_seq_cst);
  if (!tr_room_has_come(room, member))
    syscall(SYS_futex, &memory->bell, FUTEX_WAIT, bell, &most, NULL, 0);
  atomic_fetch_sub_explicit(&memory->sleepers, 1, memory_order_relaxed);
}

static void wake_sleepers(tr_room *room) {
  atomic_fetch_add_explicit(&room->memory->bell, 1, memory_order_seq_cst);
  syscall(SYS_futex, &room->memory->bell, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static tessera_status sleep_in_room(tr_room *room, int32_t member) {
  mpi_room *own = room->keeper;
  for (int i = 0; !tr_room_has_come(room, member); i++) {
    if (any_has_failed(own->state, own->comm))
      return peer_failure(own->state);
    if (i < YIELDS)
      sched_yield();
    else
      nap(room, member);
  }
  return TESSERA_OK;
}

/* ---- rooms ----------------------------------------------------------------------------------- */

static bool is_on_one_host(const mpi_state *state, const known_comm *comm) {
  for (int32_t i = 1; i < comm->size; i++)
    if (state->hosts[comm->members[i]] != state->hosts[comm->members[0]])
      return false;
  return true;
}

tessera_status open_room(const tr_world *world, known_comm *comm) {
  mpi_state *state = world->state;
  size_t stages = (tr_room_bytes(comm->size) + sizeof(tr_stage) - 1) / sizeof(tr_stage);
  size_t bytes = (stages + (size_t)comm->size) * sizeof(tr_stage);
  void *memory = NULL;
  if (comm->size > TR_ROOM_MEMBERS || !is_on_one_host(state, comm))
    return TESSERA_OK;
  tessera_status status =
      check(state, share_memory(comm->comm, bytes, &memory), "sharing memory within a host");
  if (status || !memory)
    return status;
  mpi_room *room = calloc(1, sizeof(*room));
  if (!room) {
    munmap(memory, bytes);
    return no_memory(state, sizeof(*room));
  }
  *room = (mpi_room){.room = {.memory = memory,
                              .members = comm->size,
                              .spins = state->is_crowded ? FEW_SPINS : SPINS,
                              .sleep = sleep_in_room,
                              .wake = wake_sleepers,
                              .keeper = room},
                     .state = state,
                     .comm = comm,
                     .stages = (tr_stage *)memory + stages,
                     .bytes = bytes};
  MPI_Comm_rank(comm->comm, &room->room.self);
  comm->room = room;
  return TESSERA_OK;
}

void close_room(known_comm *comm) {
  if (!comm->room)
    return;
  munmap(comm->room->room.memory, comm->room->bytes);
  free(comm->room);
  comm->room = NULL;
}

/* ---- where it is worth it -------------------------------------------------------------------- */

/* Whole inputs of so many bytes and more, and of fewer than the other number says, beside MPI's own
 * collective or messages, whichever is faster: for two members, and for more. Measured by
 * bench/collectives.sh. */
typedef struct limits {
  size_t least, behind;
} limits;

/* Of all_reduce and of reduce_scatter. */
static const limits measured[][2] = {{{0, SIZE_MAX}, {0, SIZE_MAX}},
                                     {{0, SIZE_MAX}, {0, SIZE_MAX}}};

static bool is_worth_it(const mpi_state *state, const tr_group *group, const tr_collective *what) {
  const limits *limits = &measured[what->in.starts != NULL][group->size > 2];
  if (state->collectives != COLLECTIVES_MEASURED)
    return state->collectives == COLLECTIVES_SHARED;
  return what->whole >= limits->least && what->whole < limits->behind;
}

/* ---- reductions ------------------------------------------------------------------------------ */

typedef struct reduction {
  tr_job job;
  mpi_room *room;
  tr_room_call call;
  bool is_described; /* the call's site */
  tr_room_sum sum;
  char *in, *out; /* places */
} reduction;

static tessera_status report_difference(tr_world *world, const tr_job_run *run,
                                        const reduction *reduction) {
  char text[1024];
  mpi_state *state = world->state;
  tessera_status status =
      tr_room_find_difference(&reduction->room->room, &reduction->call, run->site,
                              world->program_calls, world->rank, text, sizeof(text));
  return status ? status : state->host->fail(TESSERA_ERROR_MISMATCH, "%s", text);
}

static tessera_status meet(tr_world *world, const tr_job_run *run, reduction *reduction) {
  tr_room *room = &reduction->room->room;
  if (!reduction->is_described) {
    reduction->call.site = tr_room_hash_site(run->site);
    reduction->is_described = true;
  }
  tr_room_bring_call(room, &reduction->call, world->program_calls);
  tr_room_come(room);
  tessera_status status = tr_room_await(room);
  if (status)
    return status;
  return tr_room_same_call(room) ? TESSERA_OK : report_difference(world, run, reduction);
}

static tessera_status start_reduction(tr_world *world, const tr_job_run *run) {
  reduction *reduction = (struct reduction *)run->job;
  tr_room *room = &reduction->room->room;
  char *in = tr_resolve(run->bases, reduction->in), *out = tr_resolve(run->bases, reduction->out);
  bool is_small = tr_room_sum_is_small(&reduction->sum);
  if (is_small)
    tr_room_sum_bring(room, &reduction->sum, in);
  tessera_status status = meet(world, run, reduction);
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
  const known_comm *comm = group->handle;
  const mpi_state *state = world->state;
  if (!comm->room || strcmp(world->device->name, "host") != 0 || !is_worth_it(state, group, what))
    return TESSERA_ERROR_UNSUPPORTED;
  reduction *made = malloc(sizeof(*made));
  if (!made)
    return no_memory(state, sizeof(*made));
  *made = (reduction){.job = {.start = start_reduction},
                      .room = comm->room,
                      .in = what->in.data,
                      .out = what->out.data};
  tr_room_sum_plan(&made->sum, world->device, what);
  tr_room_describe_shape(what->view, &made->call);
  *job = &made->job;
  return TESSERA_OK;
}
