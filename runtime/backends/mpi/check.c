/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The control plane over MPI. Whether the members of a group call the same collectives is a hash of
 * all calls so far, compared now and then; the ledger has what they were. It must not know what a
 * collective does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/mpi/state.h"
#include "planes/ledger.h"
#include "planes/site_hash.h"

/* A comparison costs as much as the smallest all-reduce, and holds up members that run ahead of
 * others. Programs that differ mostly do so from the beginning. */
enum { ALWAYS_AT_FIRST = 64 };

/* ---- what differs ---------------------------------------------------------------------------- */

/* The calls of a group since the last comparison. */
enum { WINDOW = 2 * TR_LEDGER_CALLS };

/* The number of a call and its negative: the largest of all members' are these only if all are
 * equal. */
static void write_hash(uint64_t hash, int64_t *pair) {
  pair[0] = (int64_t)(hash >> 2);
  pair[1] = -pair[0];
}

static bool all_equal(const int64_t *pair) {
  return pair[0] == -pair[1];
}

/* A pair for each call; zeros for those that were not made. */
static void write_window(const known_comm *comm, int64_t *pairs) {
  for (uint64_t i = 0; i < TR_LEDGER_CALLS; i++) {
    const tr_entry *entry = comm->book ? tr_page_entry(comm->book->page, comm->compared + i) : NULL;
    write_hash(entry ? tr_entry_hash(entry) : 0, pairs + 2 * i);
  }
}

/* The account of the first call in which the largest of all members' pairs are not their own. */
static void write_account(const mpi_state *state, const known_comm *comm, const int64_t *pairs,
                          tr_account *account) {
  const tr_book *book = comm->book;
  uint64_t i = 0;
  while (i + 1 < TR_LEDGER_CALLS && all_equal(pairs + 2 * i))
    i++;
  tr_ledger_account(book ? book->ledger : NULL,
                    book ? tr_page_entry(book->page, comm->compared + i) : NULL, state->rank,
                    account);
}

/* `where`: in which group, if the call does not say so. */
static tessera_status report(const mpi_state *state, const known_comm *comm,
                             const tr_account *accounts, const char *where) {
  char text[1024];
  tr_odd_account found = tr_accounts_find_odd(accounts, comm->size);
  if (found.other)
    tr_accounts_tell_odd(&found, text, sizeof(text));
  else
    snprintf(text, sizeof(text), "ranks have called different collectives");
  return state->host->fail(TESSERA_ERROR_MISMATCH, "%s%s", where, text);
}

/* Of members all of which are here. */
static tessera_status find_difference(const mpi_state *state, const known_comm *comm) {
  int64_t pairs[WINDOW];
  tr_account own, *all = malloc(sizeof(own) * (size_t)comm->size);
  if (!all)
    return no_memory(state, sizeof(own) * (size_t)comm->size);
  write_window(comm, pairs);
  int code = MPI_Allreduce(MPI_IN_PLACE, pairs, WINDOW, MPI_INT64_T, MPI_MAX, comm->comm);
  write_account(state, comm, pairs, &own);
  if (code == MPI_SUCCESS)
    code = MPI_Allgather(&own, sizeof(own), MPI_BYTE, all, sizeof(own), MPI_BYTE, comm->comm);
  tessera_status status = code == MPI_SUCCESS ? report(state, comm, all, "")
                                              : check(state, code, "comparing collectives");
  free(all);
  return status;
}

/* ---- comparing ------------------------------------------------------------------------------- */

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
    MPI_Status received = {.MPI_SOURCE = MPI_ANY_SOURCE};
    int to = (self + distance) % size, from = (self + size - distance) % size;
    int code = pass_on(state, pair, to, theirs, from, BYTES, TAG_CHECK, comm->comm, &received);
    status = check_received(state, comm, code, &received, BYTES);
    for (int i = 0; !status && i < 2; i++)
      pair[i] = theirs[i] > pair[i] ? theirs[i] : pair[i];
  }
  return status;
}

/* Compares this call, and those since the last comparison, with the other members'. */
static tessera_status compare_calls(mpi_state *state, known_comm *comm, uint64_t calls) {
  int64_t pair[2];
  uint64_t until_next = calls < ALWAYS_AT_FIRST ? 1 : calls;
  comm->due = calls + (until_next < state->check_every ? until_next : state->check_every);
  write_hash(comm->history, pair);
  tessera_status status = mpi_is_over(state);
  if (!status)
    status = find_largest(state, comm, pair);
  if (status)
    return status;
  if (!all_equal(pair))
    return find_difference(state, comm);
  comm->compared = calls;
  return TESSERA_OK;
}

