/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How a rank waits for messages. MPICH looks for them until they come, and its rank keeps its core
 * as long as the system lets it: where ranks share cores, whoever has to send gets it at once. It
 * must not know what is in messages. */
#include <sched.h>

#include "backends/mpi/state.h"

int await_request(const mpi_state *state, MPI_Request *request, MPI_Status *status) {
  int code = MPI_SUCCESS, is_done = 0;
  if (!state->is_crowded)
    return MPI_Wait(request, status);
  while ((code = MPI_Test(request, &is_done, status)) == MPI_SUCCESS && !is_done)
    sched_yield();
  return code;
}

int await_all(const mpi_state *state, int num, MPI_Request *requests) {
  int code = MPI_SUCCESS;
  if (!state->is_crowded)
    return MPI_Waitall(num, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; code == MPI_SUCCESS && i < num; i++)
    code = await_request(state, &requests[i], MPI_STATUS_IGNORE);
  return code;
}

int receive(const mpi_state *state, void *in, int bytes, int from, int tag, MPI_Comm comm,
            MPI_Status *received) {
  MPI_Request request;
  if (!state->is_crowded)
    return MPI_Recv(in, bytes, MPI_BYTE, from, tag, comm, received);
  int code = MPI_Irecv(in, bytes, MPI_BYTE, from, tag, comm, &request);
  return code == MPI_SUCCESS ? await_request(state, &request, received) : code;
}

int pass_on(const mpi_state *state, const void *out, int to, void *in, int from, int bytes, int tag,
            MPI_Comm comm, MPI_Status *received) {
  MPI_Request requests[2];
  if (!state->is_crowded)
    return MPI_Sendrecv(out, bytes, MPI_BYTE, to, tag, in, bytes, MPI_BYTE, from, tag, comm,
                        received);
  int code = MPI_Isend(out, bytes, MPI_BYTE, to, tag, comm, &requests[0]);
  if (code != MPI_SUCCESS)
    return code;
  code = MPI_Irecv(in, bytes, MPI_BYTE, from, tag, comm, &requests[1]);
  if (code == MPI_SUCCESS)
    code = await_request(state, &requests[1], received);
  int sent = await_request(state, &requests[0], MPI_STATUS_IGNORE); /* of the caller's memory */
  return code == MPI_SUCCESS ? sent : code;
}
