/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Calls of NCCL: on which stream, after what, and how they fail.
 * It must not know what is communicated. */
#include <unistd.h>

#include "backends/nccl/state.h"

/* ---- results --------------------------------------------------------------------------------- */

tessera_status nccl_failure(nccl_state *state, nccl_comm comm, nccl_result result,
                            const char *what) {
  const char *detail = comm ? state->nccl->last_error(comm) : "";
  if (state->failure)
    return state->host->fail(state->failure, "%s", state->message);
  if (result == NCCL_IN_PROGRESS)
    return state->host->fail(TESSERA_ERROR_PEER,
                             "%s has waited for %g s: not all ranks have come to it; "
                             "TESSERA_TIMEOUT says how long ranks "
                             "wait, and 0 for ever",
                             what, state->host->patience);
  return state->host->fail(TESSERA_ERROR_BACKEND, "%s failed: %s%s%s", what,
                           state->nccl->error_text(result), detail && detail[0] ? ": " : "",
                           detail ? detail : "");
}

/* Others may look at the communicators meanwhile. */
static void pause_briefly(nccl_state *state) {
  enum { PAUSE = 50 }; /* microseconds */
  pthread_mutex_unlock(&state->lock);
  usleep(PAUSE);
  pthread_mutex_lock(&state->lock);
}

static bool is_over(nccl_state *state, double start, int round) {
  enum { ROUNDS = 20 }; /* without listening to other ranks */
  double now = nccl_now();
  if (round % ROUNDS == ROUNDS - 1)
    nccl_listen(state);
  return state->failure || (state->host->patience > 0 && now - start > state->host->patience);
}

nccl_result nccl_await(nccl_state *state, nccl_comm comm) {
  double start = 0;
  for (int round = 0;; round++) {
    nccl_result result = NCCL_OK;
    if (state->failure) /* there is no communicator any more */
      return NCCL_IN_PROGRESS;
    nccl_result asked = comm ? state->nccl->state(comm, &result) : NCCL_OK;
    if (asked != NCCL_OK || result != NCCL_IN_PROGRESS)
      return asked != NCCL_OK ? asked : result;
    start = round == 0 ? nccl_now() : start;
    if (is_over(state, start, round))
      return NCCL_IN_PROGRESS;
    pause_briefly(state);
  }
}

/* ---- work ------------------------------------------------------------------------------------ */

/* What is pending goes beside the device's own stream. */
static tessera_status choose_stream(nccl_state *state, const tr_job_run *run, work *work) {
  const tr_device *device = state->device;
  tr_stream_use use = run->manner == TR_PENDING ? TR_STREAM_ASIDE : TR_STREAM_OWN;
  tessera_stream *stream = device->stream(device, use);
  if (!stream)
    return tr_device_check(device);
  work->progress = &state->streams[use];
  work->stream = stream;
  if (use == TR_STREAM_OWN)
    return TESSERA_OK;
  tr_event *before = device->record(device, run->stream);
  tr_device_follow(device, stream, before);
  tr_device_forget(device, before);
  return tr_device_check(device);
}

tessera_status nccl_begin_work(tr_world *world, const tr_job_run *run, work *work) {
  nccl_state *state = nccl_state_of(world);
  work->state = state;
  tessera_status status = choose_stream(state, run, work);
  pthread_mutex_lock(&state->lock);
  work->comm = comm_of(run->group)->comm;
  if (!status && state->failure)
    status = state->host->fail(state->failure, "%s", state->message);
  if (status)
    pthread_mutex_unlock(&state->lock);
  else
    nccl_watch_begin(state, work->progress, work->stream);
  return status;
}

tessera_status nccl_end_work(const tr_job_run *run, work *work, nccl_result result,
                             const char *what) {
  nccl_state *state = work->state;
  const tr_device *device = state->device;
  tessera_status status = TESSERA_OK;
  if (result == NCCL_IN_PROGRESS || result == NCCL_OK)
    result = nccl_await(state, work->comm);
  if (result != NCCL_OK)
    status = nccl_failure(state, work->comm, result, what);
  nccl_watch_end(state, work->progress, work->stream, run->site);
  pthread_mutex_unlock(&state->lock);
  if (!status && run->manner == TR_PENDING)
    *(tr_event **)run->state = device->record(device, work->stream);
  return status;
}

tessera_status nccl_finish_work(tr_world *world, const tr_job_run *run) {
  const tr_device *device = world->device;
  if (run->manner == TR_BLOCKING)
    return TESSERA_OK;
  tr_event *done = *(tr_event **)run->state;
  tr_device_follow(device, run->stream, done);
  tr_device_forget(device, done);
  return tr_device_check(device);
}
