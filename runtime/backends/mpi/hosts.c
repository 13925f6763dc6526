/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* All-reduces of members on several hosts: each host adds up what is its own in shared memory, and
 * every member is one of those that add up its part for all hosts. Between hosts travels what two
 * members of two hosts would send each other, not what all would. It must not know grids,
 * collectives above the table, or MLIR. */
#include <stdlib.h>

#include "backends/mpi/rooms.h"

typedef struct over_hosts {
  tr_job job;
  mpi_room *room;
  room_call call;
  tr_room_sum inner; /* of this host's members, in the accumulator's type, each its part */
  tr_room_sum outer; /* of the hosts' sums; the same parts */
  char *in, *out;    /* places */
  int counts[];      /* bytes: of pieces, their places, and in the output's type */
} over_hosts;

/* ---- small ones: all have this host's sum, and get those of the others ------------------------
 */

static tessera_status reduce_small(tr_world *world, const tr_job_run *run, over_hosts *job,
                                   const char *in, char *out) {
  mpi_room *room = job->room;
  size_t bytes = (size_t)job->inner.what.count * job->inner.out_size;
  char *own = run->scratch, *all = run->scratch + bytes, *pieces[TR_ROOM_MEMBERS];
  tr_room_sum whole = job->inner;
  whole.scatters = false;
  tr_room_sum_bring(&room->room, &whole, in);
  tessera_status status = meet_in_room(world, room, run, &job->call);
  if (status)
    return status;
  tr_room_sum_take(&room->room, &whole, own);
  int code = MPI_Allgather(own, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, room->across);
  for (int32_t i = 0; i < room->hosts; i++)
    pieces[i] = all + (size_t)i * bytes;
  if (code == MPI_SUCCESS)
    world->device->combine(world->device, NULL, &job->outer.what, pieces, out);
  return check(room->state, code, "MPI_Allgather between hosts");
}

/* ---- large ones: a part of this host's sum each, a piece of it for each host ------------------
 */

static int64_t piece_start(int64_t part, int32_t host, int32_t hosts) {
  return part * host / hosts;
}

/* Each host's piece to its member, whose result goes to all. */
static int reduce_across(const tr_world *world, over_hosts *job, char *own, char *received,
                         char *part) {
  const mpi_room *room = job->room;
  int32_t hosts = room->hosts, self = 0;
  int *bytes = job->counts, *places = bytes + hosts, *theirs = places + hosts;
  int *there = theirs + hosts, *results = there + hosts, *result_places = results + hosts;
  char *pieces[TR_ROOM_MEMBERS];
  tr_combination what = job->outer.what;
  MPI_Comm_rank(room->across, &self);
  int code =
      MPI_Alltoallv(own, bytes, places, MPI_BYTE, received, theirs, there, MPI_BYTE, room->across);
  if (code != MPI_SUCCESS)
    return code;
  what.count = bytes[self] / (int64_t)job->inner.out_size;
  for (int32_t i = 0; i < hosts; i++)
    pieces[i] = received + there[i];
  if (what.count > 0)
    world->device->combine(world->device, NULL, &what, pieces, part + result_places[self]);
  return MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, part, results, result_places, MPI_BYTE,
                        room->across);
}

static tessera_status reduce_large(tr_world *world, const tr_job_run *run, over_hosts *job,
                                   const char *in, char *out) {
  mpi_room *room = job->room;
  int64_t first = job->outer.starts[room->room.self];
  size_t part = (size_t)(job->outer.starts[room->room.self + 1] - first) * job->inner.out_size;
  char *own = run->scratch, *received = run->scratch + part;
  tessera_status status = meet_in_room(world, room, run, &job->call);
  if (!status)
    status = tr_stage_reduce(&room->room, room->stages, &job->inner, in, own);
  if (status)
    return status;
  int code = reduce_across(world, job, own, received, out + (size_t)first * job->outer.out_size);
  status = check(room->state, code, "MPI_Alltoallv and MPI_Allgatherv between hosts");
  return status ? status : tr_stage_gather(&room->room, room->stages, &job->outer, out);
}

