/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages between members: dense memory as it is, strided memory by a datatype or packed.
 * It must not know which collective they belong to. */
#include <stdlib.h>
#include <string.h>

#include "backends/mpi/state.h"
#include "backends/mpi/trial.h"
#include "devices/host/host.h"

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
  int64_t number; /* of the message in the transfer */
  size_t bytes;
  char *data;
  strided *strided; /* in the plan's memory; NULL: its memory is dense */
  bool is_typed;    /* sent or received by `type`; else strided memory is packed */
  known_type type;
  size_t place; /* in the buffer, if packed */
  int first_request, num_requests;
} planned_message;

/* What a rank sends to itself. */
typedef struct planned_copy {
  int64_t from_number, to_number; /* of the two messages */
  const char *from;
  char *to;
  tr_copy copy;
} planned_copy;

/* Receives first, so that no message has to be kept for want of a place. */
struct transfer_plan {
  known_comm *comm;
  int64_t num_copies;
  planned_copy *copies; /* in the same memory */
  size_t copied;        /* bytes */
  int64_t num_strided;
  strided *strided; /* in the same memory */
  int64_t count, num_receives;
  int num_requests;
  bool is_brief; /* one message, or a receive and a send: MPI does it in one call */
  size_t room;   /* bytes in the buffer for all strided messages */
  size_t packed; /* of them, bytes that are packed */
  trial trial;   /* of a plan that is kept: which ways strided messages go */
  int tried;     /* those that it is about, as a sum of ways */
  planned_message messages[];
};

/* Copies and strided memory lie behind the messages. */
static size_t bytes_of_plan(int64_t count, int64_t copies, int64_t strides) {
  return sizeof(transfer_plan) + sizeof(planned_message) * (size_t)count +
         sizeof(planned_copy) * (size_t)copies + sizeof(strided) * (size_t)strides;
}

static void place_lists(transfer_plan *plan, int64_t count) {
  plan->copies = (planned_copy *)&plan->messages[count];
  plan->strided = (strided *)&plan->copies[plan->num_copies];
}

/* Of the `count` messages of a transfer, so many pairs go from this rank to itself. */
static int64_t count_copies(const tr_group *group, const tr_message *messages, int64_t count) {
  int64_t copies = 0;
  for (int64_t i = 0; i < count; i++)
    copies += messages[i].peer == group->self;
  return copies / 2;
}

static inline bool is_packed(const planned_message *message) {
  return message->strided && !message->is_typed;
}

/* ---- planning ----------------------------------------------------------------------------------
 */

static size_t room_of(const planned_message *message) {
  return (message->bytes + PACKED_ALIGNMENT - 1) / PACKED_ALIGNMENT * PACKED_ALIGNMENT;
}

static void plan_strided(mpi_state *state, const tr_view *view, planned_message *planned,
                         transfer_plan *plan) {
  strided *strided = &plan->strided[plan->num_strided++];
  bool is_sent = planned->direction == TR_SEND;
  tr_view packed;
  tr_view_assign(&strided->view, view);
  tr_view_dense(NULL, view, &packed);
  tr_view_plan_copy(is_sent ? view : &packed, is_sent ? &packed : view, &strided->copy);
  planned->strided = strided;
  planned->is_typed = prefers_type(state, planned->direction, view) &&
                      type_of_view(state, view, &planned->type) != MPI_DATATYPE_NULL;
  plan->room += room_of(planned);
}

static void plan_message(mpi_state *state, const tr_message *message, int64_t number,
                         transfer_plan *plan) {
  planned_message *planned = &plan->messages[plan->count++];
  *planned = (planned_message){.direction = message->direction,
                               .peer = message->peer,
                               .number = number,
                               .bytes = tr_view_bytes(&message->view),
                               .data = message->view.data,
                               .first_request = plan->num_requests,
                               .place = plan->room};
  if (!tr_view_is_dense(&message->view))
    plan_strided(state, &message->view, planned, plan);
  planned->num_requests = planned->is_typed ? 1 : (int)parts_of(planned->bytes);
  plan->num_requests += planned->num_requests;
}

