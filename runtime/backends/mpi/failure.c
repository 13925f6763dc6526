/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How ranks hear of a failure: a rank that fails sends each other one the message, and an empty
 * message wherever one may wait for it. Whoever waits for what it does not send fails as well, and
 * tells its peers in turn. It must not know what has failed. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/mpi/state.h"

enum { NOTICE_CAPACITY = 1024, PAUSE = 500 /* microseconds */ };

/* What a failed rank knows of the others. MPI may read it until the others have heard. */
struct failure {
  char message[NOTICE_CAPACITY]; /* of the rank that failed first, as far as this one knows */
  char sent[NOTICE_CAPACITY];
  int num_heard; /* other ranks that have failed too, and so know */
  bool heard[];
};

/* ---- hearing --------------------------------------------------------------------------------- */

static failure *failure_of(mpi_state *state) {
  if (!state->failure)
    state->failure = calloc(1, sizeof(failure) + (size_t)state->ranks);
  return state->failure;
}

/* A notice has arrived from this rank. */
static void take_notice(mpi_state *state, int source) {
  char message[NOTICE_CAPACITY] = "";
  MPI_Recv(message, sizeof(message), MPI_CHAR, source, TAG_NOTICE, state->world, MPI_STATUS_IGNORE);
  message[sizeof(message) - 1] = '\0';
  failure *failure = failure_of(state);
  if (!failure || failure->heard[source])
    return;
  failure->heard[source] = true;
  failure->num_heard++;
  if (!failure->message[0])
    memcpy(failure->message, message, sizeof(message));
}

/* One thread at a time: what one has seen another must not take. */
static bool take_notices(mpi_state *state, int source) {
  int arrived = 0;
  MPI_Status status;
  pthread_mutex_lock(&state->hearing);
  bool is_there = !state->is_over &&
                  MPI_Iprobe(source, TAG_NOTICE, state->world, &arrived, &status) == MPI_SUCCESS &&
                  arrived;
  if (is_there)
    take_notice(state, status.MPI_SOURCE);
  pthread_mutex_unlock(&state->hearing);
  return is_there;
}

bool has_failed(mpi_state *state, int rank, double seconds) {
  double start = MPI_Wtime();
  do {
    take_notices(state, rank);
    if (state->failure && state->failure->heard[rank])
      return true;
  } while (MPI_Wtime() - start < seconds);
  return false;
}

tessera_status mpi_hear(tr_world *world) {
  mpi_state *state = world->state;
  if (!state->hears)
    return TESSERA_OK;
  while (take_notices(state, MPI_ANY_SOURCE))
    continue;
  pthread_mutex_lock(&state->hearing);
  bool has_heard = state->failure && state->failure->num_heard > 0;
  tessera_status status = has_heard ? peer_failure(state) : TESSERA_OK;
  pthread_mutex_unlock(&state->hearing);
  return status;
}

bool any_has_failed(mpi_state *state, const known_comm *comm) {
  while (take_notices(state, MPI_ANY_SOURCE))
    continue;
  for (int i = 0; state->failure && i < comm->size; i++)
    if (state->failure->heard[comm->members[i]])
      return true;
  return false;
}

tessera_status peer_failure(const mpi_state *state) {
  return state->host->fail(TESSERA_ERROR_PEER, "another rank failed: %s", state->failure->message);
}

/* ---- telling --------------------------------------------------------------------------------- */

/* Small messages, which MPI takes at once; nobody waits for their end. */
static void send_freely(const void *data, int bytes, int rank, int tag, MPI_Comm comm) {
  MPI_Request request;
  if (MPI_Isend(data, bytes, MPI_CHAR, rank, tag, comm, &request) == MPI_SUCCESS)
    MPI_Request_free(&request);
}

/* The notice last: where it has arrived, nothing more comes from here. */
static void tell_all(mpi_state *state, failure *failure) {
  for (const known_comm *known = state->comms; known; known = known->next)
    for (int i = 0; i < known->size; i++)
      for (int tag = TAG_SEND; known->members[i] != state->rank && tag < TAG_TRANSFER + TR_LANES;
           tag++)
        if (tag != TAG_NOTICE && tag != TAG_END)
          send_freely(NULL, 0, i, tag, known->comm);
  memcpy(failure->sent, failure->message, sizeof(failure->sent));
  for (int i = 0; i < state->ranks; i++)
    if (i != state->rank)
      send_freely(failure->sent, (int)strlen(failure->sent) + 1, i, TAG_NOTICE, state->world);
}

/* ---- ending what was begun ------------------------------------------------------------------- */

/* Receives are taken back. Sends are left to whoever drops them: both MPIs only end those that are
 * received. */