static tessera_status mpi_compare(tr_world *world, const tr_group *group) {
  known_comm *comm = group->handle;
  const tr_page *page = comm->book->page;
  uint64_t calls = tr_page_calls(page);
  const tr_entry *last = &page->entries[(calls - 1) & (TR_LEDGER_CALLS - 1)];
  comm->history = tr_hash_mix(comm->history, tr_entry_hash(last));
  return calls < comm->due ? TESSERA_OK : compare_calls(world->state, comm, calls);
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
    MPI_Status received = {.MPI_SOURCE = MPI_ANY_SOURCE};
    int code = pass_on(world->state, from_own_on, to, from_own_on + have * count, from, bytes,
                       TAG_CHECK, comm->comm, &received);
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

/* ---- settling -------------------------------------------------------------------------------- */

/* Collectives that were begun in several groups at once, whose memory is lent. Ranks know their
 * groups in different orders. */
typedef struct round {
  int started, code;
  MPI_Request requests[];
} round;

static round *begin_round(mpi_state *state, int most) {
  round *round = lend(state, sizeof(*round) + sizeof(MPI_Request) * (size_t)most);
  if (round)
    *round = (struct round){.code = MPI_SUCCESS};
  return round;
}

static void note_started(round *round, int code) {
  round->code = code;
  round->started += code == MPI_SUCCESS;
}

/* If one has failed, others may still be under way. */
static tessera_status end_round(mpi_state *state, round *round) {
  int code = round->code;
  if (code == MPI_SUCCESS)
    code = await_all(state, round->started, round->requests);
  if (code == MPI_SUCCESS)
    take_back(state, round);
  return check(state, code, "comparing collectives");
}

/* What members of a group tell each other if their histories differ. */
typedef struct difference {
  struct difference *next;
  const known_comm *comm;
  int64_t pairs[WINDOW];
  tr_account own, all[];
} difference;

static tessera_status compare_windows(mpi_state *state, difference *first, int count) {
  round *round = begin_round(state, count);
  if (!round)
    return no_memory(state, sizeof(MPI_Request) * (size_t)count);
  for (difference *d = first; d && round->code == MPI_SUCCESS; d = d->next) {
    write_window(d->comm, d->pairs);
    note_started(round, MPI_Iallreduce(MPI_IN_PLACE, d->pairs, WINDOW, MPI_INT64_T, MPI_MAX,
                                       d->comm->comm, &round->requests[round->started]));
  }
  return end_round(state, round);
}

static tessera_status exchange_accounts(mpi_state *state, difference *first, int count) {
  round *round = begin_round(state, count);
  if (!round)
    return no_memory(state, sizeof(MPI_Request) * (size_t)count);
  for (difference *d = first; d && round->code == MPI_SUCCESS; d = d->next) {
    write_account(state, d->comm, d->pairs, &d->own);
    note_started(round, MPI_Iallgather(&d->own, sizeof(d->own), MPI_BYTE, d->all, sizeof(d->own),
                                       MPI_BYTE, d->comm->comm, &round->requests[round->started]));
  }
  return end_round(state, round);
}

/* How calls differ in this rank's first of the groups whose pairs say so. */
static tessera_status find_differences(mpi_state *state, const int64_t *pairs) {
  difference *first = NULL, **end = &first;
  int count = 0;
  for (known_comm *comm = state->comms; comm; comm = comm->next, pairs += 2) {
    size_t bytes = sizeof(difference) + sizeof(tr_account) * (size_t)comm->size;
    if (all_equal(pairs))
      continue;
    *end = lend(state, bytes);
    if (!*end)
      return no_memory(state, bytes);
    (*end)->comm = comm;
    end = &(*end)->next;
    count++;
  }
  tessera_status status = first ? compare_windows(state, first, count) : TESSERA_OK;
  if (first && !status)
    status = exchange_accounts(state, first, count);
  if (!first || status)
    return status;
  char where[256];
  tr_account_group(first->comm->members, first->comm->size, where, sizeof(where));
  status = report(state, first->comm, first->all, where);
  for (difference *next; first; first = next) {
    next = first->next;
    take_back(state, first);
  }
  return status;
}

/* Compares what has not been compared yet. */
static tessera_status check_histories(mpi_state *state) {
  int count = 0;
  for (known_comm *comm = state->comms; comm; comm = comm->next)
    count++;
  size_t bytes = 2 * sizeof(int64_t) * (size_t)count;
  int64_t *pairs = lend(state, bytes), *pair = pairs;
  round *round = begin_round(state, count);
  if (!pairs || !round)
    return no_memory(state, bytes);
  for (known_comm *comm = state->comms; comm && round->code == MPI_SUCCESS; comm = comm->next) {
    write_hash(comm->history, pair);
    note_started(round, MPI_Iallreduce(MPI_IN_PLACE, pair, 2, MPI_INT64_T, MPI_MAX, comm->comm,
                                       &round->requests[round->started]));
    pair += 2;
  }
  tessera_status status = end_round(state, round);
  if (status)
    return status;
  status = find_differences(state, pairs);
  take_back(state, pairs);
  for (known_comm *comm = state->comms; comm && !status; comm = comm->next)
    comm->compared = comm->book ? tr_page_calls(comm->book->page) : 0;
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
                                .collect = mpi_collect,
                                .settle = mpi_settle,
                                .hear = mpi_hear,
                                .tell = mpi_tell,
                                .listen = mpi_listen};
