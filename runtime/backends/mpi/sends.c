/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Sends of the program: buffered until their receiver takes them, and found if nobody does.
 * It must not know collectives. */
#include <sched.h>
#include <stdlib.h>

#include "backends/mpi/state.h"
#include "planes/call_account.h"

/* A buffered send that the receiver has not taken yet. */
struct buffered_send {
  buffered_send *next;
  tr_kept_site kept;
  int32_t receiver; /* its rank */
  MPI_Request *requests;
  int num_requests;
};

/* Frees sends that have been received. */
static void retire_sends(mpi_state *state) {
  for (buffered_send **link = &state->sends; *link;) {
    buffered_send *send = *link;
    int done = 0;
    MPI_Testall(send->num_requests, send->requests, &done, MPI_STATUSES_IGNORE);
    if (!done) {
      link = &send->next;
      continue;
    }
    *link = send->next;
    free(send);
  }
}

static buffered_send *create_send(size_t bytes, char **data) {
  size_t header = sizeof(buffered_send) + parts_of(bytes) * sizeof(MPI_Request);
  header = (header + 63) / 64 * 64;
  buffered_send *send = malloc(header + bytes);
  if (!send)
    return NULL;
  send->requests = (MPI_Request *)(send + 1);
  send->num_requests = 0;
  *data = (char *)send + header;
  return send;
}

/* Synchronous sends, which are not done before they are received: MPI keeps small messages of other
 * sends itself, and what nobody took would not be seen. */
tessera_status mpi_send(tr_world *world, const tr_group *group, const tessera_site *site,
                        int32_t peer, const tr_view *view) {
  mpi_state *state = world->state;
  retire_sends(state);
  char *data;
  size_t bytes = tr_view_bytes(view);
  buffered_send *send = create_send(bytes, &data);
  if (!send)
    return no_memory(state, bytes);
  tr_keep_site(site, &send->kept);
  send->receiver = group->members[peer];
  tr_view packed;
  tr_copy copy;
  tr_view_dense(data, view, &packed);
  tr_view_plan_copy(view, &packed, &copy);
  world->device->download(world->device, NULL, &copy, view->data, data);
  tessera_status status = tr_device_settle(world->device, NULL);
  if (status) {
    free(send);
    return status;
  }
  int code = MPI_SUCCESS;
  for (size_t i = 0; code == MPI_SUCCESS && i < parts_of(bytes); i++) {
    code = MPI_Issend(data + i * LARGEST_MESSAGE, part_of(bytes, i), MPI_BYTE, peer, TAG_SEND,
                      comm_of(group), &send->requests[send->num_requests]);
    send->num_requests += code == MPI_SUCCESS;
  }
  send->next = state->sends;
  state->sends = send;
  return check(state, code, "a send");
}

static tessera_status receive_parts(mpi_state *state, const known_comm *comm, int32_t peer,
                                    char *data, size_t bytes) {
  int source = peer < 0 ? MPI_ANY_SOURCE : peer;
  tessera_status status = TESSERA_OK;
  for (size_t i = 0; !status && i < parts_of(bytes); i++) {
    MPI_Status received;
    int part = part_of(bytes, i);
    int code =
        receive(state, data + i * LARGEST_MESSAGE, part, source, TAG_SEND, comm->comm, &received);
    status = check_received(state, comm, code, &received, part);
    source = received.MPI_SOURCE;
  }
  return status;
}

static tessera_status unpack(const tr_device *device, const char *packed, const tr_view *view) {
  tr_view dense;
  tr_copy copy;
  tr_view_dense(NULL, view, &dense);
  tr_view_plan_copy(&dense, view, &copy);
  device->upload(device, NULL, &copy, packed, view->data);
  return tr_device_settle(device, NULL);
}

tessera_status mpi_receive(tr_world *world, const tr_group *group, const tessera_site *site,
                           int32_t peer, const tr_view *view) {
  (void)site;
  mpi_state *state = world->state;
  retire_sends(state);
  size_t bytes = tr_view_bytes(view);
  if (tr_view_is_dense(view))
    return receive_parts(state, group->handle, peer, tr_device_reach(world->device, view->data),
                         bytes);
  char *packed = malloc(bytes);
  if (!packed)
    return no_memory(state, bytes);
  tessera_status status = receive_parts(state, group->handle, peer, packed, bytes);
  if (!status)
    status = unpack(world->device, packed, view);
  free(packed);
  return status;
}

/* ---- sends that nobody received
 * ------------------------------------------------------------------
 */

/* Receives whatever the program left, and forgets it. */
static int drop_arrivals(const mpi_state *state) {
  int code = MPI_SUCCESS;
  for (const known_comm *known = state->comms; code == MPI_SUCCESS && known; known = known->next) {
    int arrived = 0, bytes = 0;
    MPI_Status status;
    code = MPI_Iprobe(MPI_ANY_SOURCE, TAG_SEND, known->comm, &arrived, &status);
    if (code != MPI_SUCCESS || !arrived)
      continue;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    void *data = malloc((size_t)bytes + 1);
    if (!data)
      return MPI_ERR_NO_MEM;
    code = MPI_Recv(data, bytes, MPI_BYTE, status.MPI_SOURCE, TAG_SEND, known->comm, &status);
    free(data);
  }
  return code;
}

typedef enum arrivals { ARRIVALS_STAY, ARRIVALS_DROP } arrivals;

/* Until every rank's sends are received, or stay where they are for longer than any answer takes.
 * A rank says so by entering a barrier, and helps the others until all have. */
static int finish_sends(mpi_state *state, arrivals arrivals) {
  static const double patience = 1; /* seconds */
  MPI_Request barrier = MPI_REQUEST_NULL;
  double start = MPI_Wtime();
  bool has_entered = false;
  int code = MPI_SUCCESS, all_have = 0;
  while (code == MPI_SUCCESS && !all_have) {
    retire_sends(state);
    if (arrivals == ARRIVALS_DROP)
      code = drop_arrivals(state);
    bool gives_up = arrivals == ARRIVALS_STAY && MPI_Wtime() - start > patience;
    if (code == MPI_SUCCESS && !has_entered && (!state->sends || gives_up)) {
      code = MPI_Ibarrier(state->world, &barrier);
      has_entered = true;
    }
    if (code == MPI_SUCCESS && has_entered)
      code = MPI_Test(&barrier, &all_have, MPI_STATUS_IGNORE);
    if (!all_have)
      sched_yield();
  }
  return code;
}

static tessera_status report_unreceived(const mpi_state *state, int32_t rank) {
  const buffered_send *send = state->sends;
  while (send->next) /* the first one that was sent */
    send = send->next;
  char place[192];
  tr_account_place(&send->kept.site, place, sizeof(place));
  return state->host->fail(TESSERA_ERROR_MISMATCH, "%s: rank %d never received what rank %d sent",
                           place, send->receiver, rank);
}

tessera_status settle_sends(tr_world *world, int *any_left) {
  mpi_state *state = world->state;
  int code = finish_sends(state, ARRIVALS_STAY);
  tessera_status status = TESSERA_OK;
  if (code == MPI_SUCCESS && state->sends)
    status = report_unreceived(state, world->rank);
  *any_left = state->sends != NULL;
  if (code == MPI_SUCCESS)
    code = MPI_Allreduce(MPI_IN_PLACE, any_left, 1, MPI_INT, MPI_MAX, state->world);
  if (code == MPI_SUCCESS && *any_left)
    code = finish_sends(state, ARRIVALS_DROP);
  return status ? status : check(state, code, "the end of a call");
}
