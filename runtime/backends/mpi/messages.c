/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages between members: dense memory as it is, strided memory by a datatype or packed.
 * It must not know which collective they belong to. */
#include <stdlib.h>

#include "backends/mpi/state.h"

enum { TAG_TRANSFER = 1, TAG_SEND = 2 };

/* A buffered send that the receiver has not taken yet. */
struct buffered_send {
  buffered_send *next;
  MPI_Request *requests;
  int num_requests;
};

/* How one message of a transfer is done. */
struct message_plan {
  size_t bytes;
  char *data;        /* what MPI reads or writes: the view's memory, or the buffer */
  MPI_Datatype type; /* MPI_DATATYPE_NULL: bytes */
  bool is_packed;
  int first_request, num_requests;
};

/* ---- transfers ---------------------------------------------------------------------------------
 */

static size_t requests_for(size_t bytes) {
  return bytes / LARGEST_MESSAGE + 1;
}

/* Chooses for every message, and makes room for all. */
static tessera_status plan_messages(mpi_state *state, const tr_message *messages, int64_t count) {
  size_t requests = 0, packed = 0;
  if (!keep_memory(&state->plans, sizeof(message_plan) * (size_t)count))
    return no_memory(state, sizeof(message_plan) * (size_t)count);
  message_plan *plans = state->plans.data;
  for (int64_t i = 0; i < count; i++) {
    const tr_view *view = &messages[i].view;
    message_plan *plan = &plans[i];
    plan->bytes = tr_view_bytes(view);
    plan->data = view->data;
    plan->type = MPI_DATATYPE_NULL;
    plan->is_packed = !tr_view_is_dense(view);
    if (plan->is_packed) {
      plan->type = type_of_view(state, messages[i].direction, view);
      plan->is_packed = plan->type == MPI_DATATYPE_NULL;
    }
    if (plan->is_packed)
      packed += (plan->bytes + 63) / 64 * 64;
    requests += requests_for(plan->bytes);
  }
  if (!keep_memory(&state->requests, sizeof(MPI_Request) * requests) ||
      !keep_memory(&state->buffer, packed))
    return no_memory(state, packed);
  char *buffer = state->buffer.data;
  for (int64_t i = 0; i < count; i++)
    if (plans[i].is_packed) {
      plans[i].data = buffer;
      buffer += (plans[i].bytes + 63) / 64 * 64;
    }
  return TESSERA_OK;
}

static int start_part(MPI_Comm comm, const tr_message *message, void *data, int count,
                      MPI_Datatype type, MPI_Request *request) {
  return message->direction == TR_SEND
             ? MPI_Isend(data, count, type, message->peer, TAG_TRANSFER, comm, request)
             : MPI_Irecv(data, count, type, message->peer, TAG_TRANSFER, comm, request);
}

/* Starts a message, in parts that MPI's int counts can hold. `used` requests are taken already. */
static int start_message(mpi_state *state, MPI_Comm comm, const tr_message *message,
                         message_plan *plan, int *used) {
  MPI_Request *requests = (MPI_Request *)state->requests.data + *used;
  int code = MPI_SUCCESS, count = 0, parts = (int)requests_for(plan->bytes);
  if (plan->type != MPI_DATATYPE_NULL) {
    code = start_part(comm, message, plan->data, 1, plan->type, requests);
    count = code == MPI_SUCCESS;
  }
  for (; code == MPI_SUCCESS && plan->type == MPI_DATATYPE_NULL && count < parts; count++) {
    size_t done = (size_t)count * LARGEST_MESSAGE, rest = plan->bytes - done;
    int part = (int)(rest < LARGEST_MESSAGE ? rest : LARGEST_MESSAGE);
    code = start_part(comm, message, plan->data + done, part, MPI_BYTE, &requests[count]);
    if (code != MPI_SUCCESS)
      break;
  }
  plan->first_request = *used;
  plan->num_requests = count;
  *used += count;
  return code;
}

/* Receives first, so that no message has to be kept for want of a place. */
static int start_messages(mpi_state *state, MPI_Comm comm, const tr_message *messages,
                          int64_t count, int *used) {
  message_plan *plans = state->plans.data;
  int code = MPI_SUCCESS;
  for (int64_t i = 0; code == MPI_SUCCESS && i < count; i++)
    if (messages[i].direction == TR_RECEIVE)
      code = start_message(state, comm, &messages[i], &plans[i], used);
  for (int64_t i = 0; code == MPI_SUCCESS && i < count; i++) {
    if (messages[i].direction != TR_SEND)
      continue;
    if (plans[i].is_packed) {
      tr_view packed;
      tr_view_dense(plans[i].data, &messages[i].view, &packed);
      tr_view_copy(&messages[i].view, &packed);
    }
    code = start_message(state, comm, &messages[i], &plans[i], used);
  }
  return code;
}

