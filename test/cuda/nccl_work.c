/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Operations of a communicator as work of a stream: pieces that go out and come in, and what
 * becomes of them. What does not belong together is an error. It must not know how communicators
 * are made. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nccl.h"
#include "ptx.h"

struct operation {
  work work;
  comm *comm;
  uint64_t number;
  common common;
  uint64_t in, out;
  int num_pieces;
  piece pieces[4 * MOST_RANKS + 64];
};

enum { MOST_PIECES = sizeof(((operation *)0)->pieces) / sizeof(piece) };

size_t type_bytes(int type) {
  static const size_t bytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
  return bytes[type];
}

operation *operation_create(comm *comm, const common *common, uint64_t in, uint64_t out) {
  operation *made = calloc(1, sizeof(*made));
  if (!made)
    abort();
  made->comm = comm;
  made->common = *common;
  made->in = in;
  made->out = out;
  return made;
}

void operation_add(operation *operation, bool is_sent, int peer, uint64_t address, size_t bytes,
                   const common *common) {
  if (operation->num_pieces == MOST_PIECES)
    abort();
  operation->pieces[operation->num_pieces++] = (piece){
      .is_sent = is_sent, .peer = peer, .address = address, .bytes = bytes, .common = *common};
}

/* ---- values ---------------------------------------------------------------------------------- */

#define COMBINE(type)                                                                              \
  do {                                                                                             \
    type a, b;                                                                                     \
    memcpy(&a, into, sizeof(a));                                                                   \
    memcpy(&b, value, sizeof(b));                                                                  \
    a = operation == 0   ? (type)(a + b)                                                           \
        : operation == 1 ? (type)(a * b)                                                           \
        : operation == 2 ? (a > b ? a : b)                                                         \
                         : (a < b ? a : b);                                                        \
    memcpy(into, &a, sizeof(a));                                                                   \
  } while (0)

