/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A thread that looks after communicators: the host that waits for a device cannot. It finds
 * failures of NCCL's, ranks that do not come, and ranks that have failed, and takes back what waits
 * for them. It must not know what is communicated. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "backends/nccl/state.h"
#include "threads/tenths.h"

double nccl_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The device first: whoever waits for it is to find that it has failed when the wait is over. */
void nccl_give_up(nccl_state *state, tessera_status status, const char *message) {
  if (state->failure)
    return;
  snprintf(state->message, sizeof(state->message), "%s", message);
  state->failure = status;
  state->device->fail(state->device, status, message);
  for (known_comm *known = state->comms; known; known = known->next) {
    if (known->comm)
      state->nccl->abort(known->comm);
    known->comm = NULL;
  }
}

void nccl_listen(nccl_state *state) {
  const tr_control *control = state->base.control;
  if (!state->failure && control->hear && control->hear(&state->base))
    nccl_give_up(state, TESSERA_ERROR_PEER, tessera_last_error());
}

/* ---- what is looked for ---------------------------------------------------------------------- */

static void look_at_comms(nccl_state *state) {
  for (known_comm *known = state->comms; known && !state->failure; known = known->next) {
    nccl_result result = NCCL_OK;
    if (!known->comm || state->nccl->state(known->comm, &result) != NCCL_OK || result == NCCL_OK ||
        result == NCCL_IN_PROGRESS)
      continue;
    char message[1024];
    const char *detail = state->nccl->last_error(known->comm);
    snprintf(message, sizeof(message), "NCCL has failed on rank %d: %s%s%s", state->base.rank,
             state->nccl->error_text(result), detail && detail[0] ? ": " : "",
             detail ? detail : "");
    nccl_give_up(state, TESSERA_ERROR_BACKEND, message);
  }
}

/* Work that was given is behind an event, when that is looked at for the first time. */
static void look_at_stream(nccl_state *state, progress *progress) {
  const tr_device *device = state->device;
  if (state->failure || (!progress->event && progress->given == progress->done))
    return;
  if (!progress->event) {
    progress->event = device->record(device, device->stream(device, progress->use));
    progress->at = progress->given;
    progress->since = nccl_now();
    return;
  }
  if (device->has_come(device, progress->event)) {
    progress->done = progress->at;
    tr_device_forget(device, progress->event);
    progress->event = NULL;
    return;
  }
  if (state->host->patience <= 0 || nccl_now() - progress->since <= state->host->patience)
    return;
  char message[512];
  snprintf(message, sizeof(message),
           "the GPU of rank %d has waited for %g s in %s or before it: not all ranks of the group "
           "have come; TESSERA_TIMEOUT says how long ranks wait, and 0 for ever",
           state->base.rank, state->host->patience, progress->place);
  nccl_give_up(state, TESSERA_ERROR_PEER, message);
}

/* ---- the thread ------------------------------------------------------------------------------ */

static void *run(void *data) {
  nccl_state *state = data;
  pthread_mutex_lock(&state->lock);
  while (!state->is_ending) {
    look_at_comms(state);
    for (int i = 0; i < NUM_STREAMS; i++)
      look_at_stream(state, &state->streams[i]);
    nccl_listen(state);
    tr_wait_a_tenth(&state->wake, &state->lock, &state->is_ending);
  }
  pthread_mutex_unlock(&state->lock);
  return NULL;
}

bool nccl_start_lookout(nccl_state *state) {
  for (int i = 0; i < NUM_STREAMS; i++)
    state->streams[i].use = (tr_stream_use)i;
  return pthread_create(&state->lookout, NULL, run, state) == 0;
}

void nccl_stop_lookout(nccl_state *state) {
  pthread_mutex_lock(&state->lock);
  state->is_ending = true;
  pthread_cond_signal(&state->wake);
  pthread_mutex_unlock(&state->lock);
  pthread_join(state->lookout, NULL);
  for (int i = 0; i < NUM_STREAMS; i++)
    tr_device_forget(state->device, state->streams[i].event);
}
