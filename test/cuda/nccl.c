/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The functions of NCCL, under their names. STANDIN_NCCL=KIND:RANK:N says what goes wrong with the
 * Nth operation of a rank: it gets stuck, an error comes later (error), or there is no memory for
 * it (memory); with N 0 for the first communicator. STANDIN_NCCL_VERSION is the library's. It must
 * not know Tessera. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nccl.h"

#define EXPORTED __attribute__((visibility("default")))

typedef struct id {
  place place;
  char rest[128 - sizeof(place)];
} id;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static wire *first_wires[64]; /* that this process made ids of, until it joins them */
static place first_places[64];
static int num_first;
static int first_rank = -1;
static _Atomic(comm *) made_comms; /* their memory stays: work in a stream may look at it */

void nccl_lock(void) {
  pthread_mutex_lock(&lock);
}
void nccl_unlock(void) {
  pthread_mutex_unlock(&lock);
}

/* ---- what goes wrong ------------------------------------------------------------------------- */

static bool goes_wrong(const char *kind, uint64_t operation) {
  const char *wish = getenv("STANDIN_NCCL");
  size_t length = strlen(kind);
  int rank = -1;
  unsigned long long number = 0;
  return wish && strncmp(wish, kind, length) == 0 && wish[length] == ':' &&
         sscanf(wish + length + 1, "%d:%llu", &rank, &number) == 2 && rank == first_rank &&
         number == operation;
}

static int no_memory(comm *comm) {
  snprintf(comm->message, sizeof(comm->message), "out of memory on the GPU");
  return CUDA_FAILED;
}

/* ---- communicators --------------------------------------------------------------------------- */

EXPORTED int ncclGetVersion(int *version) {
  const char *given = getenv("STANDIN_NCCL_VERSION");
  *version = given ? atoi(given) : 22809;
  return DONE;
}

EXPORTED int ncclGetUniqueId(id *made) {
  memset(made, 0, sizeof(*made));
  wire *wire = wire_create(&made->place);
  if (!wire || num_first == 64)
    return SYSTEM_FAILED;
  first_places[num_first] = made->place;
  first_wires[num_first++] = wire;
  return DONE;
}

static wire *join(const place *place) {
  for (int i = 0; i < num_first; i++)
    if (memcmp(&first_places[i], place, sizeof(*place)) == 0)
      return first_wires[i];
  return wire_open(place);
}

static comm *create(wire *wire, int rank, int size) {
  comm *made = calloc(1, sizeof(*made));
  if (!made)
    abort();
  *made = (comm){.wire = wire, .rank = rank, .size = size, .phase = OPENING};
  made->next = atomic_exchange(&made_comms, made);
  wire->gpus[rank] = standin_gpu();
  atomic_fetch_add(&wire->arrived, 1);
  return made;
}

/* As much of it as the library looks at. */
typedef struct config {
  size_t size;
  unsigned magic, version;
  int blocking;
} config;

static bool is_sound(const config *config) {
  return config && config->magic == 0xcafebeef && config->size >= 48 && config->blocking == 0;
}

EXPORTED int ncclCommInitRankConfig(comm **made, int ranks, id id, int rank, void *wish) {
  if (!is_sound(wish) || ranks > MOST_RANKS || rank < 0 || rank >= ranks || standin_gpu() < 0)
    return INVALID_ARGUMENT;
  if (first_rank < 0)
    first_rank = rank;
  wire *wire = join(&id.place);
  if (!wire)
    return SYSTEM_FAILED;
  *made = create(wire, rank, ranks);
  return goes_wrong("memory", 0) ? no_memory(*made) : IN_PROGRESS;
}

EXPORTED int ncclCommSplit(comm *comm, int color, int key, struct comm **part, void *wish) {
  if (!is_sound(wish) || comm->phase != READY || comm->num_splits == MOST_SPLITS)
    return INVALID_ARGUMENT;
  if (goes_wrong("split", (uint64_t)comm->num_splits + 1))
    return no_memory(comm);
  split *split = &comm->wire->splits[comm->num_splits];
  split->colors[comm->rank] = color;
  split->keys[comm->rank] = key;
  comm->phase = SPLITTING;
  comm->part = part;
  *part = NULL;
  atomic_fetch_add(&split->arrived, 1);
  /* As NCCL does, though it goes on. */
  return DONE;
}

