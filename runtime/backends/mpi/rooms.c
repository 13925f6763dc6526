/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Rooms of processes: how they lie on hosts, sleep and meet.
 * It must not know what is done in them, nor grids, collectives above the table, or MLIR. */
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "backends/mpi/rooms.h"
#include "planes/site_hash.h"

/* ---- sleeping -------------------------------------------------------------------------------- */

/* Looks before a rank yields: about 50 us where each has a core. Then it yields so often, and then
 * sleeps. Between sleeps, and once in a few yields, which would take twice as long if it were each
 * time, it looks after MPI, whose messages may need this rank to get on, and which tells it of
 * failures. */
enum { SPINS = 1000, FEW_SPINS = 20, YIELDS = 200, YIELDS_PER_LOOK = 8, NAP = 1000000 /* ns */ };

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
    bool yields = i < YIELDS, looks = !yields || (i + 1) % YIELDS_PER_LOOK == 0;
    if (looks && any_has_failed(own->state, own->comm))
      return peer_failure(own->state);
    if (yields)
      sched_yield();
    else
      nap(room, member);
  }
  return TESSERA_OK;
}

/* ---- rooms ----------------------------------------------------------------------------------- */

/* How a group lies on hosts. */
typedef struct spread {
  int32_t hosts, host;    /* that it is on, and this rank's number among them */
  int32_t members, place; /* on this host, and this rank's number among these */
  bool is_even;           /* each host has as many */
} spread;

static spread find_spread(const mpi_state *state, const known_comm *comm) {
  spread spread = {.is_even = true};
  int32_t own = state->hosts[state->rank], first = 0;
  for (int32_t i = 0; i < comm->size; i++) {
    int32_t host = state->hosts[comm->members[i]], before = 0, count = 0;
    for (int32_t k = 0; k < comm->size; k++) {
      bool is_there = state->hosts[comm->members[k]] == host;
      before += is_there && k < i;
      count += is_there;
    }
    spread.members = host == own ? count : spread.members;
    spread.place = comm->members[i] == state->rank ? before : spread.place;
    if (before > 0)
      continue;
    spread.host = host == own ? spread.hosts : spread.host;
    spread.hosts++;
    first = spread.hosts == 1 ? count : first;
    spread.is_even = spread.is_even && count == first;
  }
  return spread;
}

/* Where this is not ruled out, all members look whether they reach each other's memory. */
static tessera_status open_doors(mpi_state *state, MPI_Comm comm, mpi_room *room) {
  int32_t self = room->room.self;
  tr_door *doors = (tr_door *)(void *)(room->stages + room->room.members);
  uint64_t word;
  int goes = 1, all_go = 0;
  if (state->collectives != COLLECTIVES_MEASURED && state->collectives != COLLECTIVES_DIRECT)
    return TESSERA_OK;
  tr_open_door(&doors[self], &word);
  int code = MPI_Barrier(comm);
  for (int32_t i = 0; i < room->room.members; i++)
    goes = goes && (i == self || tr_goes_through(&doors[i]));
  if (code == MPI_SUCCESS)
    code = MPI_Allreduce(&goes, &all_go, 1, MPI_INT, MPI_MIN, comm);
  room->doors = code == MPI_SUCCESS && all_go ? doors : NULL;
  return check(state, code, "looking for the ranks of a host");
}

/* Of the members on this host; `inside` is of them. */
static tessera_status furnish(mpi_state *state, known_comm *comm, MPI_Comm inside, int32_t members,
                              mpi_room *room) {
  size_t stages = (tr_room_bytes(members) + sizeof(tr_stage) - 1) / sizeof(tr_stage);
  size_t bytes = (stages + (size_t)members) * sizeof(tr_stage) + (size_t)members * sizeof(tr_door);
  void *memory;
  tessera_status status =
      check(state, share_memory(inside, bytes, &memory, NULL), "sharing memory within a host");
  *room = (mpi_room){.room = {.memory = memory,
                              .members = members,
                              .spins = state->is_crowded ? FEW_SPINS : SPINS,
                              .sleep = sleep_in_room,
                              .wake = wake_sleepers,
                              .keeper = room},
                     .state = state,
                     .comm = comm,
                     .stages = memory ? (tr_stage *)memory + stages : NULL,
                     .bytes = bytes,
                     .hosts = 1};
  MPI_Comm_rank(inside, &room->room.self);
  return status;
}

static int32_t host_of(const mpi_state *state, const known_comm *comm, int32_t member) {
  return state->hosts[comm->members[member]];
}

static bool is_first_there(const mpi_state *state, const known_comm *comm, int32_t member) {
  for (int32_t i = 0; i < member; i++)
    if (host_of(state, comm, i) == host_of(state, comm, member))
      return false;
  return true;
}

