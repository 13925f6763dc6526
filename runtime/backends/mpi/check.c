/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The control plane over MPI. Whether the members of a group call the same collectives is a hash of
 * all calls so far, compared now and then. It must not know what a collective does. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/mpi/state.h"
#include "planes/call_account.h"
#include "planes/site_hash.h"

/* A comparison costs as much as the smallest all-reduce, and holds up members that run ahead of
 * others. Programs that differ mostly do so from the beginning. */
enum { ALWAYS_AT_FIRST = 64 };

/* ---- what differs ---------------------------------------------------------------------------- */

static tessera_status report(const mpi_state *state, const known_comm *comm,
                             const tr_account *accounts) {
  char text[1024];
  int32_t other = 1;
  while (other < comm->size && tr_account_same(&accounts[0], &accounts[other]))
    other++;
  if (other == comm->size)
    return state->host->fail(
        TESSERA_ERROR_MISMATCH,
        "ranks have called different collectives before this one; with TESSERA_CHECK=1 each is "
        "compared before it begins");
  tr_account_difference(&accounts[0], &accounts[other], text, sizeof(text));
  return state->host->fail(TESSERA_ERROR_MISMATCH, "%s", text);
}

static tessera_status find_difference(const tr_world *world, const known_comm *comm,
                                      const tr_common *common) {
  const mpi_state *state = world->state;
  tr_account own, *all = malloc(sizeof(own) * (size_t)comm->size);
  if (!all)
    return no_memory(state, sizeof(own) * (size_t)comm->size);
  tr_account_of_call(common, world->rank, world->program_calls, &own);
  int code = MPI_Allgather(&own, sizeof(own), MPI_BYTE, all, sizeof(own), MPI_BYTE, comm->comm);
  tessera_status status =
      code == MPI_SUCCESS ? report(state, comm, all) : check(state, code, "comparing collectives");
  free(all);
  return status;
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* The largest of a number and of its negative are those of all members only if all are equal. */
static void write_pair(const known_comm *comm, int64_t *pair) {
  pair[0] = (int64_t)(comm->history >> 2);
  pair[1] = -pair[0];
}

static bool all_equal(const int64_t *pair) {
  return pair[0] == -pair[1];
}

/* The largest of all members' pairs, in as many rounds as the number of members has bits: each
 * round doubles the members that a pair speaks for. By messages of ours, which a rank that has
 * failed answers. */
static tessera_status find_largest(mpi_state *state, const known_comm *comm, int64_t *pair) {
  enum { BYTES = 2 * sizeof(int64_t) };
  int self, size = comm->size;
  tessera_status status = TESSERA_OK;
  MPI_Comm_rank(comm->comm, &self);
  for (int distance = 1; !status && distance < size; distance *= 2) {
    int64_t theirs[2];
    MPI_Status received;
    int to = (self + distance) % size, from = (self + size - distance) % size;
    int code = MPI_Sendrecv(pair, BYTES, MPI_BYTE, to, TAG_CHECK, theirs, BYTES, MPI_BYTE, from,
                            TAG_CHECK, comm->comm, &received);
    status = check_received(state, comm, code, &received, BYTES);
    for (int i = 0; !status && i < 2; i++)
      pair[i] = theirs[i] > pair[i] ? theirs[i] : pair[i];
  }
  return status;
}

/* Compares this call, and those since the last comparison, with the other members'.
 * TESSERA_ERROR_UNSUPPORTED if they differ. */
static tessera_status compare_calls(mpi_state *state, known_comm *comm) {
  int64_t pair[2], until_next = comm->calls < ALWAYS_AT_FIRST ? 1 : comm->calls;
  comm->compared =
      comm->calls + (until_next < state->check_every ? until_next : state->check_every);
  write_pair(comm, pair);
  tessera_status status = mpi_is_over(state);
  if (!status)
    status = find_largest(state, comm, pair);
  if (status)
    return status;
  comm->differs = !all_equal(pair);
  return comm->differs ? TESSERA_ERROR_UNSUPPORTED : TESSERA_OK;
}

/* Notes that a call of this hash begins, and compares it if it is time. */
static tessera_status mpi_compare_again(tr_world *world, const tr_group *group, uint64_t hash) {
  known_comm *comm = group->handle;
  comm->history = tr_hash_mix(comm->history, hash + world->program_calls * 0x9ddfea08eb382d69u);
  comm->calls++;
  return comm->calls < comm->compared ? TESSERA_OK : compare_calls(world->state, comm);
}

static tessera_status mpi_compare(tr_world *world, const tr_group *group, tr_common *common) {
  known_comm *comm = group->handle;
  common->hash = tr_account_hash(common);
  tessera_status status =
      comm->differs ? TESSERA_ERROR_UNSUPPORTED : mpi_compare_again(world, group, common->hash);
  if (status != TESSERA_ERROR_UNSUPPORTED)
    return status;
  comm->differs = false;
  return find_difference(world, comm, common);
}

/* ---- agreeing and ending --------------------------------------------------------------------- */

/* In rounds, each of which doubles what a member has: its own numbers first, then those of the
 * members behind it. By messages of ours, which a rank that has failed answers. */
static tessera_status pass_numbers(tr_world *world, const tr_group *group, int64_t count,
                                   int64_t *from_own_on) {
  const known_comm *comm = group->handle;
  int32_t size = group->size, self = group->self;
  tessera_status status = TESSERA_OK;
  for (int32_t have = 1; !status && have < size; have *= 2) {
    int32_t more = have < size - have ? have : size - have;
    int bytes = (int)(more * count * (int64_t)sizeof(int64_t));
    int to = (self + size - have) % size, from = (self + have) % size;
    MPI_Status received;
    int code = MPI_Sendrecv(from_own_on, bytes, MPI_BYTE, to, TAG_CHECK, from_own_on + have * count,
                            bytes, MPI_BYTE, from, TAG_CHECK, comm->comm, &received);
    status = check_received(world->state, comm, code, &received, bytes);
  }
  return status;
}

static tessera_status mpi_collect(tr_world *world, const tr_group *group, const tessera_site *site,
                                  int64_t count, const int64_t *mine, int64_t *all) {
  size_t numbers = (size_t)(group->size * count), bytes = sizeof(int64_t) * (size_t)count;
  int64_t few[64], *passed = numbers <= 64 ? few : malloc(sizeof(int64_t) * numbers);
  (void)site;
  if (!passed)
    return no_memory(world->state, sizeof(int64_t) * numbers);
  memcpy(passed, mine, bytes);
  tessera_status status = group->size > 1 ? pass_numbers(world, group, count, passed) : TESSERA_OK;
  for (int32_t i = 0; i < group->size; i++)
    memcpy(all + (group->self + i) % group->size * count, passed + i * count, bytes);
  if (passed != few)
    free(passed);
  return status;
}

/* Of a member's calls: their history, and how many they are. */
enum { HISTORY, CALLS, NUMBERS };

/* Of members whose histories differ the one whose own the fewest have, and one that has another. */
static tessera_status report_histories(const mpi_state *state, const known_comm *comm,
                                       const int64_t *all) {
  int32_t odd = 0, fewest = comm->size, other = 0;
  for (int32_t i = 0; i < comm->size; i++) {
    int32_t same = 0;
    for (int32_t k = 0; k < comm->size; k++)
      same += all[NUMBERS * k + HISTORY] == all[NUMBERS * i + HISTORY];
    odd = same <= fewest ? i : odd;
    fewest = same < fewest ? same : fewest;
  }
  while (other < comm->size - 1 && all[NUMBERS * other + HISTORY] == all[NUMBERS * odd + HISTORY])
    other++;
  return state->host->fail(
      TESSERA_ERROR_MISMATCH,
      "ranks have called different collectives: in a group of %d, rank %d others in its %" PRId64
      " calls than rank %d in its %" PRId64
      "; with TESSERA_CHECK=1 each is compared before it begins",
      comm->size, comm->members[odd], all[NUMBERS * odd + CALLS], comm->members[other],
      all[NUMBERS * other + CALLS]);
}

/* Whose calls differ, in this rank's first of the groups whose pairs say so. They tell each other
 * in all of these at once, as they were compared. */
static tessera_status find_histories(const mpi_state *state, const int64_t *pairs,
                                     MPI_Request *requests) {
  const known_comm *first = NULL;
  int64_t count = 0;
  const int64_t *pair = pairs;
  for (known_comm *comm = state->comms; comm; comm = comm->next, pair += 2)
    count += all_equal(pair) ? 0 : NUMBERS * (comm->size + 1);
  if (count == 0)
    return TESSERA_OK;
  size_t bytes = sizeof(int64_t) * (size_t)count;
  int64_t *numbers = malloc(bytes), *own = numbers;
  if (!numbers)
    return no_memory(state, bytes);
  int started = 0, code = MPI_SUCCESS;
  pair = pairs;
  for (known_comm *comm = state->comms; code == MPI_SUCCESS && comm; comm = comm->next, pair += 2) {
    if (all_equal(pair))
      continue;
    first = first ? first : comm;
    own[HISTORY] = (int64_t)comm->history;
    own[CALLS] = comm->calls;
    code = MPI_Iallgather(own, NUMBERS, MPI_INT64_T, own + NUMBERS, NUMBERS, MPI_INT64_T,
                          comm->comm, &requests[started]);
    started += code == MPI_SUCCESS;
    own += NUMBERS * (comm->size + 1);
  }
  if (code == MPI_SUCCESS)
    code = MPI_Waitall(started, requests, MPI_STATUSES_IGNORE);
  tessera_status status = check(state, code, "comparing collectives");
  if (!status)
    status = report_histories(state, first, numbers + NUMBERS);
  free(numbers);
  return status;
}

/* Compares what has not been compared yet. Ranks know their groups in different orders, so all are
 * compared at once. */
static tessera_status check_histories(mpi_state *state) {
  int count = 0, code = MPI_SUCCESS;
  for (known_comm *comm = state->comms; comm; comm = comm->next)
    count++;
  size_t bytes = (sizeof(MPI_Request) + 2 * sizeof(int64_t)) * (size_t)count;
  int64_t *pairs = malloc(bytes + 1);
  if (!pairs)
    return no_memory(state, bytes);
  MPI_Request *requests = (MPI_Request *)(pairs + 2 * count);
  int started = 0;
  for (known_comm *comm = state->comms; code == MPI_SUCCESS && comm; comm = comm->next) {
    int64_t *pair = pairs + 2 * started;
    write_pair(comm, pair);
    code =
        MPI_Iallreduce(MPI_IN_PLACE, pair, 2, MPI_INT64_T, MPI_MAX, comm->comm, &requests[started]);
    started += code == MPI_SUCCESS;
  }
  if (code == MPI_SUCCESS)
    code = MPI_Waitall(started, requests, MPI_STATUSES_IGNORE);
  tessera_status status = check(state, code, "comparing collectives");
  if (!status)
    status = find_histories(state, pairs, requests);
  free(pairs);
  return status;
}

static tessera_status mpi_settle(tr_world *world) {
  int finalized = 0, any_left = 0;
  MPI_Finalized(&finalized);
  if (finalized)
    return TESSERA_OK;
  tessera_status status = settle_sends(world, &any_left);
  return status || any_left ? status : check_histories(world->state);
}

const tr_control mpi_control = {.compare = mpi_compare,
                                .compare_again = mpi_compare_again,
                                .collect = mpi_collect,
                                .settle = mpi_settle,
                                .hear = mpi_hear,
                                .tell = mpi_tell,
                                .listen = mpi_listen};