/* Unpacks while later messages are still under way. */
static int finish_messages(mpi_state *state, const tr_message *messages, int64_t count, int used) {
  const message_plan *plans = state->plans.data;
  MPI_Request *requests = state->requests.data;
  int code = MPI_SUCCESS;
  for (int64_t i = 0; code == MPI_SUCCESS && i < count; i++) {
    if (!plans[i].is_packed || messages[i].direction != TR_RECEIVE)
      continue;
    code =
        MPI_Waitall(plans[i].num_requests, requests + plans[i].first_request, MPI_STATUSES_IGNORE);
    tr_view packed;
    tr_view_dense(plans[i].data, &messages[i].view, &packed);
    if (code == MPI_SUCCESS)
      tr_view_copy(&packed, &messages[i].view);
  }
  return code == MPI_SUCCESS ? MPI_Waitall(used, requests, MPI_STATUSES_IGNORE) : code;
}

tessera_status mpi_transfer(tr_world *world, const tr_group *group, const tessera_site *site,
                            tr_message *messages, int64_t count) {
  (void)site;
  mpi_state *state = world->state;
  tessera_status status = plan_messages(state, messages, count);
  if (status)
    return status;
  int used = 0;
  int code = start_messages(state, comm_of(group), messages, count, &used);
  if (code == MPI_SUCCESS)
    code = finish_messages(state, messages, count, used);
  return check(state, code, "an exchange of messages");
}

/* ---- sends of the program ----------------------------------------------------------------------
 */

/* Frees sends that have been received; with `wait`, all of them. */
static void retire_sends(mpi_state *state, bool wait) {
  for (buffered_send **link = &state->sends; *link;) {
    buffered_send *send = *link;
    int done = 1;
    if (wait)
      MPI_Waitall(send->num_requests, send->requests, MPI_STATUSES_IGNORE);
    else
      MPI_Testall(send->num_requests, send->requests, &done, MPI_STATUSES_IGNORE);
    if (!done) {
      link = &send->next;
      continue;
    }
    *link = send->next;
    free(send);
  }
}

tessera_status mpi_send(tr_world *world, const tr_group *group, const tessera_site *site,
                        int32_t peer, const tr_view *view) {
  (void)site;
  mpi_state *state = world->state;
  retire_sends(state, false);
  size_t bytes = tr_view_bytes(view), requests = requests_for(bytes);
  size_t header = (sizeof(buffered_send) + requests * sizeof(MPI_Request) + 63) / 64 * 64;
  buffered_send *send = malloc(header + bytes);
  if (!send)
    return no_memory(state, bytes);
  char *data = (char *)send + header;
  send->requests = (MPI_Request *)(send + 1);
  send->num_requests = 0;
  tr_view packed;
  tr_view_dense(data, view, &packed);
  tr_view_copy(view, &packed);
  int code = MPI_SUCCESS;
  for (size_t i = 0; code == MPI_SUCCESS && i < requests; i++) {
    size_t done = i * LARGEST_MESSAGE, rest = bytes - done;
    int part = (int)(rest < LARGEST_MESSAGE ? rest : LARGEST_MESSAGE);
    code = MPI_Isend(data + done, part, MPI_BYTE, peer, TAG_SEND, comm_of(group),
                     &send->requests[send->num_requests]);
    send->num_requests += code == MPI_SUCCESS;
  }
  send->next = state->sends;
  state->sends = send;
  return check(state, code, "a send");
}

void finish_sends(mpi_state *state) {
  retire_sends(state, true);
}

static tessera_status receive_parts(mpi_state *state, MPI_Comm comm, int32_t peer, char *data,
                                    size_t bytes) {
  int source = peer < 0 ? MPI_ANY_SOURCE : peer;
  for (size_t i = 0; i < requests_for(bytes); i++) {
    size_t done = i * LARGEST_MESSAGE, rest = bytes - done;
    int part = (int)(rest < LARGEST_MESSAGE ? rest : LARGEST_MESSAGE), received = 0;
    MPI_Status result;
    int code = MPI_Recv(data + done, part, MPI_BYTE, source, TAG_SEND, comm, &result);
    if (code != MPI_SUCCESS)
      return check(state, code, "a receive");
    MPI_Get_count(&result, MPI_BYTE, &received);
    if (received != part)
      return state->host->fail(TESSERA_ERROR_MISMATCH,
                               "pieces do not fit: member %d sent %d bytes where %d were expected",
                               result.MPI_SOURCE, received, part);
    source = result.MPI_SOURCE;
  }
  return TESSERA_OK;
}

tessera_status mpi_receive(tr_world *world, const tr_group *group, const tessera_site *site,
                           int32_t peer, const tr_view *view) {
  (void)site;
  mpi_state *state = world->state;
  retire_sends(state, false);
  tr_view packed;
  tr_view_assign(&packed, view);
  if (!tr_view_is_dense(view)) {
    if (!keep_memory(&state->buffer, tr_view_bytes(view)))
      return no_memory(state, tr_view_bytes(view));
    tr_view_dense(state->buffer.data, view, &packed);
  }
  tessera_status status =
      receive_parts(state, comm_of(group), peer, packed.data, tr_view_bytes(view));
  if (!status)
    tr_view_copy(&packed, view);
  return status;
}
