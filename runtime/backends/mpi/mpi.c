/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The MPI backend: one loadable module for each MPI, all compiled from this file.
 * It knows groups and views; it must not know grids, collectives or MLIR. */
#include <mpi.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend.h"

/* The version of the interface that this file uses, so that a newer MPI cannot surprise it. */
#if MPI_VERSION < 3
#error "MPI 3 or newer is needed"
#endif

enum { TAG_TRANSFER = 1, TAG_SEND = 2, LARGEST_MESSAGE = 1 << 30 };

/* A buffered send that the receiver has not taken yet. */
typedef struct buffered_send {
  struct buffered_send *next;
  MPI_Request *requests;
  int num_requests;
} buffered_send;

/* A communicator and the members that it was made for, in order. */
typedef struct known_comm {
  struct known_comm *next;
  MPI_Comm comm;
  int32_t size;
  int32_t members[];
} known_comm;

typedef struct mpi_state {
  const tr_backend_host *host;
  MPI_Comm world; /* ours: messages of the host program never meet it */
  bool initialized_here;
  known_comm *comms;
  buffered_send *sends;
  MPI_Request *requests; /* of one transfer, kept between calls */
  size_t request_capacity;
  size_t num_requests;
  char *buffer; /* packed pieces of one transfer, kept between calls */
  size_t buffer_capacity;
} mpi_state;

/* ---- errors -----------------------------------------------------------------------------------
 */

static tessera_status check(const mpi_state *state, int code, const char *what) {
  if (code == MPI_SUCCESS)
    return TESSERA_OK;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  return state->host->fail(TESSERA_ERROR_BACKEND, "%s failed: %s", what, text);
}

static tessera_status no_memory(const mpi_state *state, size_t bytes) {
  return state->host->fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for messages of %zu bytes",
                           bytes);
}

/* ---- groups -----------------------------------------------------------------------------------
 */

static known_comm *find_comm(const mpi_state *state, const tr_group *group) {
  for (known_comm *known = state->comms; known; known = known->next)
    if (known->size == group->size &&
        memcmp(known->members, group->members, sizeof(int32_t) * (size_t)group->size) == 0)
      return known;
  return NULL;
}

/* Tells apart communicators that ranks with several groups make at the same time. */
static int creation_tag(const tr_group *group) {
  uint32_t hash = 2166136261u;
  for (int32_t i = 0; i < group->size; i++)
    hash = (hash ^ (uint32_t)group->members[i]) * 16777619u;
  return (int)(hash % 32749);
}

/* Only the members take part, so no call stops the whole world. */
static tessera_status make_comm(const mpi_state *state, const tr_group *group, MPI_Comm *comm) {
  MPI_Group all, chosen;
  int code = MPI_Comm_group(state->world, &all);
  if (code != MPI_SUCCESS)
    return check(state, code, "MPI_Comm_group");
  code = MPI_Group_incl(all, group->size, group->members, &chosen);
  if (code == MPI_SUCCESS) {
    code = MPI_Comm_create_group(state->world, chosen, creation_tag(group), comm);
    MPI_Group_free(&chosen);
  }
  MPI_Group_free(&all);
  if (code == MPI_SUCCESS)
    MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN);
  return check(state, code, "MPI_Comm_create_group");
}

static tessera_status mpi_create_group(tr_world *world, tr_group *group) {
  mpi_state *state = world->state;
  known_comm *known = find_comm(state, group);
  if (!known) {
    size_t bytes = sizeof(int32_t) * (size_t)group->size;
    known = malloc(sizeof(*known) + bytes);
    if (!known)
      return no_memory(state, bytes);
    tessera_status status = make_comm(state, group, &known->comm);
    if (status) {
      free(known);
      return status;
    }
    known->size = group->size;
    memcpy(known->members, group->members, bytes);
    known->next = state->comms;
    state->comms = known;
  }
  group->handle = known;
  return TESSERA_OK;
}

/* Communicators are shared by groups with the same members and live as long as the backend. */
static void mpi_destroy_group(tr_world *world, tr_group *group) {
  (void)world;
  group->handle = NULL;
}

static MPI_Comm comm_of(const tr_group *group) {
  return ((const known_comm *)group->handle)->comm;
}