/* Sums of integers wrap, so they are done without a sign. */
static void combine(int type, int operation, char *into, const char *value) {
  bool wraps = operation < 2;
  switch (type) {
  case 0:
    if (wraps)
      COMBINE(uint8_t);
    else
      COMBINE(int8_t);
    break;
  case 1:
    COMBINE(uint8_t);
    break;
  case 2:
    if (wraps)
      COMBINE(uint32_t);
    else
      COMBINE(int32_t);
    break;
  case 3:
    COMBINE(uint32_t);
    break;
  case 4:
    if (wraps)
      COMBINE(uint64_t);
    else
      COMBINE(int64_t);
    break;
  case 5:
    COMBINE(uint64_t);
    break;
  case 7:
    COMBINE(float);
    break;
  case 8:
    COMBINE(double);
    break;
  default: /* not used: sums of 16 bits are not exact enough */
    abort();
  }
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static int fail(comm *comm, const char *message) {
  if (!comm->error)
    snprintf(comm->message, sizeof(comm->message), "%s", message);
  comm->error = comm->error ? comm->error : INVALID_USAGE;
  return LATER;
}

static bool are_alike(const common *a, const common *b) {
  return a->kind == b->kind && a->type == b->type && a->operation == b->operation &&
         a->root == b->root && a->bytes == b->bytes;
}

/* What goes before the piece's bytes: what it belongs to. */
static bool move_header(comm *comm, piece *piece, ring *ring) {
  common theirs;
  char *other = (char *)&theirs;
  if (piece->header == sizeof(theirs))
    return true;
  if (piece->is_sent) {
    piece->header += ring_write(ring, (const char *)&piece->common + piece->header,
                                sizeof(piece->common) - piece->header);
    return piece->header == sizeof(theirs);
  }
  if (atomic_load(&ring->written) - atomic_load(&ring->read) < sizeof(theirs))
    return false;
  ring_read(ring, other, sizeof(theirs));
  piece->header = sizeof(theirs);
  if (!are_alike(&theirs, &piece->common))
    fail(comm, "ranks do different things");
  return !comm->error;
}

static bool is_done(const piece *piece) {
  return piece->header == sizeof(common) && piece->done == piece->bytes;
}

/* False: the memory is none. */
static bool move(comm *comm, piece *piece) {
  ring *ring = piece->is_sent ? &comm->wire->rings[comm->rank][piece->peer]
                              : &comm->wire->rings[piece->peer][comm->rank];
  if (!move_header(comm, piece, ring))
    return true;
  size_t rest = piece->bytes - piece->done;
  if (piece->is_sent) {
    const char *from = device_memory(piece->address, piece->bytes);
    if (!from)
      return false;
    piece->done += ring_write(ring, from + piece->done, rest);
    return true;
  }
  if (!piece->arrived && !(piece->arrived = malloc(piece->bytes + 1)))
    abort();
  piece->done += ring_read(ring, piece->arrived + piece->done, rest);
  return true;
}

/* Pieces of one pair and direction go one after the other. */
static bool move_all(operation *operation, bool *all_done) {
  bool is_blocked[2][MOST_RANKS] = {{false}};
  *all_done = true;
  for (int i = 0; i < operation->num_pieces; i++) {
    piece *piece = &operation->pieces[i];
    bool *blocked = &is_blocked[piece->is_sent][piece->peer];
    if (!is_done(piece) && !*blocked && !move(operation->comm, piece))
      return false;
    *blocked = *blocked || !is_done(piece);
    *all_done = *all_done && is_done(piece);
  }
  return true;
}

/* ---- what becomes of them -------------------------------------------------------------------- */

static const piece *piece_from(const operation *operation, int peer) {
  for (int i = 0; i < operation->num_pieces; i++)
    if (!operation->pieces[i].is_sent && operation->pieces[i].peer == peer)
      return &operation->pieces[i];
  return NULL;
}

static bool put_messages(const operation *operation) {
  for (int i = 0; i < operation->num_pieces; i++) {
    const piece *piece = &operation->pieces[i];
    char *to = piece->is_sent ? NULL : device_memory(piece->address, piece->bytes);
    if (!piece->is_sent && !to)
      return false;
    if (to)
      memcpy(to, piece->arrived, piece->bytes);
  }
  return true;
}

/* Values of all members, in their order. */
static bool put_combined(const operation *operation, const char *own, char *out) {
  const common *common = &operation->common;
  size_t bytes = common->bytes, size = type_bytes(common->type);
  char *sum = malloc(bytes + 1);
  if (!sum || !own || !out)
    return false;
  for (int rank = 0; rank < operation->comm->size; rank++) {
    const piece *piece = piece_from(operation, rank);
    const char *values = piece ? piece->arrived : own;
    for (size_t at = 0; rank > 0 && at < bytes; at += size)
      combine(common->type, common->operation, sum + at, values + at);
    if (rank == 0)
      memcpy(sum, values, bytes);
  }
  memcpy(out, sum, bytes);
  free(sum);
  return true;
}

static bool put(const operation *operation) {
  const comm *comm = operation->comm;
  const common *common = &operation->common;
  size_t bytes = common->bytes, all = bytes * (size_t)comm->size, own = bytes * (size_t)comm->rank;
  char *in = NULL, *out = NULL;
  bool is_root = comm->rank == common->root;
  switch (common->kind) {
  case MESSAGES:
    return put_messages(operation);
  case ALL_GATHER:
    in = device_memory(operation->in, bytes);
    out = device_memory(operation->out, all);
    if (!in || !out)
      return false;
    memmove(out + own, in, bytes);
    for (int rank = 0; rank < comm->size; rank++)
      if (rank != comm->rank)
        memcpy(out + bytes * (size_t)rank, piece_from(operation, rank)->arrived, bytes);
    return true;
  case BROADCAST:
    out = device_memory(operation->out, bytes);
    in = is_root ? device_memory(operation->in, bytes) : out;
    if (!in || !out)
      return false;
    memmove(out, is_root ? in : piece_from(operation, common->root)->arrived, bytes);
    return true;
  case REDUCE_SCATTER:
    in = device_memory(operation->in, all);
    return put_combined(operation, in ? in + own : NULL, device_memory(operation->out, bytes));
  default: /* ALL_REDUCE, REDUCE */
    return (common->kind == REDUCE && !is_root) ||
           put_combined(operation, device_memory(operation->in, bytes),
                        device_memory(operation->out, bytes));
  }
}

/* ---- running --------------------------------------------------------------------------------- */

static int end(operation *operation, int result) {
  for (int i = 0; i < operation->num_pieces; i++)
    free(operation->pieces[i].arrived);
  operation->comm->started = operation->number + 1;
  free(operation);
  return result;
}

static int run_locked(operation *operation) {
  comm *comm = operation->comm;
  bool all_done = false;
  if (comm->is_aborted || stream_error)
    return end(operation, OK);
  if (comm->started != operation->number || comm->error || comm->is_stuck)
    return LATER;
  if (!move_all(operation, &all_done) || (all_done && !comm->error && !put(operation)))
    return end(operation, ILLEGAL_ADDRESS);
  return all_done && !comm->error ? end(operation, OK) : LATER;
}

static int run(work *self) {
  nccl_lock();
  int result = run_locked((operation *)self);
  nccl_unlock();
  return result;
}

/* Others wait for this process, whether or not it waits for itself. */
static void *look_after(void *unused) {
  enum { PAUSE = 200 }; /* microseconds */
  for (;;) {
    usleep(PAUSE);
    standin_progress();
  }
  return unused;
}

static void start_thread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, look_after, NULL) != 0)
    abort();
  pthread_detach(thread);
}

void operation_give(operation *operation, void *stream) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start_thread);
  operation->work.run = run;
  operation->number = operation->comm->given++;
  standin_give(stream, &operation->work);
}
