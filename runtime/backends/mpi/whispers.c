/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Words that watches of several hosts say to each other, as small messages that nobody waits for.
 * It must not know what they say. */
#include <stdlib.h>
#include <string.h>

#include "backends/mpi/state.h"

/* One that MPI may still read. */
struct told_word {
  told_word *next;
  MPI_Request request;
  char data[TR_WORD_BYTES];
};

enum { MOST_WORDS = 4096 }; /* on their way: those to hosts that are gone stay */

/* Frees those that have gone, and counts the others. */
static int sweep(mpi_state *state) {
  int left = 0;
  for (told_word **link = &state->words, *word; (word = *link);) {
    int is_sent = 0;
    if (MPI_Test(&word->request, &is_sent, MPI_STATUS_IGNORE) == MPI_SUCCESS && !is_sent) {
      link = &word->next;
      left++;
      continue;
    }
    *link = word->next;
    free(word);
  }
  return left;
}

/* The host program may have ended MPI while the watch still has words to say, or end it now: it
 * waits for `speaking`. */
static bool can_speak(const mpi_state *state) {
  return state->hears && !state->is_over;
}

static void tell(mpi_state *state, int32_t rank, const void *data, size_t bytes) {
  if (!can_speak(state) || bytes > TR_WORD_BYTES || sweep(state) >= MOST_WORDS)
    return;
  told_word *word = malloc(sizeof(*word));
  if (!word)
    return;
  memcpy(word->data, data, bytes);
  if (MPI_Isend(word->data, (int)bytes, MPI_BYTE, rank, TAG_WORD, state->world, &word->request) !=
      MPI_SUCCESS) {
    free(word);
    return;
  }
  word->next = state->words;
  state->words = word;
}

void mpi_tell(tr_world *world, int32_t rank, const void *data, size_t bytes) {
  mpi_state *state = world->state;
  pthread_mutex_lock(&state->speaking);
  tell(state, rank, data, bytes);
  pthread_mutex_unlock(&state->speaking);
}

/* Small messages are here as a whole when MPI knows of them. */
static size_t take_word(mpi_state *state, int32_t *rank, void *data) {
  int arrived = 0, bytes = 0;
  MPI_Message message;
  MPI_Status status;
  if (!can_speak(state) ||
      MPI_Improbe(MPI_ANY_SOURCE, TAG_WORD, state->world, &arrived, &message, &status) !=
          MPI_SUCCESS ||
      !arrived)
    return 0;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  *rank = status.MPI_SOURCE;
  return MPI_Mrecv(data, bytes, MPI_BYTE, &message, &status) == MPI_SUCCESS ? (size_t)bytes : 0;
}

size_t mpi_listen(tr_world *world, int32_t *rank, void *data) {
  mpi_state *state = world->state;
  pthread_mutex_lock(&state->speaking);
  size_t bytes = take_word(state, rank, data);
  pthread_mutex_unlock(&state->speaking);
  return bytes;
}

/* Both MPIs end with small messages that nobody has received. */
void drop_words(mpi_state *state) {
  char data[TR_WORD_BYTES];
  int32_t rank;
  while (take_word(state, &rank, data) > 0)
    continue;
  sweep(state);
  for (told_word *word = state->words; word; word = word->next)
    if (word->request != MPI_REQUEST_NULL)
      MPI_Request_free(&word->request);
}

void forget_words(mpi_state *state) {
  for (told_word *word = state->words, *next; word; word = next) {
    next = word->next;
    free(word);
  }
  state->words = NULL;
}
