/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages between members: dense memory as it is, strided memory by a datatype or packed.
 * It must not know which collective they belong to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/mpi/state.h"
#include "planes/own_copies.h"

enum { PACKED_ALIGNMENT = 64 };

/* Up to so many bytes are packed and copied before messages, in one call of MPI's. Longer messages
 * of Open MPI wait for their receiver, which is when to copy. */
#if defined(OPEN_MPI)
enum { MOST_COPIED_FIRST = 1 << 11 };
#else
enum { MOST_COPIED_FIRST = 1 << 13 };
#endif

/* Memory of a message that is not dense. */
typedef struct strided {
  tr_view view; /* but for its data */
  tr_copy copy; /* to dense memory, of one that is sent; from there, of one that is received */
} strided;

/* How one message of a transfer is done. */
typedef struct planned_message {
  tr_direction direction;
  int32_t peer;
  size_t bytes;
  char *data;       /* a place */
  strided *strided; /* in the transfer's memory; NULL: its memory is dense */
  bool is_typed;    /* sent or received by `type`; else strided memory is packed */
  known_type type;
  size_t offset; /* in scratch memory, if packed */
  int first_request, num_requests;
} planned_message;

/* A job. Receives first, so that no message has to be kept for want of a place. */
typedef struct transfer {
  tr_job job;
  int64_t num_copies;
  tr_own_copy *copies; /* in the same memory */
  size_t copied;       /* bytes */
  int64_t num_strided;
  strided *strided; /* in the same memory */
  int64_t count, num_receives;
  int num_requests;
  bool is_brief; /* one message, or a receive and a send: MPI does it in one call that blocks */
  size_t packed; /* bytes */
  planned_message messages[];
} transfer;

static inline bool is_packed(const planned_message *message) {
  return message->strided && !message->is_typed;
}

/* ---- planning -------------------------------------------------------------------------------- */

static size_t room_of(const planned_message *message) {
  return (message->bytes + PACKED_ALIGNMENT - 1) / PACKED_ALIGNMENT * PACKED_ALIGNMENT;
}

static void plan_strided(mpi_state *state, const tr_view *view, planned_message *planned,
                         transfer *plan) {
  strided *strided = &plan->strided[plan->num_strided++];
  bool is_sent = planned->direction == TR_SEND;
  tr_view packed;
  tr_view_assign(&strided->view, view);
  tr_view_dense(NULL, view, &packed);
  tr_view_plan_copy(is_sent ? view : &packed, is_sent ? &packed : view, &strided->copy);
  planned->strided = strided;
  planned->is_typed = prefers_type(state, planned->direction, view) &&
                      type_of_view(state, view, &planned->type) != MPI_DATATYPE_NULL;
  if (planned->is_typed)
    return;
  plan->job.scratch_bytes += room_of(planned);
  plan->packed += planned->bytes;
}

static void plan_message(mpi_state *state, const tr_message *message, transfer *plan) {
  planned_message *planned = &plan->messages[plan->count++];
  *planned = (planned_message){.direction = message->direction,
                               .peer = message->peer,
                               .bytes = tr_view_bytes(&message->view),
                               .data = message->view.data,
                               .first_request = plan->num_requests,
                               .offset = plan->job.scratch_bytes};
  if (!tr_view_is_dense(&message->view))
    plan_strided(state, &message->view, planned, plan);
  planned->num_requests = planned->is_typed ? 1 : (int)parts_of(planned->bytes);
  plan->num_requests += planned->num_requests;
}

/* Not where ranks share cores: such a call keeps its own (waits.c). */
static bool is_brief(const mpi_state *state, const transfer *plan) {
  bool is_single = plan->count == 1, is_pair = plan->count == 2 && plan->num_receives == 1;
  return !state->is_crowded && (is_single || is_pair) && plan->num_requests == plan->count &&
         plan->packed + plan->copied <= MOST_COPIED_FIRST;
}