static void take_back_receives(mpi_state *state) {
  for (begun_transfer *begun = state->begun; begun; begun = begun->next)
    for (int i = 0; i < begun->num_receives; i++)
      if (begun->requests[i] != MPI_REQUEST_NULL) {
        MPI_Cancel(&begun->requests[i]);
        MPI_Wait(&begun->requests[i], MPI_STATUS_IGNORE);
      }
}

static bool are_sent(mpi_state *state) {
  bool all = true;
  for (begun_transfer *begun = state->begun; begun; begun = begun->next) {
    int sent = 0;
    MPI_Testall(begun->num_requests, begun->requests, &sent, MPI_STATUSES_IGNORE);
    all = all && sent;
  }
  return all;
}

/* Whatever other ranks have sent, so that their sends end. */
static void drop_messages(const mpi_state *state) {
  for (const known_comm *known = state->comms; known; known = known->next) {
    for (;;) {
      int arrived = 0, bytes = 0;
      MPI_Message message;
      MPI_Status status;
      if (MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, known->comm, &arrived, &message, &status) !=
              MPI_SUCCESS ||
          !arrived)
        break;
      MPI_Get_count(&status, MPI_BYTE, &bytes);
      void *data = malloc((size_t)bytes + 1);
      if (data)
        MPI_Mrecv(data, bytes, MPI_BYTE, &message, &status);
      free(data);
    }
  }
}

typedef enum goal { UNTIL_SENT, UNTIL_ALL_KNOW } goal;

/* Helps others to end until the goal is reached. False if it was not in time. */
static bool help(mpi_state *state, goal goal, double seconds) {
  double start = MPI_Wtime();
  for (;;) {
    while (take_notices(state, MPI_ANY_SOURCE))
      continue;
    drop_messages(state);
    bool is_sent = are_sent(state);
    bool all_know = state->failure && state->failure->num_heard == state->ranks - 1;
    if (is_sent && (all_know || goal == UNTIL_SENT))
      return true;
    if (MPI_Wtime() - start > seconds)
      return false;
    usleep(PAUSE);
  }
}

/* ---- the table's functions ------------------------------------------------------------------- */

/* MPI may hang when it is to end a job. The launcher ends it, too, when a rank has gone. */
static void *leave(void *data) {
  enum { PATIENCE = 3 };
  (void)data;
  sleep(PATIENCE);
  _exit(1);
}

static _Noreturn void give_up(mpi_state *state, const char *why) {
  pthread_t grave;
  fprintf(stderr, "error: rank %d: %s; the job is ended: %s\n", state->rank, why,
          state->failure ? state->failure->message : "");
  fflush(NULL);
  pthread_create(&grave, NULL, leave, NULL);
  mpi_abort(&(tr_world){.board = state->board}, NULL);
  _exit(1);
}

/* Ranks that wait for messages know at once. Others are given a moment; what is left to tell them
 * is told at the end. Memory that a message is sent from is the program's until it is sent. */
void mpi_fail(tr_world *world, const char *message) {
  static const double moment = 1, long_time = 10; /* seconds */
  mpi_state *state = world->state;
  int finalized = 0;
  MPI_Finalized(&finalized);
  pthread_mutex_lock(&state->hearing);
  failure *failure = failure_of(state);
  if (failure && !failure->message[0])
    snprintf(failure->message, sizeof(failure->message), "%s", message);
  pthread_mutex_unlock(&state->hearing);
  if (finalized || !failure)
    return;
  take_back_receives(state);
  tell_all(state, failure);
  if (help(state, UNTIL_ALL_KNOW, moment))
    return;
  if (!help(state, UNTIL_SENT, long_time))
    give_up(state, "what it has sent is not received");
}

/* Open MPI's launcher crashes, or hangs, when a rank aborts while others are inside MPI_Finalize: a
 * rank goes there when nobody is left who could abort. One that does not come in time is left to
 * MPI, which waits for it too. */
static void await_ends(mpi_state *state) {
  static const double patience = 10; /* seconds, more than ranks that take turns to abort wait */
  double start = MPI_Wtime();
  for (int i = 0; i < state->ranks; i++)
    if (i != state->rank)
      send_freely(NULL, 0, i, TAG_END, state->world);
  for (int ended = 1; ended < state->ranks && MPI_Wtime() - start < patience; usleep(PAUSE)) {
    int arrived = 0;
    MPI_Status status;
    drop_messages(state);
    while (MPI_Iprobe(MPI_ANY_SOURCE, TAG_END, state->world, &arrived, &status) == MPI_SUCCESS &&
           arrived) {
      MPI_Recv(NULL, 0, MPI_CHAR, status.MPI_SOURCE, TAG_END, state->world, MPI_STATUS_IGNORE);
      ended++;
    }
  }
}

void end_failed(mpi_state *state) {
  static const double patience = 5; /* seconds */
  if (!help(state, UNTIL_ALL_KNOW, patience))
    give_up(state,
            "others could not be told of a failure, because they wait inside MPI or compute");
  if (state->initialized_here)
    await_ends(state);
}