/* What follows from which messages are packed. */
static void finish_plan(transfer_plan *plan) {
  bool is_single = plan->count == 1, is_pair = plan->count == 2 && plan->num_receives == 1;
  plan->packed = 0;
  for (int64_t i = 0; i < plan->count; i++)
    plan->packed += is_packed(&plan->messages[i]) ? plan->messages[i].bytes : 0;
  plan->is_brief = (is_single || is_pair) && plan->num_requests == plan->count &&
                   plan->packed + plan->copied <= MOST_COPIED_FIRST;
}

/* The first message from `number` on of this rank to itself that goes this way. */
static int64_t find_own(const tr_group *group, const tr_message *messages, int64_t number,
                        tr_direction direction) {
  while (messages[number].peer != group->self || messages[number].direction != direction)
    number++;
  return number;
}

static void plan_copies(const tr_group *group, const tr_message *messages, transfer_plan *plan) {
  int64_t from = 0, to = 0;
  for (int64_t i = 0; i < plan->num_copies; i++) {
    planned_copy *planned = &plan->copies[i];
    from = find_own(group, messages, from, TR_SEND);
    to = find_own(group, messages, to, TR_RECEIVE);
    planned->from = messages[from].view.data;
    planned->to = messages[to].view.data;
    tr_view_plan_copy(&messages[from].view, &messages[to].view, &planned->copy);
    plan->copied += tr_view_bytes(&messages[from].view);
    planned->from_number = from++;
    planned->to_number = to++;
  }
}

/* Chooses for every message, and makes room for all. */
static void plan_transfer(mpi_state *state, const tr_group *group, const tr_message *messages,
                          int64_t count, int64_t copies, transfer_plan *plan) {
  *plan = (transfer_plan){.comm = group->handle, .num_copies = copies};
  place_lists(plan, count - 2 * copies);
  for (int64_t i = 0; i < count; i++)
    if (messages[i].direction == TR_RECEIVE && messages[i].peer != group->self)
      plan_message(state, &messages[i], i, plan);
  plan->num_receives = plan->count;
  for (int64_t i = 0; i < count; i++)
    if (messages[i].direction == TR_SEND && messages[i].peer != group->self)
      plan_message(state, &messages[i], i, plan);
  plan_copies(group, messages, plan);
  finish_plan(plan);
}

/* ---- starting ----------------------------------------------------------------------------------
 */

/* A message as MPI is given it; of bytes, in parts that its int counts can hold. */
typedef struct wire {
  char *data;
  MPI_Datatype type; /* MPI_DATATYPE_NULL: there is no memory */
} wire;

/* Types that were not used for long are given back, and made again here. */
static wire put_strided(mpi_state *state, planned_message *message) {
  wire wire = {(char *)state->buffer.data + message->place, MPI_BYTE};
  if (message->is_typed) {
    wire.data = message->data;
    wire.type = type_of_view(state, &message->strided->view, &message->type);
  } else if (message->direction == TR_SEND) {
    tr_host_copy(&message->strided->copy, message->data, wire.data);
  }
  return wire;
}

static inline wire put_on_wire(mpi_state *state, planned_message *message) {
  return message->strided ? put_strided(state, message) : (wire){message->data, MPI_BYTE};
}

static inline int count_of(const planned_message *message, int part) {
  return message->is_typed ? 1 : part_of(message->bytes, (size_t)part);
}

