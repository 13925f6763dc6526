/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* All-reduces of members on several hosts: each host adds up what is its own in shared memory, and
 * every member is one of those that add up its part for all hosts. Between hosts travels what two
 * members of two hosts would send each other, not what all would, in messages, which failures
 * reach. It must not know grids, collectives above the table, or MLIR. */
#include <stdlib.h>

#include "backends/mpi/rooms.h"

typedef struct over_hosts {
  tr_job job;
  mpi_room *room;
  room_call call;
  tr_room_sum inner; /* of this host's members, in the accumulator's type, each its part */
  tr_room_sum outer; /* of the hosts' sums */
  char *in, *out;    /* places */
  /* Between the members at this one's place: pieces of its part, to whoever adds them up, and back.
   * Of a small one the first alone, with all of it. */
  tr_job *swap, *spread;
  int64_t starts[]; /* of both sums */
} over_hosts;

/* Scratch memory has what this host's members came to, and behind it what the others did. */
static size_t part_bytes(const over_hosts *job) {
  int32_t self = job->room->room.self;
  return (size_t)(job->inner.starts[self + 1] - job->inner.starts[self]) * job->inner.out_size;
}

static size_t own_bytes(const over_hosts *job) {
  return tr_room_sum_is_small(&job->inner) ? (size_t)job->inner.what.count * job->inner.out_size
                                           : part_bytes(job);
}

/* The elements of a part that a host adds up begin here. */
static int64_t piece_start(const over_hosts *job, int32_t host) {
  int64_t part = (int64_t)(part_bytes(job) / job->inner.out_size);
  return part * host / job->room->hosts;
}

static int64_t piece_count(const over_hosts *job, int32_t host) {
  return piece_start(job, host + 1) - piece_start(job, host);
}

/* What has come from a host, behind what is this host's own. */
static size_t received_at(const over_hosts *job, int32_t host, size_t bytes) {
  return own_bytes(job) + (size_t)host * bytes;
}

/* ---- messages -------------------------------------------------------------------------------- */

static tessera_status run_messages(tr_world *world, const tr_job_run *run, tr_job *job, char *out) {
  uintptr_t bases[TR_NUM_MEMORIES] = {0};
  bases[TR_OUTPUT] = tr_base(out, TR_OUTPUT);
  bases[TR_SCRATCH] = tr_base(run->scratch, TR_SCRATCH);
  tr_job_run inner = *run;
  inner.job = job;
  inner.bases = bases;
  tessera_status status = job->start(world, &inner);
  return status || !job->finish ? status : job->finish(world, &inner);
}

/* ---- small ones: all have this host's sum, and get those of the others ------------------------
 */

static tessera_status reduce_small(tr_world *world, const tr_job_run *run, over_hosts *job,
                                   const char *in, char *out) {
  mpi_room *room = job->room;
  size_t bytes = own_bytes(job);
  char *pieces[TR_ROOM_MEMBERS];
  tr_room_sum whole = job->inner;
  whole.scatters = false;
  tr_room_sum_bring(&room->room, &whole, in);
  tessera_status status = meet_in_room(world, room, run, &job->call);
  if (status)
    return status;
  tr_room_sum_take(&room->room, &whole, run->scratch);
  status = run_messages(world, run, job->swap, out);
  for (int32_t i = 0; i < room->hosts; i++)
    pieces[i] = run->scratch + (i == room->host ? 0 : received_at(job, i, bytes));
  if (!status)
    world->device->combine(world->device, NULL, &job->outer.what, pieces, out);
  return status;
}

/* ---- large ones: a part of this host's sum each, a piece of it for each host ------------------
 */

/* What this member adds up for all hosts. */
static void reduce_piece(const tr_world *world, const tr_job_run *run, const over_hosts *job,
                         char *out) {
  const mpi_room *room = job->room;
  char *pieces[TR_ROOM_MEMBERS];
  int64_t start = piece_start(job, room->host);
  size_t bytes = (size_t)piece_count(job, room->host) * job->inner.out_size;
  tr_combination what = job->outer.what;
  what.count = piece_count(job, room->host);
  for (int32_t i = 0; i < room->hosts; i++)
    pieces[i] = run->scratch + (i == room->host ? (size_t)start * job->inner.out_size
                                                : received_at(job, i, bytes));
  if (what.count > 0)
    world->device->combine(world->device, NULL, &what, pieces,
                           out + (size_t)start * job->outer.out_size);
}

static tessera_status reduce_large(tr_world *world, const tr_job_run *run, over_hosts *job,
                                   const char *in, char *out) {
  mpi_room *room = job->room;
  char *part = out + (size_t)job->outer.starts[room->room.self] * job->outer.out_size;
  tessera_status status = meet_in_room(world, room, run, &job->call);
  if (!status)
    status = tr_stage_reduce(&room->room, room->stages, &job->inner, in, run->scratch);
  if (!status)
    status = run_messages(world, run, job->swap, part);
  if (status)
    return status;
  reduce_piece(world, run, job, part);
  status = run_messages(world, run, job->spread, part);
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
  job->inner.scatters = true;
}

