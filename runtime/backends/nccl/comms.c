/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Communicators: one of all ranks, and parts of it, each made when its members meet.
 * It must not know what is communicated. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/nccl/state.h"

static tessera_status no_memory(const nccl_state *state) {
  return state->host->fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a communicator");
}

/* ---- agreeing -------------------------------------------------------------------------------- */

/* The largest of every rank's number, and who has it. */
static tessera_status find_largest(nccl_state *state, int64_t mine, int64_t *largest, int *rank) {
  const tr_group *all = &state->all.base;
  int64_t *numbers = malloc(sizeof(int64_t) * (size_t)all->size);
  if (!numbers)
    return no_memory(state);
  tessera_status status = state->base.control->collect(&state->base, all, NULL, 1, &mine, numbers);
  *largest = mine;
  *rank = state->base.rank;
  for (int32_t i = 0; !status && i < all->size; i++)
    if (numbers[i] > *largest) {
      *largest = numbers[i];
      *rank = i;
    }
  free(numbers);
  return status;
}

tessera_status nccl_agree(nccl_state *state, tessera_status mine, const char *what) {
  int64_t largest = 0;
  int rank = 0;
  char message[1024] = "";
  if (mine)
    strncpy(message, tessera_last_error(), sizeof(message) - 1);
  tessera_status status = find_largest(state, mine != TESSERA_OK, &largest, &rank);
  if (mine)
    return state->host->fail(mine, "%s", message);
  if (!status && largest > 0)
    status = state->host->fail(TESSERA_ERROR_PEER, "%s on rank %d, which says why", what, rank);
  return status;
}

/* ---- making ---------------------------------------------------------------------------------- */

/* The first member's, for all. */
static tessera_status share_id(nccl_state *state, known_comm *known, nccl_id *id) {
  enum { WORDS = 1 + NCCL_ID_BYTES / sizeof(int64_t) };
  int64_t mine[WORDS] = {0}, *all = malloc(sizeof(mine) * (size_t)known->base.size);
  if (!all)
    return no_memory(state);
  nccl_result result = NCCL_OK;
  if (known->base.self == 0)
    result = state->nccl->get_id((nccl_id *)(mine + 1));
  mine[0] = result;
  tessera_status status =
      state->base.control->collect(&state->base, &known->base, NULL, WORDS, mine, all);
  if (!status && all[0] != NCCL_OK)
    status = nccl_failure(state, NULL, (nccl_result)all[0], "ncclGetUniqueId");
  memcpy(id, all + 1, sizeof(*id));
  free(all);
  return status;
}

static tessera_status open_comm(nccl_state *state, known_comm *known) {
  nccl_id id;
  nccl_config wish = nccl_usual_config();
  if (known->base.size == 1)
    return TESSERA_OK;
  tessera_status status = share_id(state, known, &id);
  if (status || !state->device->stream(state->device, TR_STREAM_OWN)) /* makes it the thread's */
    return status ? status : tr_device_check(state->device);
  pthread_mutex_lock(&state->lock);
  nccl_result result =
      state->nccl->open(&known->comm, known->base.size, id, known->base.self, &wish);
  if (result == NCCL_IN_PROGRESS || result == NCCL_OK)
    result = nccl_await(state, known->comm);
  if (result != NCCL_OK)
    status = nccl_failure(state, known->comm, result, "ncclCommInitRankConfig");
  pthread_mutex_unlock(&state->lock);
  return status;
}

/* Collective over all ranks, also over those that want none. */
static tessera_status split_comm(nccl_state *state, known_comm *known) {
  nccl_config wish = nccl_usual_config();
  nccl_comm part = NULL;
  tessera_status status = TESSERA_OK;
  if (!state->device->stream(state->device, TR_STREAM_OWN))
    return tr_device_check(state->device);
  pthread_mutex_lock(&state->lock);
  nccl_comm all = state->all.comm;
  int color = NCCL_NO_COLOR;
  for (int32_t i = 0; known && i < known->base.size; i++)
    if (color < 0 || known->base.members[i] < color)
      color = known->base.members[i];
  nccl_result result =
      all ? state->nccl->split(all, color, known ? known->base.self : 0, &part, &wish) : NCCL_OK;
  if (result == NCCL_IN_PROGRESS || result == NCCL_OK)
    result = nccl_await(state, all);
  if (result == NCCL_OK && known)
    result = nccl_await(state, part);
  if (known)
    known->comm = part;
  if (result != NCCL_OK)
    status = nccl_failure(state, all, result, "ncclCommSplit");
  pthread_mutex_unlock(&state->lock);
  return status;
}

