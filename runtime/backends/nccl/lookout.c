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

/* ---- work under way -------------------------------------------------------------------------- */

static piece *piece_at(progress *progress, uint32_t number) {
  return &progress->pieces[(progress->first + number) % PIECES];
}

/* The program may be gone when somebody asks. */
static void note_place(const tessera_site *site, char *text, size_t capacity) {
  const char *parts[] = {"'", site->name, "'", site->location[0] ? " at " : "", site->location};
  size_t used = 0;
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
    for (const char *at = parts[i]; *at && used + 1 < capacity; at++)
      text[used++] = *at;
  text[used] = '\0';
}

static void drop_piece(const tr_device *device, progress *progress) {
  const piece *piece = piece_at(progress, 0);
  tr_device_forget(device, piece->before);
  tr_device_forget(device, piece->after);
  progress->first = (progress->first + 1) % PIECES;
  progress->count--;
}

static void drop_finished(const tr_device *device, progress *progress) {
  while (progress->count > 0 && piece_at(progress, 0)->after &&
         device->has_come(device, piece_at(progress, 0)->after))
    drop_piece(device, progress);
}

/* Where there is no more room, the last piece has this work as well. */
void nccl_watch_begin(nccl_state *state, progress *progress, void *stream) {
  if (progress->count == PIECES)
    drop_finished(state->device, progress);
  if (progress->count == PIECES)
    return;
  piece *piece = piece_at(progress, progress->count++);
  piece->before = state->device->record(state->device, stream);
  piece->after = NULL;
  piece->since = 0;
  piece->place[0] = '\0';
}

void nccl_watch_end(nccl_state *state, progress *progress, void *stream, const tessera_site *site) {
  if (progress->count == 0) /* the last piece, which was to have it, is done */
    progress->pieces[progress->first] = (struct piece){0};
  progress->count += progress->count == 0;
  piece *piece = piece_at(progress, progress->count - 1);
  tr_device_forget(state->device, piece->after);
  piece->after = state->device->record(state->device, stream);
  note_place(site, piece->place, sizeof(piece->place));
}

/* Patience is for others to come: what the stream had to do before counts for nothing. */
static void look_at_stream(nccl_state *state, progress *progress) {
  const tr_device *device = state->device;
  drop_finished(device, progress);
  piece *piece = piece_at(progress, 0);
  if (state->failure || progress->count == 0 || !piece->after ||
      (piece->before && !device->has_come(device, piece->before)))
    return;
  if (piece->since == 0)
    piece->since = nccl_now();
  if (state->host->patience <= 0 || nccl_now() - piece->since <= state->host->patience)
    return;
  char message[512];
  snprintf(message, sizeof(message),
           "the GPU of rank %d has waited for %g s in %s: not all ranks of the group have come; "
           "TESSERA_TIMEOUT says how long ranks wait, and 0 for ever",
           state->base.rank, state->host->patience, piece->place);
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
  return pthread_create(&state->lookout, NULL, run, state) == 0;
}

void nccl_stop_lookout(nccl_state *state) {
  pthread_mutex_lock(&state->lock);
  state->is_ending = true;
  pthread_cond_signal(&state->wake);
  pthread_mutex_unlock(&state->lock);
  pthread_join(state->lookout, NULL);
  for (int i = 0; i < NUM_STREAMS; i++)
    while (state->streams[i].count > 0)
      drop_piece(state->device, &state->streams[i]);
}
