/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The end of the host program's MPI while a context still uses it: MPI_Finalize deletes the
 * attributes of MPI_COMM_SELF before all else (MPI 3.1, 8.7.1). It must not know what is called
 * later. */
#include "backends/mpi/state.h"
#include "watch/board.h"

static int note_end(MPI_Comm self, int key, void *attribute, void *extra) {
  mpi_state *state = attribute;
  (void)self;
  (void)key;
  (void)extra;
  pthread_mutex_lock(&state->hearing); /* no other thread is in a call of MPI, nor will be */
  pthread_mutex_lock(&state->speaking);
  state->is_over = true;
  pthread_mutex_unlock(&state->speaking);
  pthread_mutex_unlock(&state->hearing);
  if (state->seat) /* it may go on without MPI, and end as it likes */
    atomic_store(&state->seat->state, TR_SEAT_ENDED);
  for (known_comm *comm = state->comms; comm; comm = comm->next)
    comm->due = 0; /* so that the next call asks */
  return MPI_SUCCESS;
}

int mpi_notice_end(mpi_state *state) {
  int code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note_end, &state->end_key, NULL);
  return code == MPI_SUCCESS ? MPI_Comm_set_attr(MPI_COMM_SELF, state->end_key, state) : code;
}

void mpi_ignore_end(mpi_state *state) {
  if (state->end_key == MPI_KEYVAL_INVALID)
    return;
  state->seat = NULL;
  MPI_Comm_delete_attr(MPI_COMM_SELF, state->end_key);
  MPI_Comm_free_keyval(&state->end_key);
}

tessera_status mpi_is_over(const mpi_state *state) {
  return state->is_over
             ? state->host->fail(TESSERA_ERROR_INVALID_ARGUMENT,
                                 "MPI has ended before the context that uses it: expected "
                                 "tessera_finalize, and then MPI_Finalize")
             : TESSERA_OK;
}
