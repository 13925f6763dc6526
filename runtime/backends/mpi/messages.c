/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages between members: dense memory as it is, strided memory by a datatype or packed.
 * It must not know which collective they belong to. */
#include "backends/mpi/state.h"

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
    requests += parts_of(plan->bytes);
  }
  if (!keep_memory(&state->requests, sizeof(MPI_Request) * requests) ||
      !keep_memory(&state->statuses, sizeof(MPI_Status) * requests) ||
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
  int code = MPI_SUCCESS, count = 0, parts = (int)parts_of(plan->bytes);
  if (plan->type != MPI_DATATYPE_NULL) {
    code = start_part(comm, message, plan->data, 1, plan->type, requests);
    count = code == MPI_SUCCESS;
  }
  for (; code == MPI_SUCCESS && plan->type == MPI_DATATYPE_NULL && count < parts; count++) {
    code = start_part(comm, message, plan->data + (size_t)count * LARGEST_MESSAGE,
                      part_of(plan->bytes, (size_t)count), MPI_BYTE, &requests[count]);
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

/* Both MPIs take a message that is shorter than its place for a good one. */
tessera_status check_received(const mpi_state *state, const known_comm *comm, int code,
                              const MPI_Status *received, int expected) {
  int class = MPI_SUCCESS, bytes = 0;
  MPI_Error_class(code, &class);
  if (class == MPI_ERR_TRUNCATE)
    return state->host->fail(TESSERA_ERROR_MISMATCH,
                             "pieces do not fit: more than the %d bytes arrived that were expected",
                             expected);
  if (code != MPI_SUCCESS)
    return check(state, code, "a receive");
  MPI_Get_count(received, MPI_BYTE, &bytes);
  if (bytes == expected)
    return TESSERA_OK;
  return state->host->fail(TESSERA_ERROR_MISMATCH,
                           "pieces do not fit: rank %d sent %d bytes where %d were expected",
                           comm->members[received->MPI_SOURCE], bytes, expected);
}

/* One received message, all of whose parts are there. */
static tessera_status check_message(const mpi_state *state, const known_comm *comm,
                                    const message_plan *plan, int code) {
  const MPI_Status *statuses = (const MPI_Status *)state->statuses.data + plan->first_request;
  tessera_status status = TESSERA_OK;
  for (int i = 0; !status && i < plan->num_requests; i++) {
    bool is_whole = plan->type != MPI_DATATYPE_NULL;
    status =
        check_received(state, comm, code == MPI_ERR_IN_STATUS ? statuses[i].MPI_ERROR : code,
                       &statuses[i], is_whole ? (int)plan->bytes : part_of(plan->bytes, (size_t)i));
  }
  return status;
}

/* Unpacks while later messages are still under way. */
static tessera_status finish_packed(mpi_state *state, const known_comm *comm,
                                    const tr_message *message, const message_plan *plan) {
  int first = plan->first_request;
  int code = MPI_Waitall(plan->num_requests, (MPI_Request *)state->requests.data + first,
                         (MPI_Status *)state->statuses.data + first);
  tessera_status status = check_message(state, comm, plan, code);
  tr_view packed;
  tr_view_dense(plan->data, &message->view, &packed);
  if (!status)
    tr_view_copy(&packed, &message->view);
  return status;
}

static tessera_status finish_messages(mpi_state *state, const known_comm *comm,
                                      const tr_message *messages, int64_t count, int used) {
  const message_plan *plans = state->plans.data;
  tessera_status status = TESSERA_OK;
  for (int64_t i = 0; !status && i < count; i++)
    if (plans[i].is_packed && messages[i].direction == TR_RECEIVE)
      status = finish_packed(state, comm, &messages[i], &plans[i]);
  if (status)
    return status;
  int code = MPI_Waitall(used, state->requests.data, state->statuses.data);
  for (int64_t i = 0; !status && i < count; i++)
    if (!plans[i].is_packed && messages[i].direction == TR_RECEIVE)
      status = check_message(state, comm, &plans[i], code);
  return status ? status : check(state, code, "an exchange of messages");
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
  return code == MPI_SUCCESS ? finish_messages(state, group->handle, messages, count, used)
                             : check(state, code, "an exchange of messages");
}