/* So many members of its host behind this one. */
static int32_t member_behind(const mpi_state *state, const known_comm *comm, int32_t member,
                             int32_t behind) {
  for (int32_t i = member + 1; behind > 0 && i < comm->size; i++)
    if (host_of(state, comm, i) == host_of(state, comm, member)) {
      member = i;
      behind--;
    }
  return member;
}

static void find_peers(const mpi_state *state, const known_comm *comm, int32_t place,
                       int32_t *peers) {
  int32_t hosts = 0;
  for (int32_t i = 0; i < comm->size; i++)
    if (is_first_there(state, comm, i))
      peers[hosts++] = member_behind(state, comm, i, place);
}

/* All hosts have a room, or none. */
static tessera_status furnish_hosts(mpi_state *state, known_comm *comm, const spread *spread,
                                    mpi_room *room) {
  MPI_Comm inside;
  int code = MPI_Comm_split(comm->comm, spread->host, spread->place, &inside);
  if (code != MPI_SUCCESS)
    return check(state, code, "MPI_Comm_split");
  tessera_status status = furnish(state, comm, inside, spread->members, room);
  MPI_Comm_free(&inside);
  int has = room->room.memory != NULL, have_all = 0;
  room->hosts = spread->hosts;
  room->host = spread->host;
  find_peers(state, comm, spread->place, room->peers);
  if (!status)
    code = MPI_Allreduce(&has, &have_all, 1, MPI_INT, MPI_MIN, comm->comm);
  if (has && !have_all) {
    munmap(room->room.memory, room->bytes);
    room->room.memory = NULL;
  }
  return status ? status : check(state, code, "sharing memory within hosts");
}

tessera_status open_room(const tr_world *world, known_comm *comm) {
  mpi_state *state = world->state;
  spread spread = find_spread(state, comm);
  comm->shares_hosts = spread.hosts > 1 && comm->size > spread.hosts;
  if (comm->size > TR_ROOM_MEMBERS || !spread.is_even || spread.members == 1)
    return TESSERA_OK;
  size_t bytes = sizeof(mpi_room) + sizeof(int32_t) * (size_t)spread.hosts;
  mpi_room *room = calloc(1, bytes);
  if (!room)
    return no_memory(state, bytes);
  tessera_status status = spread.hosts == 1 ? furnish(state, comm, comm->comm, comm->size, room)
                                            : furnish_hosts(state, comm, &spread, room);
  if (!room->room.memory) {
    free(room);
    return status;
  }
  comm->room = room;
  return status || spread.hosts > 1 ? status : open_doors(state, comm->comm, room);
}

void close_room(known_comm *comm) {
  if (!comm->room)
    return;
  munmap(comm->room->room.memory, comm->room->bytes);
  free(comm->room);
  comm->room = NULL;
}

/* ---- meeting --------------------------------------------------------------------------------- */

static tessera_status report_difference(tr_world *world, mpi_room *room, const tr_job_run *run,
                                        const tr_room_call *call) {
  char text[1024];
  tessera_status status = tr_room_find_difference(
      &room->room, call, run->site, world->program_calls, world->rank, text, sizeof(text));
  return status ? status : room->state->host->fail(TESSERA_ERROR_MISMATCH, "%s", text);
}

tessera_status meet_in_room(tr_world *world, mpi_room *own, const tr_job_run *run,
                            room_call *call) {
  tr_room *room = &own->room;
  if (!call->is_described) {
    call->call.site = tr_hash_site_by_text(run->site);
    call->is_described = true;
  }
  tr_room_bring_call(room, &call->call, world->program_calls);
  tr_room_come(room);
  tessera_status status = tr_room_await(room);
  if (status)
    return status;
  return tr_room_same_call(room) ? TESSERA_OK : report_difference(world, own, run, &call->call);
}

/* ---- memory that the others use -------------------------------------------------------------- */

tessera_status leave_memory(mpi_room *own, int32_t unreached) {
  tr_room *room = &own->room;
  memcpy(tr_room_bring(room)->data, &unreached, sizeof(unreached));
  tr_room_come(room);
  tessera_status status = tr_room_await(room);
  for (int32_t i = 0; !status && i < room->members; i++) {
    memcpy(&unreached, tr_room_of(room, i)->data, sizeof(unreached));
    if (unreached >= 0)
      status = own->state->host->fail(TESSERA_ERROR_BACKEND,
                                      "rank %d could not reach the memory of rank %d; "
                                      "TESSERA_MPI_COLLECTIVES=shared does without",
                                      own->comm->members[i], own->comm->members[unreached]);
  }
  return status;
}