/* ---- memory of one transfer -------------------------------------------------------------------
 */

static size_t requests_for(size_t bytes) {
  return bytes / LARGEST_MESSAGE + 1;
}

static size_t packed_bytes(const tr_view *view) {
  size_t bytes = tr_view_is_dense(view) ? 0 : tr_view_bytes(view);
  return (bytes + 63) / 64 * 64;
}

static bool grow(void **memory, size_t *capacity, size_t count, size_t element) {
  if (count <= *capacity)
    return true;
  void *larger = realloc(*memory, count * element);
  if (!larger)
    return false;
  *memory = larger;
  *capacity = count;
  return true;
}

static tessera_status reserve(mpi_state *state, const tr_message *messages, int64_t count) {
  size_t requests = 0, bytes = 0;
  for (int64_t i = 0; i < count; i++) {
    requests += requests_for(tr_view_bytes(&messages[i].view));
    bytes += packed_bytes(&messages[i].view);
  }
  state->num_requests = 0;
  if (!grow((void **)&state->requests, &state->request_capacity, requests, sizeof(MPI_Request)) ||
      !grow((void **)&state->buffer, &state->buffer_capacity, bytes, 1))
    return no_memory(state, bytes);
  return TESSERA_OK;
}

/* ---- messages ---------------------------------------------------------------------------------
 */

/* Starts a piece of contiguous memory, in parts that MPI's int counts can hold. */
static int start_bytes(mpi_state *state, MPI_Comm comm, const tr_message *message, char *data,
                       size_t bytes) {
  for (size_t done = 0; done == 0 || done < bytes;) {
    size_t part = bytes - done < LARGEST_MESSAGE ? bytes - done : LARGEST_MESSAGE;
    MPI_Request *request = &state->requests[state->num_requests];
    int code = message->direction == TR_SEND
                   ? MPI_Isend(data + done, (int)part, MPI_BYTE, message->peer, TAG_TRANSFER, comm,
                               request)
                   : MPI_Irecv(data + done, (int)part, MPI_BYTE, message->peer, TAG_TRANSFER, comm,
                               request);
    if (code != MPI_SUCCESS)
      return code;
    state->num_requests++;
    done += part;
    if (part == 0)
      break;
  }
  return MPI_SUCCESS;
}

/* Where a message's bytes are: in the view itself, or in the buffer at `offset`, which moves on. */
static char *message_bytes(mpi_state *state, const tr_message *message, size_t *offset) {
  size_t bytes = packed_bytes(&message->view);
  char *data = bytes ? state->buffer + *offset : message->view.data;
  *offset += bytes;
  return data;
}

typedef enum stage { STAGE_RECEIVE, STAGE_SEND, STAGE_UNPACK } stage;

static int run_stage(mpi_state *state, MPI_Comm comm, stage stage, tr_message *messages,
                     int64_t count) {
  size_t offset = 0;
  int code = MPI_SUCCESS;
  for (int64_t i = 0; code == MPI_SUCCESS && i < count; i++) {
    tr_message *message = &messages[i];
    char *data = message_bytes(state, message, &offset);
    bool is_packed = data != message->view.data;
    if ((message->direction == TR_SEND) != (stage == STAGE_SEND))
      continue;
    tr_view packed;
    if (is_packed)
      tr_view_dense(data, &message->view, &packed);
    if (stage == STAGE_SEND && is_packed)
      tr_view_copy(&message->view, &packed);
    if (stage == STAGE_UNPACK && is_packed)
      tr_view_copy(&packed, &message->view);
    if (stage != STAGE_UNPACK)
      code = start_bytes(state, comm, message, data, tr_view_bytes(&message->view));
  }
  return code;
}

