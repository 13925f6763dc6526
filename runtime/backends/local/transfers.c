/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Transfers between threads: the messages of one step of a collective, which begin and end
 * together. It must not know grids, collectives or MLIR. */
#include <stdlib.h>

#include "backends/local/posts.h"
#include "support/error.h"

typedef struct transfer {
  tr_job job;
  int64_t count;
  tr_message messages[];
} transfer;

/* Of one run, from its beginning to its end in a list of its rank. */
struct transfer_state {
  transfer_state *next, **link;
  event event;
  int64_t entered;
  post posts[];
};

static void begin(hub *hub, transfer_state *state, int32_t rank) {
  seat *seat = &hub->seats[rank];
  *state = (transfer_state){
      .next = seat->begun, .link = &seat->begun, .event = {.rank = rank, .awaits = awaits_post}};
  if (state->next)
    state->next->link = &state->next;
  seat->begun = state;
}

static void end(transfer_state *state) {
  *state->link = state->next;
  if (state->next)
    state->next->link = state->link;
}

static tessera_status start_transfer(tr_world *world, const tr_job_run *run) {
  hub *hub = world->state;
  const transfer *transfer = (struct transfer *)run->job;
  transfer_state *state = run->state;
  pthread_mutex_lock(&hub->lock);
  tessera_status status = hub->failed ? peer_failure(hub, world->rank) : TESSERA_OK;
  begin(hub, state, world->rank);
  begin_on_device(world, run->manner, run->stream, &state->event);
  for (; !status && state->entered < transfer->count; state->entered++) {
    const tr_message *message = &transfer->messages[state->entered];
    int32_t peer = run->group->members[message->peer];
    bool is_send = message->direction == TR_SEND;
    post *own = &state->posts[state->entered];
    *own = (post){.direction = message->direction,
                  .channel = CHANNEL_TRANSFER,
                  .group = group_number(run->group),
                  .lane = run->lane,
                  .source = is_send ? world->rank : peer,
                  .rank = world->rank,
                  .event = &state->event,
                  .program_call = world->program_calls,
                  .site = run->site,
                  .view = &message->view,
                  .data = tr_resolve(run->bases, message->view.data)};
    status = enter_post(world, is_send ? peer : world->rank, own);
  }
  end_start_on_device(world, &state->event);
  pthread_mutex_unlock(&hub->lock);
  return status;
}

static tessera_status finish_transfer(tr_world *world, const tr_job_run *run) {
  hub *hub = world->state;
  transfer_state *state = run->state;
  pthread_mutex_lock(&hub->lock);
  linger(hub, &state->event);
  tessera_status status = await(hub, run->site, &state->event);
  if (!status) {
    follow_copies(world, &state->event);
    end(state);
  }
  pthread_mutex_unlock(&hub->lock);
  return status;
}

void withdraw_all(const tr_world *world) {
  hub *hub = world->state;
  for (transfer_state *state; (state = hub->seats[world->rank].begun);) {
    withdraw(hub, &state->event, state->posts, state->entered);
    follow_copies(world, &state->event);
    end(state);
  }
}

tessera_status local_plan_transfer(tr_world *world, const tr_group *group,
                                   const tr_message *messages, int64_t count, tr_job **job) {
  (void)world;
  (void)group;
  transfer *made = malloc(sizeof(*made) + sizeof(*messages) * (size_t)count);
  if (!made)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %lld messages", (long long)count);
  made->job = (tr_job){.start = start_transfer,
                       .finish = finish_transfer,
                       .state_bytes = sizeof(transfer_state) + sizeof(post) * (size_t)count};
  made->count = count;
  tr_messages_assign(made->messages, messages, count);
  *job = &made->job;
  return TESSERA_OK;
}