/* Members of this rank's part, in their order. */
static int list_part(const comm *comm, const split *split, int *members) {
  int count = 0, color = split->colors[comm->rank];
  for (int rank = 0; rank < comm->size; rank++) {
    if (split->colors[rank] != color)
      continue;
    int at = count++;
    for (; at > 0 && split->keys[members[at - 1]] > split->keys[rank]; at--)
      members[at] = members[at - 1];
    members[at] = rank;
  }
  return count;
}

/* Goes on with a split when all are there. The first member makes the memory of a part. */
static void advance_split(comm *comm) {
  split *split = &comm->wire->splits[comm->num_splits];
  int members[MOST_RANKS], self = 0;
  if (atomic_load(&split->arrived) < comm->size)
    return;
  int count = list_part(comm, split, members), first = members[0];
  while (members[self] != comm->rank)
    self++;
  if (split->colors[comm->rank] >= 0) {
    wire *wire = NULL;
    if (self == 0) {
      wire = wire_create(&split->places[first]);
      atomic_store(&split->made[first], 1);
    } else if (atomic_load(&split->made[first])) {
      wire = wire_open(&split->places[first]);
    }
    if (!wire)
      return;
    *comm->part = create(wire, self, count);
  }
  comm->num_splits++;
  comm->phase = READY;
}

static void advance_opening(comm *comm) {
  if (atomic_load(&comm->wire->arrived) < comm->size)
    return;
  comm->phase = READY;
  for (int rank = 0; rank < comm->size; rank++)
    if (rank != comm->rank && comm->wire->gpus[rank] == comm->wire->gpus[comm->rank]) {
      comm->error = INVALID_USAGE;
      snprintf(comm->message, sizeof(comm->message), "ranks %d and %d are both on GPU %d", rank,
               comm->rank, comm->wire->gpus[rank]);
    }
}

EXPORTED int ncclCommGetAsyncError(comm *comm, int *state) {
  nccl_lock();
  if (comm->phase == OPENING)
    advance_opening(comm);
  else if (comm->phase == SPLITTING)
    advance_split(comm);
  bool goes_on = comm->phase != READY || comm->polls > 0;
  comm->polls -= comm->polls > 0;
  *state = comm->error ? comm->error : goes_on ? IN_PROGRESS : DONE;
  nccl_unlock();
  return DONE;
}

EXPORTED int ncclCommFinalize(comm *comm) {
  return comm->phase == READY ? IN_PROGRESS : INVALID_ARGUMENT;
}

EXPORTED int ncclCommDestroy(comm *comm) {
  return comm->started == comm->given ? DONE : INVALID_USAGE;
}

EXPORTED int ncclCommAbort(comm *comm) {
  nccl_lock();
  comm->is_aborted = true;
  nccl_unlock();
  return DONE;
}

EXPORTED const char *ncclGetErrorString(int result) {
  static const char *const texts[] = {"no error",       "unhandled cuda error", "system error",
                                      "internal error", "invalid argument",     "invalid usage",
                                      "remote error",   "in progress"};
  return result >= 0 && result < 8 ? texts[result] : "unknown error";
}

EXPORTED const char *ncclGetLastError(comm *comm) {
  return comm ? comm->message : "";
}

/* ---- operations ------------------------------------------------------------------------------ */

/* Nothing may be called while something is in progress. */
static int give(comm *comm, operation *operation, void *stream) {
  uint64_t number = comm->given + 1;
  if (comm->phase != READY || comm->polls > 0 || comm->is_aborted || standin_gpu() < 0)
    return INVALID_USAGE;
  if (goes_wrong("memory", number))
    return no_memory(comm);
  operation_give(operation, stream);
  nccl_lock();
  comm->is_stuck = comm->is_stuck || goes_wrong("stuck", number);
  if (goes_wrong("error", number) && !comm->error) {
    comm->error = REMOTE_FAILED;
    snprintf(comm->message, sizeof(comm->message), "the connection to a rank is lost");
  }
  comm->polls = (int)(number % 3);
  int result = comm->polls > 0 ? IN_PROGRESS : DONE;
  nccl_unlock();
  return result;
}