static tessera_status mpi_transfer(tr_world *world, const tr_group *group, const tessera_site *site,
                                   tr_message *messages, int64_t count) {
  (void)site;
  mpi_state *state = world->state;
  MPI_Comm comm = comm_of(group);
  tessera_status status = reserve(state, messages, count);
  if (status)
    return status;
  int code = run_stage(state, comm, STAGE_RECEIVE, messages, count);
  if (code == MPI_SUCCESS)
    code = run_stage(state, comm, STAGE_SEND, messages, count);
  if (code == MPI_SUCCESS)
    code = MPI_Waitall((int)state->num_requests, state->requests, MPI_STATUSES_IGNORE);
  if (code == MPI_SUCCESS)
    code = run_stage(state, comm, STAGE_UNPACK, messages, count);
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

static tessera_status mpi_send(tr_world *world, const tr_group *group, const tessera_site *site,
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

static tessera_status mpi_receive(tr_world *world, const tr_group *group, const tessera_site *site,
                                  int32_t peer, const tr_view *view) {
  (void)site;
  mpi_state *state = world->state;
  retire_sends(state, false);
  tr_view packed = *view;
  if (packed_bytes(view)) {
    if (!grow((void **)&state->buffer, &state->buffer_capacity, packed_bytes(view), 1))
      return no_memory(state, packed_bytes(view));
    tr_view_dense(state->buffer, view, &packed);
  }
  tessera_status status =
      receive_parts(state, comm_of(group), peer, packed.data, tr_view_bytes(view));
  if (!status)
    tr_view_copy(&packed, view);
  return status;
}

/* ---- reductions -------------------------------------------------------------------------------
 */

/* Where MPI's own reduction surely means what ours does. Left out: floating-point minima and
 * maxima, because MPI does not say what becomes of a NaN; narrow integers, whose sums saturate in
 * Open MPI 4.1's vector code; unsigned ones, which MPICH 4.0 compares with a sign. */
static bool native_type(tessera_dtype type, MPI_Datatype *native) {
  switch (type) {
  case TESSERA_I32:
    *native = MPI_INT32_T;
    return true;
  case TESSERA_I64:
  case TESSERA_INDEX:
    *native = MPI_INT64_T;
    return true;
  case TESSERA_F32:
    *native = MPI_FLOAT;
    return true;
  case TESSERA_F64:
    *native = MPI_DOUBLE;
    return true;
  default:
    return false;
  }
}

static bool native_operation(tessera_dtype type, tessera_reduction reduction, MPI_Op *native) {
  bool is_float = type == TESSERA_F32 || type == TESSERA_F64;
  switch (reduction) {
  case TESSERA_SUM:
    *native = MPI_SUM;
    return true;
  case TESSERA_PRODUCT:
    *native = MPI_PROD;
    return true;
  case TESSERA_MAX:
    *native = MPI_MAX;
    return !is_float;
  case TESSERA_MIN:
    *native = MPI_MIN;
    return !is_float;
  case TESSERA_AND:
    *native = MPI_BAND;
    return !is_float;
  case TESSERA_OR:
    *native = MPI_BOR;
    return !is_float;
  case TESSERA_XOR:
    *native = MPI_BXOR;
    return !is_float;
  default:
    return false;
  }
}

static tessera_status mpi_all_reduce(tr_world *world, const tr_group *group, void *buffer,
                                     int64_t count, tessera_dtype type,
                                     tessera_reduction reduction) {
  mpi_state *state = world->state;
  MPI_Datatype native;
  MPI_Op operation;
  if (!native_type(type, &native) || !native_operation(type, reduction, &operation))
    return TESSERA_ERROR_UNSUPPORTED;
  size_t size = tessera_dtype_size(type);
  for (int64_t done = 0; done < count;) {
    int64_t part = count - done < LARGEST_MESSAGE ? count - done : LARGEST_MESSAGE;
    int code = MPI_Allreduce(MPI_IN_PLACE, (char *)buffer + (size_t)done * size, (int)part, native,
                             operation, comm_of(group));
    if (code != MPI_SUCCESS)
      return check(state, code, "MPI_Allreduce");
    done += part;
  }
  return TESSERA_OK;
}

/* ---- open and close ---------------------------------------------------------------------------
 */

static void mpi_fail(tr_world *world, const char *message) {
  (void)world;
  (void)message; /* peers learn of it when the job is aborted */
}

/* Launchers read a rank's stdout and stderr through pipes, and MPICH's throws away what it has not
 * yet read when a rank aborts: the message would be lost. Waits until both are read, then for the
 * launcher's own way to the terminal; a second at most. */
static void await_readers(void) {
  enum { STEP = 2000, STEPS = 500, FORWARD = 50000 }; /* microseconds */
  for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; ++fd) {
    struct stat status;
    int unread = 0;
    if (fstat(fd, &status) != 0 || !S_ISFIFO(status.st_mode))
      continue;
    for (int step = 0; step < STEPS && ioctl(fd, FIONREAD, &unread) == 0 && unread > 0; ++step)
      usleep(STEP);
  }
  usleep(FORWARD);
}

static void mpi_abort(tr_world *world, const char *message) {
  (void)world;
  (void)message;
  await_readers();
  MPI_Abort(MPI_COMM_WORLD, 1); /* of a copy of it, MPICH lets the other ranks go on */
}

static void mpi_close(tr_world *world) {
  mpi_state *state = world->state;
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (!finalized) {
    retire_sends(state, true);
    for (known_comm *known = state->comms; known; known = known->next)
      MPI_Comm_free(&known->comm);
    MPI_Comm_free(&state->world);
    if (state->initialized_here)
      MPI_Finalize();
  }
  for (known_comm *known = state->comms, *next; known; known = next) {
    next = known->next;
    free(known);
  }
  free(state->requests);
  free(state->buffer);
  free(state);
  world->backend = NULL;
}

static const tr_backend mpi_backend = {
    .version = TR_BACKEND_VERSION,
#if defined(OPEN_MPI)
    .name = "mpi-openmpi",
#elif defined(MPICH_VERSION)
    .name = "mpi-mpich",
#else
    .name = "mpi",
#endif
    .create_group = mpi_create_group,
    .destroy_group = mpi_destroy_group,
    .transfer = mpi_transfer,
    .send = mpi_send,
    .receive = mpi_receive,
    .all_reduce = mpi_all_reduce,
    .fail = mpi_fail,
    .abort = mpi_abort,
    .close = mpi_close,
};

/* Ranks of one host may be pinned to different cores: what counts is all of them together. */
static int measure_host(MPI_Comm world_comm, tr_world *world) {
  MPI_Comm host;
  int code =
      MPI_Comm_split_type(world_comm, MPI_COMM_TYPE_SHARED, world->rank, MPI_INFO_NULL, &host);
  if (code != MPI_SUCCESS)
    return code;
  cpu_set_t cores;
  CPU_ZERO(&cores);
  sched_getaffinity(0, sizeof(cores), &cores);
  MPI_Comm_size(host, &world->host_ranks);
  code = MPI_Allreduce(MPI_IN_PLACE, &cores, sizeof(cores), MPI_BYTE, MPI_BOR, host);
  world->host_cores = CPU_COUNT(&cores) > 0 ? CPU_COUNT(&cores) : 1;
  MPI_Comm_free(&host);
  return code;
}

static tessera_status start_mpi(mpi_state *state) {
  int initialized = 0, provided;
  int code = MPI_Initialized(&initialized);
  if (code == MPI_SUCCESS && !initialized) {
    code = MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    state->initialized_here = true;
  }
  if (code == MPI_SUCCESS)
    code = MPI_Comm_dup(MPI_COMM_WORLD, &state->world);
  if (code == MPI_SUCCESS)
    code = MPI_Comm_set_errhandler(state->world, MPI_ERRORS_RETURN);
  return check(state, code, "starting MPI");
}

__attribute__((visibility("default"))) tessera_status
tessera_backend_open(const tr_backend_host *host, tr_world *world) {
  if (host->version != TR_BACKEND_VERSION)
    return host->fail(TESSERA_ERROR_MISMATCH,
                      "the MPI backend was built for another version of libtessera");
  mpi_state *state = calloc(1, sizeof(*state));
  if (!state)
    return host->fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the MPI backend");
  state->host = host;
  tessera_status status = start_mpi(state);
  if (status) {
    free(state);
    return status;
  }
  MPI_Comm_rank(state->world, &world->rank);
  MPI_Comm_size(state->world, &world->size);
  world->backend = &mpi_backend;
  world->state = state;
  status = check(state, measure_host(state->world, world), "counting the ranks of this host");
  return status;
}