static int start_message(mpi_state *state, MPI_Comm comm, planned_message *message) {
  MPI_Request *requests = (MPI_Request *)state->requests.data + message->first_request;
  wire wire = put_on_wire(state, message);
  int code = wire.type == MPI_DATATYPE_NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
  for (int i = 0; code == MPI_SUCCESS && i < message->num_requests; i++) {
    char *data = wire.data + (size_t)i * LARGEST_MESSAGE;
    int count = count_of(message, i);
    code = message->direction == TR_SEND
               ? MPI_Isend(data, count, wire.type, message->peer, TAG_TRANSFER, comm, &requests[i])
               : MPI_Irecv(data, count, wire.type, message->peer, TAG_TRANSFER, comm, &requests[i]);
  }
  return code;
}

/* ---- finishing ---------------------------------------------------------------------------------
 */

static tessera_status report_received(mpi_state *state, const known_comm *comm, int code,
                                      const MPI_Status *received, int bytes, int expected) {
  static const double arrival = 2; /* seconds, of the notice that follows */
  int class = MPI_SUCCESS;
  if (code == MPI_SUCCESS && bytes == 0 &&
      has_failed(state, comm->members[received->MPI_SOURCE], expected > 0 ? arrival : 0))
    return peer_failure(state);
  if (code == MPI_SUCCESS && bytes == expected)
    return TESSERA_OK;
  MPI_Error_class(code, &class);
  if (class == MPI_ERR_TRUNCATE)
    return state->host->fail(TESSERA_ERROR_MISMATCH,
                             "pieces do not fit: more than the %d bytes arrived that were expected",
                             expected);
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

static void unpack(const mpi_state *state, const planned_message *message) {
  const char *packed = (const char *)state->buffer.data + message->place;
  tr_host_copy(&message->strided->copy, packed, message->data);
}

/* Unpacks while later messages are still under way. */
static tessera_status finish_receive(mpi_state *state, const known_comm *comm,
                                     const planned_message *message) {
  MPI_Request *requests = (MPI_Request *)state->requests.data + message->first_request;
  tessera_status status = TESSERA_OK;
  for (int i = 0; !status && i < message->num_requests; i++) {
    MPI_Status received;
    int bytes = message->is_typed ? (int)message->bytes : part_of(message->bytes, (size_t)i);
    int code = MPI_Wait(&requests[i], &received);
    status = check_received(state, comm, code, &received, bytes);
  }
  if (!status && is_packed(message))
    unpack(state, message);
  return status;
}

/* Messages are received one by one: Open MPI's MPI_Waitall may wait for ever where one of them is
 * too long. */
static tessera_status finish_messages(mpi_state *state, const transfer_plan *plan) {
  tessera_status status = TESSERA_OK;
  for (int64_t i = 0; !status && i < plan->num_receives; i++)
    status = finish_receive(state, plan->comm, &plan->messages[i]);
  if (status || plan->num_receives == plan->count)
    return status;
  int first = plan->messages[plan->num_receives].first_request;
  int code = MPI_Waitall(plan->num_requests - first, (MPI_Request *)state->requests.data + first,
                         MPI_STATUSES_IGNORE);
  return check(state, code, "an exchange of messages");
}

/* ---- transfers ---------------------------------------------------------------------------------
 */

static tessera_status do_send(mpi_state *state, MPI_Comm comm, planned_message *send) {
  wire from = put_on_wire(state, send);
  if (from.type == MPI_DATATYPE_NULL)
    return no_memory(state, send->bytes);
  int code = MPI_Send(from.data, count_of(send, 0), from.type, send->peer, TAG_TRANSFER, comm);
  return code == MPI_SUCCESS ? TESSERA_OK : check(state, code, "MPI_Send");
}

/* `send` is NULL where nothing is sent. */
static tessera_status do_receive(mpi_state *state, const known_comm *comm, planned_message *receive,
                                 planned_message *send) {
  MPI_Status received;
  wire to = put_on_wire(state, receive), from = {NULL, MPI_BYTE};
  if (send)
    from = put_on_wire(state, send);
  if (to.type == MPI_DATATYPE_NULL || from.type == MPI_DATATYPE_NULL)
    return no_memory(state, receive->bytes);
  int count = count_of(receive, 0);
  int code =
      send
          ? MPI_Sendrecv(from.data, count_of(send, 0), from.type, send->peer, TAG_TRANSFER, to.data,
                         count, to.type, receive->peer, TAG_TRANSFER, comm->comm, &received)
          : MPI_Recv(to.data, count, to.type, receive->peer, TAG_TRANSFER, comm->comm, &received);
  tessera_status status = check_received(state, comm, code, &received, (int)receive->bytes);
  if (!status && is_packed(receive))
    unpack(state, receive);
  return status;
}

/* MPI spends less on a call that waits than on a request for each message. */
static tessera_status do_briefly(mpi_state *state, transfer_plan *plan) {
  planned_message *first = &plan->messages[0];
  if (plan->num_receives == 0)
    return do_send(state, plan->comm->comm, first);
  return do_receive(state, plan->comm, first, plan->count == 2 ? first + 1 : NULL);
}

static void do_copies(const transfer_plan *plan) {
  for (int64_t i = 0; i < plan->num_copies; i++)
    tr_host_copy(&plan->copies[i].copy, plan->copies[i].from, plan->copies[i].to);
}

/* Those that have not been started, or have ended, are null: after a failure the others are known.
 */
static void begin_requests(mpi_state *state, const transfer_plan *plan) {
  MPI_Request *requests = state->requests.data;
  for (int i = 0; i < plan->num_requests; i++)
    requests[i] = MPI_REQUEST_NULL;
  state->num_requests = plan->num_requests;
  state->num_receives = plan->num_receives < plan->count
                            ? plan->messages[plan->num_receives].first_request
                            : plan->num_requests;
}

static tessera_status do_transfer(mpi_state *state, transfer_plan *plan) {
  int code = MPI_SUCCESS;
  /* First the requests: Open MPI may write a message that is too long past its place in the buffer.
   */
  if (!keep_memory(&state->requests, sizeof(MPI_Request) * (size_t)plan->num_requests))
    return no_memory(state, sizeof(MPI_Request) * (size_t)plan->num_requests);
  if (plan->packed > 0 && !keep_memory(&state->buffer, plan->room))
    return no_memory(state, plan->room);
  if (plan->is_brief) {
    do_copies(plan);
    return do_briefly(state, plan);
  }
  begin_requests(state, plan);
  for (int64_t i = 0; code == MPI_SUCCESS && i < plan->count; i++)
    code = start_message(state, plan->comm->comm, &plan->messages[i]);
  do_copies(plan);
  tessera_status status = code == MPI_SUCCESS ? finish_messages(state, plan)
                                              : check(state, code, "an exchange of messages");
  if (!status)
    state->num_requests = state->num_receives = 0;
  return status;
}

tessera_status mpi_transfer(tr_world *world, const tr_group *group, const tessera_site *site,
                            const tr_message *messages, int64_t count) {
  (void)site;
  mpi_state *state = world->state;
  int64_t copies = count_copies(group, messages, count);
  size_t bytes = bytes_of_plan(count - 2 * copies, copies, count - 2 * copies);
  if (!keep_memory(&state->plans, bytes))
    return no_memory(state, bytes);
  plan_transfer(state, group, messages, count, copies, state->plans.data);
  return do_transfer(state, state->plans.data);
}

/* ---- again -------------------------------------------------------------------------------------
 */

/* Ways to be tried, as sums: packed is 0. */
enum { TYPED_SENDS = 1, TYPED_RECEIVES = 2 };

/* Shorter messages, and shorter runs, have never been faster by a type. */
enum { LEAST_TRIED = 2048, LEAST_RUN_TRIED = 64 };

/* From so many bytes on, a call is long enough to be timed with few others, and finds nothing in
 * the caches. */
enum { LEAST_LONG = 1 << 22 };

static int way_of(const planned_message *message) {
  return message->direction == TR_SEND ? TYPED_SENDS : TYPED_RECEIVES;
}

static bool may_be_either(const planned_message *message) {
  tr_runs runs;
  if (!message->strided || message->bytes <= LEAST_TRIED || message->bytes >= LARGEST_MESSAGE)
    return false;
  tr_view_runs(&message->strided->view, &runs);
  return runs.run >= LEAST_RUN_TRIED;
}

/* Which way messages go is each rank's own affair: the bytes between them are the same. Those of
 * one direction go one way, so there is no trial where the usual ways of some differ. */
static void prepare_trial(const mpi_state *state, transfer_plan *plan) {
  int packed = 0, typed = 0;
  size_t bytes = 0;
  for (int64_t i = 0; i < plan->count; i++) {
    const planned_message *message = &plan->messages[i];
    if (!may_be_either(message))
      continue;
    *(message->is_typed ? &typed : &packed) |= way_of(message);
    bytes += message->bytes;
  }
  plan->tried = state->strided == STRIDED_MEASURED ? packed ^ typed : 0;
  uint32_t ways = 0;
  for (int way = 0; plan->tried && way < TRIAL_WAYS; way++)
    ways |= (way & ~plan->tried) == 0 ? 1u << way : 0;
  plan->trial = trial_of(ways, typed & plan->tried, bytes < LEAST_LONG);
}

static void take_way(mpi_state *state, transfer_plan *plan, int way) {
  for (int64_t i = 0; i < plan->count; i++) {
    planned_message *message = &plan->messages[i];
    if (may_be_either(message) && way_of(message) & plan->tried)
      message->is_typed =
          way & way_of(message) &&
          type_of_view(state, &message->strided->view, &message->type) != MPI_DATATYPE_NULL;
  }
  finish_plan(plan);
}

static tessera_status do_trial(mpi_state *state, transfer_plan *plan) {
  trial *trial = &plan->trial;
  int before = trial->way;
  trial_next(trial);
  if (trial->way != before)
    take_way(state, plan, trial->way);
  if (!trial->is_timed)
    return do_transfer(state, plan);
  double start = MPI_Wtime();
  tessera_status status = do_transfer(state, plan);
  trial_note(trial, MPI_Wtime() - start);
  return status;
}

/* Memory that is written for the first time would be held against packing. */
static void prepare_buffer(mpi_state *state, const transfer_plan *plan) {
  size_t before = state->buffer.capacity;
  if (plan->tried && keep_memory(&state->buffer, plan->room) && state->buffer.capacity > before)
    memset(state->buffer.data, 0, state->buffer.capacity);
}

void *mpi_keep_transfer(tr_world *world) {
  mpi_state *state = world->state;
  const transfer_plan *done = state->plans.data;
  size_t bytes = bytes_of_plan(done->count, done->num_copies, done->num_strided);
  transfer_plan *plan = malloc(bytes);
  if (!plan)
    return NULL;
  memcpy(plan, done, bytes);
  place_lists(plan, plan->count);
  for (int64_t i = 0; i < plan->count; i++) {
    planned_message *message = &plan->messages[i];
    if (message->strided)
      message->strided = &plan->strided[message->strided - done->strided];
  }
  prepare_trial(state, plan);
  prepare_buffer(state, plan);
  return plan;
}

tessera_status mpi_repeat_transfer(tr_world *world, void *kept, char *const *data) {
  transfer_plan *plan = kept;
  for (int64_t i = 0; i < plan->count; i++)
    plan->messages[i].data = data[plan->messages[i].number];
  for (int64_t i = 0; i < plan->num_copies; i++) {
    planned_copy *planned = &plan->copies[i];
    planned->from = data[planned->from_number];
    planned->to = data[planned->to_number];
  }
  return plan->trial.ways ? do_trial(world->state, plan) : do_transfer(world->state, plan);
}