/* Chooses for every message, and makes room for all. */
static void fill_transfer(mpi_state *state, const tr_group *group, const tr_message *messages,
                          int64_t count, transfer *plan) {
  for (int64_t i = 0; i < count; i++)
    if (messages[i].direction == TR_RECEIVE && messages[i].peer != group->self)
      plan_message(state, &messages[i], plan);
  plan->num_receives = plan->count;
  for (int64_t i = 0; i < count; i++)
    if (messages[i].direction == TR_SEND && messages[i].peer != group->self)
      plan_message(state, &messages[i], plan);
  plan->copied = tr_own_copies_plan(group, messages, plan->num_copies, plan->copies);
  plan->is_brief = is_brief(state, plan);
  plan->job.state_bytes = sizeof(begun_transfer) + sizeof(MPI_Request) * (size_t)plan->num_requests;
}

/* ---- starting -------------------------------------------------------------------------------- */

/* A message as MPI is given it; of bytes, in parts that its int counts can hold. */
typedef struct wire {
  char *data;
  MPI_Datatype type; /* MPI_DATATYPE_NULL: there is no memory */
} wire;

static inline MPI_Request *requests_of(const tr_job_run *run) {
  return ((begun_transfer *)run->state)->requests;
}

static inline char *address_of(const planned_message *message, const tr_job_run *run) {
  return tr_resolve(run->bases, message->data);
}

/* Types that were not used for long are given back, and made again here. */
static wire put_strided(tr_world *world, const tr_job_run *run, planned_message *message) {
  const tr_device *device = world->device;
  if (message->is_typed)
    return (wire){tr_device_reach(device, address_of(message, run)),
                  type_of_view(world->state, &message->strided->view, &message->type)};
  char *packed = run->scratch + message->offset;
  if (message->direction == TR_SEND) {
    device->copy(device, run->stream, &message->strided->copy, address_of(message, run), packed);
    tr_device_settle(device, run->stream);
  }
  return (wire){tr_device_reach(device, packed), MPI_BYTE};
}

static inline wire put_on_wire(tr_world *world, const tr_job_run *run, planned_message *message) {
  return message->strided
             ? put_strided(world, run, message)
             : (wire){tr_device_reach(world->device, address_of(message, run)), MPI_BYTE};
}

static inline int count_of(const planned_message *message, int part) {
  return message->is_typed ? 1 : part_of(message->bytes, (size_t)part);
}

static int start_message(tr_world *world, const tr_job_run *run, planned_message *message) {
  MPI_Request *requests = requests_of(run) + message->first_request;
  MPI_Comm comm = comm_of(run->group);
  wire wire = put_on_wire(world, run, message);
  int code = wire.type == MPI_DATATYPE_NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
  for (int i = 0; code == MPI_SUCCESS && i < message->num_requests; i++) {
    char *data = wire.data + (size_t)i * LARGEST_MESSAGE;
    int count = count_of(message, i);
    code = message->direction == TR_SEND
               ? MPI_Isend(data, count, wire.type, message->peer, tag_of(run), comm, &requests[i])
               : MPI_Irecv(data, count, wire.type, message->peer, tag_of(run), comm, &requests[i]);
  }
  return code;
}

/* ---- finishing ------------------------------------------------------------------------------- */

/* A rank that has failed sends an empty message after all others: one that was expected to be empty
 * is not that if another is behind it. */
static bool has_more(const known_comm *comm, const MPI_Status *received) {
  int more = 0;
  MPI_Iprobe(received->MPI_SOURCE, received->MPI_TAG, comm->comm, &more, MPI_STATUS_IGNORE);
  return more;
}

/* MPI need not say whose message did not fit. */
static tessera_status report_longer(const mpi_state *state, const known_comm *comm, int source,
                                    int expected) {
  char who[32] = "another rank";
  if (source >= 0 && source < comm->size)
    snprintf(who, sizeof(who), "rank %d", comm->members[source]);
  return state->host->fail(TESSERA_ERROR_MISMATCH,
                           "pieces do not fit: %s sent more than the %d bytes that were expected",
                           who, expected);
}