/* A message to and one from the member at this one's place on another host. */
static void add_pair(const mpi_room *room, int32_t host, const tr_view *sent,
                     const tr_view *received, tr_message *messages, int64_t *count) {
  messages[*count] = (tr_message){.direction = TR_RECEIVE, .peer = room->peers[host]};
  messages[*count + 1] = (tr_message){.direction = TR_SEND, .peer = room->peers[host]};
  tr_view_assign(&messages[*count].view, received);
  tr_view_assign(&messages[*count + 1].view, sent);
  *count += 2;
}

static int64_t list_swaps(const over_hosts *job, tr_message *messages) {
  const mpi_room *room = job->room;
  bool is_small = tr_room_sum_is_small(&job->inner);
  size_t element = job->inner.out_size;
  int64_t count = 0, own = is_small ? job->inner.what.count : piece_count(job, room->host);
  for (int32_t i = 0; i < room->hosts; i++) {
    size_t start = is_small ? 0 : (size_t)piece_start(job, i) * element;
    tr_view sent, received;
    tr_view_flat(tr_place(TR_SCRATCH, start), element, is_small ? own : piece_count(job, i), &sent);
    tr_view_flat(tr_place(TR_SCRATCH, received_at(job, i, (size_t)own * element)), element, own,
                 &received);
    if (i != room->host)
      add_pair(room, i, &sent, &received, messages, &count);
  }
  return count;
}

/* Places of the output count from this member's part. */
static int64_t list_spreads(const over_hosts *job, tr_message *messages) {
  const mpi_room *room = job->room;
  size_t element = job->outer.out_size;
  int64_t count = 0;
  tr_view views[2];
  for (int32_t i = 0; i < room->hosts; i++) {
    int32_t hosts[2] = {room->host, i};
    for (int k = 0; k < 2; k++)
      tr_view_flat(tr_place(TR_OUTPUT, (size_t)piece_start(job, hosts[k]) * element), element,
                   piece_count(job, hosts[k]), &views[k]);
    if (i != room->host)
      add_pair(room, i, &views[0], &views[1], messages, &count);
  }
  return count;
}

static void close_over_hosts(tr_job *job) {
  over_hosts *made = (over_hosts *)job;
  free(made->swap);
  free(made->spread);
}

static tessera_status plan_messages(tr_world *world, const tr_group *group, over_hosts *job) {
  const mpi_room *room = job->room;
  size_t bytes = sizeof(tr_message) * 2 * (size_t)room->hosts;
  tr_message *messages = malloc(bytes);
  if (!messages)
    return no_memory(room->state, bytes);
  tessera_status status =
      mpi_plan_transfer(world, group, messages, list_swaps(job, messages), &job->swap);
  if (!status && !tr_room_sum_is_small(&job->inner))
    status = mpi_plan_transfer(world, group, messages, list_spreads(job, messages), &job->spread);
  free(messages);
  return status;
}

static void size_job(over_hosts *job) {
  const tr_job *swap = job->swap, *spread = job->spread;
  int64_t own =
      tr_room_sum_is_small(&job->inner) ? job->inner.what.count : piece_count(job, job->room->host);
  job->job.scratch_bytes = received_at(job, job->room->hosts, (size_t)own * job->inner.out_size);
  job->job.state_bytes =
      spread && spread->state_bytes > swap->state_bytes ? spread->state_bytes : swap->state_bytes;
}

tessera_status plan_over_hosts(tr_world *world, const tr_group *group, mpi_room *room,
                               const tr_collective *what, tr_job **job) {
  size_t bytes = sizeof(over_hosts) + sizeof(int64_t) * ((size_t)room->room.members + 1);
  over_hosts *made = calloc(1, bytes);
  if (!made)
    return no_memory(room->state, bytes);
  made->job = (tr_job){.start = start_over_hosts, .close = close_over_hosts};
  made->room = room;
  made->in = what->in.data;
  made->out = what->out.data;
  made->inner.device = world->device;
  made->inner.starts = made->starts;
  made->inner.what = *what->combination;
  made->inner.in_size = tessera_dtype_size(what->combination->input);
  made->inner.out_size = tessera_dtype_size(what->combination->output);
  split_sum(room, made);
  tr_room_describe_shape(what->view, &made->call.call);
  tessera_status status = plan_messages(world, group, made);
  if (status) {
    tr_job_free(&made->job);
    return status;
  }
  size_job(made);
  *job = &made->job;
  return TESSERA_OK;
}