static tessera_status start_over_hosts(tr_world *world, const tr_job_run *run) {
  over_hosts *job = (over_hosts *)run->job;
  char *in = tr_resolve(run->bases, job->in), *out = tr_resolve(run->bases, job->out);
  return tr_room_sum_is_small(&job->inner) ? reduce_small(world, run, job, in, out)
                                           : reduce_large(world, run, job, in, out);
}

/* ---- planning -------------------------------------------------------------------------------- */

/* First this host's members, to the accumulator's type; then the hosts. */
static void split_sum(const mpi_room *room, over_hosts *job) {
  tr_combination *inner = &job->inner.what, *outer = &job->outer.what;
  job->outer = job->inner;
  inner->output = inner->accumulator;
  inner->members = room->room.members;
  inner->divisor = 0;
  outer->input = outer->accumulator;
  outer->members = room->hosts;
  job->inner.out_size = job->outer.in_size = tessera_dtype_size(inner->accumulator);
  tr_room_sum_cut(&job->outer, room->room.members);
  for (int32_t i = 0; i <= room->room.members; i++)
    job->inner.starts[i] = job->outer.starts[i];
  job->inner.scatters = true;
}

static void cut_pieces(over_hosts *job) {
  const mpi_room *room = job->room;
  int32_t hosts = room->hosts, self = 0, member = room->room.self;
  int64_t part = job->inner.starts[member + 1] - job->inner.starts[member];
  int *lists[6];
  for (int i = 0; i < 6; i++)
    lists[i] = job->counts + i * hosts;
  MPI_Comm_rank(room->across, &self);
  for (int32_t i = 0; i < hosts; i++) {
    int64_t start = piece_start(part, i, hosts), count = piece_start(part, i + 1, hosts) - start;
    int64_t own = piece_start(part, self + 1, hosts) - piece_start(part, self, hosts);
    lists[0][i] = (int)(count * (int64_t)job->inner.out_size);
    lists[1][i] = (int)(start * (int64_t)job->inner.out_size);
    lists[2][i] = (int)(own * (int64_t)job->inner.out_size);
    lists[3][i] = (int)(i * own * (int64_t)job->inner.out_size);
    lists[4][i] = (int)(count * (int64_t)job->outer.out_size);
    lists[5][i] = (int)(start * (int64_t)job->outer.out_size);
  }
}

static size_t scratch_of(const over_hosts *job) {
  const mpi_room *room = job->room;
  int64_t part = job->inner.starts[room->room.self + 1] - job->inner.starts[room->room.self];
  size_t element = job->inner.out_size, hosts = (size_t)room->hosts;
  if (tr_room_sum_is_small(&job->inner))
    return (size_t)job->inner.what.count * element * (hosts + 1);
  return (size_t)part * element + ((size_t)part / hosts + 1) * element * hosts;
}

/* MPI's counts are ints. */
tessera_status plan_over_hosts(tr_world *world, mpi_room *room, const tr_collective *what,
                               tr_job **job) {
  enum { LISTS = 6, WIDEST = 16 };
  size_t bytes = sizeof(over_hosts) + sizeof(int) * LISTS * (size_t)room->hosts;
  if ((size_t)what->combination->count * WIDEST > LARGEST_MESSAGE)
    return TESSERA_ERROR_UNSUPPORTED;
  over_hosts *made = calloc(1, bytes);
  if (!made)
    return no_memory(room->state, bytes);
  made->room = room;
  made->in = what->in.data;
  made->out = what->out.data;
  made->inner.device = world->device;
  made->inner.what = *what->combination;
  made->inner.in_size = tessera_dtype_size(what->combination->input);
  made->inner.out_size = tessera_dtype_size(what->combination->output);
  split_sum(room, made);
  cut_pieces(made);
  made->job = (tr_job){.start = start_over_hosts, .scratch_bytes = scratch_of(made)};
  tr_room_describe_shape(what->view, &made->call.call);
  *job = &made->job;
  return TESSERA_OK;
}