static tessera_status report_received(mpi_state *state, const known_comm *comm, int code,
                                      const MPI_Status *received, int bytes, int expected) {
  static const double arrival = 2; /* seconds, of the notice that follows */
  int class = MPI_SUCCESS;
  if (code == MPI_SUCCESS && bytes == 0 &&
      has_failed(state, comm->members[received->MPI_SOURCE], expected > 0 ? arrival : 0) &&
      !(expected == 0 && has_more(comm, received)))
    return peer_failure(state);
  if (code == MPI_SUCCESS && bytes == expected)
    return TESSERA_OK;
  MPI_Error_class(code, &class);
  if (class == MPI_ERR_TRUNCATE)
    return report_longer(state, comm, received->MPI_SOURCE, expected);
  if (code != MPI_SUCCESS)
    return check(state, code, "a receive");
  return state->host->fail(TESSERA_ERROR_MISMATCH,
                           "pieces do not fit: rank %d sent %d bytes where %d were expected",
                           comm->members[received->MPI_SOURCE], bytes, expected);
}

/* Both MPIs take a message that is shorter than its place for a good one. */
tessera_status check_received(mpi_state *state, const known_comm *comm, int code,
                              const MPI_Status *received, int expected) {
  int bytes = 0;
  if (code == MPI_SUCCESS)
    MPI_Get_count(received, MPI_BYTE, &bytes);
  return code == MPI_SUCCESS && bytes == expected && bytes > 0
             ? TESSERA_OK
             : report_received(state, comm, code, received, bytes, expected);
}

static void unpack(const tr_world *world, const tr_job_run *run, const planned_message *message) {
  world->device->copy(world->device, run->stream, &message->strided->copy,
                      run->scratch + message->offset, address_of(message, run));
}

/* Unpacks while later messages are still under way. */
static tessera_status finish_receive(const tr_world *world, const tr_job_run *run,
                                     const planned_message *message) {
  MPI_Request *requests = requests_of(run) + message->first_request;
  tessera_status status = TESSERA_OK;
  for (int i = 0; !status && i < message->num_requests; i++) {
    MPI_Status received = {.MPI_SOURCE = MPI_ANY_SOURCE};
    int bytes = message->is_typed ? (int)message->bytes : part_of(message->bytes, (size_t)i);
    int code = await_request(world->state, &requests[i], &received);
    status = check_received(world->state, run->group->handle, code, &received, bytes);
  }
  if (!status && is_packed(message))
    unpack(world, run, message);
  return status;
}

/* Messages are received one by one: Open MPI's MPI_Waitall may wait for ever where one of them is
 * too long. */
static tessera_status finish_messages(const tr_world *world, const tr_job_run *run,
                                      const transfer *plan) {
  tessera_status status = TESSERA_OK;
  for (int64_t i = 0; !status && i < plan->num_receives; i++)
    status = finish_receive(world, run, &plan->messages[i]);
  if (status || plan->num_receives == plan->count)
    return status;
  int first = plan->messages[plan->num_receives].first_request;
  int code = await_all(world->state, plan->num_requests - first, requests_of(run) + first);
  return check(world->state, code, "an exchange of messages");
}

/* ---- in one call ----------------------------------------------------------------------------- */

static tessera_status do_send(tr_world *world, const tr_job_run *run, planned_message *send) {
  wire from = put_on_wire(world, run, send);
  if (from.type == MPI_DATATYPE_NULL)
    return no_memory(world->state, send->bytes);
  int code = MPI_Send(from.data, count_of(send, 0), from.type, send->peer, tag_of(run),
                      comm_of(run->group));
  return code == MPI_SUCCESS ? TESSERA_OK : check(world->state, code, "MPI_Send");
}

