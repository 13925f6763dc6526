/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* NCCL without GPUs: its work is that of the streams of the stand-in's driver, and goes from
 * process to process through shared memory. It must not know Tessera. */
#ifndef TESSERA_TEST_CUDA_NCCL_H
#define TESSERA_TEST_CUDA_NCCL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "standin.h"

enum { MOST_RANKS = 16, MOST_SPLITS = 64 };

enum {
  DONE = 0,
  CUDA_FAILED = 1,
  SYSTEM_FAILED = 2,
  INVALID_ARGUMENT = 4,
  INVALID_USAGE = 5,
  REMOTE_FAILED = 6,
  IN_PROGRESS = 7
};

/* ---- nccl_wire.c: memory that the ranks of a communicator share ------------------------------ */

/* Who opened the memory, and under which descriptor. */
typedef struct place {
  int64_t pid, descriptor;
} place;

typedef struct split {
  _Atomic int arrived;
  int colors[MOST_RANKS], keys[MOST_RANKS];
  place places[MOST_RANKS]; /* of the new memory, by the parent's rank that made it */
  _Atomic int made[MOST_RANKS];
} split;

/* Bytes on their way from one rank to another. */
typedef struct ring {
  _Alignas(64) _Atomic uint64_t written;
  _Alignas(64) _Atomic uint64_t read;
  char data[1 << 14];
} ring;

typedef struct wire {
  _Atomic int arrived;
  int gpus[MOST_RANKS];
  split splits[MOST_SPLITS];
  ring rings[MOST_RANKS][MOST_RANKS]; /* from, to */
} wire;

/* NULL: there is no memory. */
wire *wire_create(place *place);
wire *wire_open(const place *place);
void wire_close(wire *wire);
/* As many of the bytes as go at once. */
size_t ring_write(ring *ring, const char *data, size_t bytes);
size_t ring_read(ring *ring, char *data, size_t bytes);

/* ---- communicators --------------------------------------------------------------------------- */

typedef enum phase { OPENING, READY, SPLITTING } phase;

typedef struct comm {
  struct comm *next; /* of all that were made */
  wire *wire;
  int rank, size;
  phase phase;
  int polls; /* for so many more the state is that something is in progress */
  int error; /* DONE: none */
  bool is_aborted;
  bool is_stuck;           /* work stays where it is */
  uint64_t given, started; /* operations: they are done in the order in which they are given */
  int num_splits;
  struct comm **part; /* of the split that goes on */
  char message[256];
} comm;

/* Of all communicators of the process. */
void nccl_lock(void);
void nccl_unlock(void);

/* ---- nccl_work.c: operations ----------------------------------------------------------------- */

typedef enum kind { MESSAGES, ALL_GATHER, ALL_REDUCE, BROADCAST, REDUCE, REDUCE_SCATTER } kind;

/* What the members of a collective have in common. */
typedef struct common {
  int32_t kind, type, operation, root;
  uint64_t bytes; /* of a piece */
} common;

typedef struct piece {
  bool is_sent;
  int peer;
  uint64_t address; /* of what is sent; of where a message is to go */
  size_t bytes, done;
  size_t header; /* bytes of it that are done */
  common common;
  char *arrived; /* what is received, until all is there */
} piece;

typedef struct operation operation;

operation *operation_create(comm *comm, const common *common, uint64_t in, uint64_t out);
void operation_add(operation *operation, bool is_sent, int peer, uint64_t address, size_t bytes,
                   const common *common);
/* Gives it to a stream, which frees it. */
void operation_give(operation *operation, void *stream);
size_t type_bytes(int type);

#endif /* TESSERA_TEST_CUDA_NCCL_H */