/* ---- the groups ------------------------------------------------------------------------------ */

static known_comm *find(const nccl_state *state, const tr_group *group) {
  for (known_comm *known = state->comms; known; known = known->next)
    if (known->base.size == group->size &&
        memcmp(known->base.members, group->members, sizeof(int32_t) * (size_t)group->size) == 0)
      return known;
  return NULL;
}

static void free_known(nccl_state *state, known_comm *known) {
  if (known->base.handle)
    state->base.backend->destroy_group(&state->base, &known->base);
  free(known->base.members);
  if (known != &state->all)
    free(known);
}

/* Without a communicator. */
static tessera_status enter(nccl_state *state, const tr_group *group, known_comm **entered) {
  size_t bytes = sizeof(int32_t) * (size_t)group->size;
  known_comm *known = calloc(1, sizeof(*known));
  if (known)
    known->base.members = malloc(bytes);
  if (!known || !known->base.members) {
    free(known);
    return no_memory(state);
  }
  memcpy(known->base.members, group->members, bytes);
  known->base.size = group->size;
  known->base.self = group->self;
  known->base.lanes = group->lanes;
  known->base.book = group->book;
  tessera_status status = state->base.backend->create_group(&state->base, &known->base);
  if (status) {
    free_known(state, known);
    return status;
  }
  pthread_mutex_lock(&state->lock);
  known->next = state->comms;
  state->comms = known;
  pthread_mutex_unlock(&state->lock);
  *entered = known;
  return TESSERA_OK;
}

tessera_status nccl_create_group(tr_world *world, tr_group *group) {
  nccl_state *state = nccl_state_of(world);
  known_comm *known = find(state, group);
  tessera_status status = TESSERA_OK;
  if (!known) {
    status = enter(state, group, &known);
    if (!status)
      status = open_comm(state, known);
  }
  group->handle = status ? NULL : known;
  return status;
}

/* Ranks make their parts at the same time, all in one call, if any rank lacks its own. */
tessera_status nccl_create_groups(tr_world *world, tr_group *group) {
  nccl_state *state = nccl_state_of(world);
  known_comm *known = group ? find(state, group) : NULL, *wanted = NULL;
  int64_t any_lacks = 0;
  int rank;
  tessera_status status = find_largest(state, group && !known, &any_lacks, &rank);
  if (!status && group && !known) {
    status = enter(state, group, &wanted);
    known = wanted;
  }
  if (!status && any_lacks)
    status = split_comm(state, wanted);
  if (group)
    group->handle = status ? NULL : known;
  return status;
}

/* Communicators are shared by groups with the same members and live as long as the backend. */
void nccl_destroy_group(tr_world *world, tr_group *group) {
  (void)world;
  group->handle = NULL;
}

tessera_status nccl_open_all(nccl_state *state) {
  known_comm *all = &state->all;
  all->next = state->comms;
  state->comms = all;
  return open_comm(state, all);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* All at once, for each ends when its members do; then parts before what they are parts of. */
static void end_comms(nccl_state *state) {
  for (known_comm *known = state->comms; known; known = known->next)
    if (known->comm)
      state->nccl->finalize(known->comm);
  for (known_comm *known = state->comms; known; known = known->next) {
    if (!known->comm)
      continue;
    if (nccl_await(state, known->comm) == NCCL_OK)
      state->nccl->destroy(known->comm);
    else
      state->nccl->abort(known->comm);
    known->comm = NULL;
  }
}

void nccl_close_comms(nccl_state *state) {
  state->device->stream(state->device, TR_STREAM_OWN); /* makes it the thread's */
  pthread_mutex_lock(&state->lock);
  if (!state->failure)
    end_comms(state);
  pthread_mutex_unlock(&state->lock);
  for (known_comm *known = state->comms, *next; known; known = next) {
    next = known->next;
    free_known(state, known);
  }
  state->comms = NULL;
}