static _Thread_local int depth;
static _Thread_local operation *grouped;
static _Thread_local comm *grouped_comm;
static _Thread_local void *grouped_stream;

EXPORTED int ncclGroupStart(void) {
  depth++;
  return DONE;
}

EXPORTED int ncclGroupEnd(void) {
  operation *operation = grouped;
  if (--depth > 0 || !operation)
    return DONE;
  grouped = NULL;
  return give(grouped_comm, operation, grouped_stream);
}

static int add_message(bool is_sent, uint64_t address, size_t count, int type, int peer, comm *comm,
                       void *stream) {
  size_t bytes = count * type_bytes(type);
  common common = {.kind = MESSAGES, .bytes = bytes};
  if (peer < 0 || peer >= comm->size || peer == comm->rank)
    return INVALID_ARGUMENT;
  ncclGroupStart();
  if (!grouped)
    grouped = operation_create(comm, &common, 0, 0);
  else if (grouped_comm != comm || grouped_stream != stream)
    abort(); /* this one has no groups of several */
  grouped_comm = comm;
  grouped_stream = stream;
  operation_add(grouped, is_sent, peer, address, bytes, &common);
  return ncclGroupEnd();
}

EXPORTED int ncclSend(const void *data, size_t count, int type, int peer, comm *comm,
                      void *stream) {
  return add_message(true, (uintptr_t)data, count, type, peer, comm, stream);
}

EXPORTED int ncclRecv(void *data, size_t count, int type, int peer, comm *comm, void *stream) {
  return add_message(false, (uintptr_t)data, count, type, peer, comm, stream);
}

/* Every member sends to each other one, or to the root, or the root alone does. */
static int collective(common common, const void *in, void *out, comm *comm, void *stream) {
  uint64_t from = (uintptr_t)in;
  if (common.root >= comm->size)
    return INVALID_ARGUMENT;
  operation *made = operation_create(comm, &common, from, (uintptr_t)out);
  bool is_root = comm->rank == common.root;
  bool from_root = common.kind == BROADCAST, to_root = common.kind == REDUCE;
  for (int peer = 0; peer < comm->size; peer++) {
    if (peer == comm->rank)
      continue;
    uint64_t step = common.kind == REDUCE_SCATTER ? common.bytes * (uint64_t)peer : 0;
    if (from_root ? is_root : !to_root || peer == common.root)
      operation_add(made, true, peer, from + step, common.bytes, &common);
    if (to_root ? is_root : !from_root || peer == common.root)
      operation_add(made, false, peer, 0, common.bytes, &common);
  }
  return give(comm, made, stream);
}

static common common_of(kind kind, size_t count, int type, int operation, int root) {
  return (common){(int32_t)kind, type, operation, root, count * type_bytes(type)};
}

EXPORTED int ncclAllGather(const void *in, void *out, size_t count, int type, comm *comm,
                           void *stream) {
  return collective(common_of(ALL_GATHER, count, type, 0, 0), in, out, comm, stream);
}

EXPORTED int ncclAllReduce(const void *in, void *out, size_t count, int type, int operation,
                           comm *comm, void *stream) {
  return collective(common_of(ALL_REDUCE, count, type, operation, 0), in, out, comm, stream);
}

EXPORTED int ncclBroadcast(const void *in, void *out, size_t count, int type, int root, comm *comm,
                           void *stream) {
  return collective(common_of(BROADCAST, count, type, 0, root), in, out, comm, stream);
}

EXPORTED int ncclReduce(const void *in, void *out, size_t count, int type, int operation, int root,
                        comm *comm, void *stream) {
  return collective(common_of(REDUCE, count, type, operation, root), in, out, comm, stream);
}

EXPORTED int ncclReduceScatter(const void *in, void *out, size_t count, int type, int operation,
                               comm *comm, void *stream) {
  return collective(common_of(REDUCE_SCATTER, count, type, operation, 0), in, out, comm, stream);
}