/* `send` is NULL where nothing is sent. */
static tessera_status do_receive(tr_world *world, const tr_job_run *run, planned_message *receive,
                                 planned_message *send) {
  const known_comm *comm = run->group->handle;
  MPI_Status received = {.MPI_SOURCE = MPI_ANY_SOURCE};
  wire to = put_on_wire(world, run, receive), from = {NULL, MPI_BYTE};
  if (send)
    from = put_on_wire(world, run, send);
  if (to.type == MPI_DATATYPE_NULL || from.type == MPI_DATATYPE_NULL)
    return no_memory(world->state, receive->bytes);
  int count = count_of(receive, 0), tag = tag_of(run);
  int code = send ? MPI_Sendrecv(from.data, count_of(send, 0), from.type, send->peer, tag, to.data,
                                 count, to.type, receive->peer, tag, comm->comm, &received)
                  : MPI_Recv(to.data, count, to.type, receive->peer, tag, comm->comm, &received);
  tessera_status status = check_received(world->state, comm, code, &received, (int)receive->bytes);
  if (!status && is_packed(receive))
    unpack(world, run, receive);
  return status;
}

/* MPI spends less on a call that waits than on a request for each message. */
static tessera_status do_briefly(tr_world *world, const tr_job_run *run, transfer *plan) {
  planned_message *first = &plan->messages[0];
  if (plan->num_receives == 0)
    return do_send(world, run, first);
  return do_receive(world, run, first, plan->count == 2 ? first + 1 : NULL);
}

static inline bool goes_briefly(const transfer *plan, const tr_job_run *run) {
  return plan->is_brief && run->manner == TR_BLOCKING;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void begin(mpi_state *state, const transfer *plan, begun_transfer *begun) {
  begun->next = state->begun;
  begun->link = &state->begun;
  if (begun->next)
    begun->next->link = &begun->next;
  state->begun = begun;
  begun->num_requests = plan->num_requests;
  begun->num_receives = plan->num_receives < plan->count
                            ? plan->messages[plan->num_receives].first_request
                            : plan->num_requests;
  for (int i = 0; i < plan->num_requests; i++)
    begun->requests[i] = MPI_REQUEST_NULL;
}

static void end(begun_transfer *begun) {
  *begun->link = begun->next;
  if (begun->next)
    begun->next->link = begun->link;
}

static tessera_status start_transfer(tr_world *world, const tr_job_run *run) {
  transfer *plan = (transfer *)run->job;
  int code = MPI_SUCCESS;
  if (goes_briefly(plan, run)) {
    tr_own_copies_do(world, run, plan->num_copies, plan->copies);
    return do_briefly(world, run, plan);
  }
  begin(world->state, plan, run->state);
  for (int64_t i = 0; code == MPI_SUCCESS && i < plan->count; i++)
    code = start_message(world, run, &plan->messages[i]);
  tr_own_copies_do(world, run, plan->num_copies, plan->copies);
  return check(world->state, code, "an exchange of messages");
}

static tessera_status finish_transfer(tr_world *world, const tr_job_run *run) {
  const transfer *plan = (transfer *)run->job;
  if (goes_briefly(plan, run))
    return TESSERA_OK;
  tessera_status status = finish_messages(world, run, plan);
  if (!status)
    end(run->state);
  return status;
}

tessera_status mpi_plan_transfer(tr_world *world, const tr_group *group, const tr_message *messages,
                                 int64_t count, tr_job **job) {
  int64_t copies = tr_own_copies_count(group, messages, count), others = count - 2 * copies;
  size_t bytes = sizeof(transfer) + sizeof(planned_message) * (size_t)others +
                 sizeof(tr_own_copy) * (size_t)copies + sizeof(strided) * (size_t)others;
  transfer *plan = malloc(bytes);
  if (!plan)
    return no_memory(world->state, bytes);
  *plan = (transfer){.job = {.start = start_transfer, .finish = finish_transfer},
                     .copies = (tr_own_copy *)&plan->messages[others],
                     .num_copies = copies};
  plan->strided = (strided *)&plan->copies[copies];
  fill_transfer(world->state, group, messages, count, plan);
  *job = &plan->job;
  return TESSERA_OK;
}
