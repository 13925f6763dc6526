/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What the parts of the MPI backend share: its state, and the functions of its table.
 * It must not know grids, collectives above the table, or MLIR. */
#ifndef TESSERA_RUNTIME_BACKENDS_MPI_STATE_H
#define TESSERA_RUNTIME_BACKENDS_MPI_STATE_H

#include <mpi.h>
#include <stdbool.h>

#include "backend.h"

/* The version of the interface that this backend uses, so that a newer MPI cannot surprise it. */
#if MPI_VERSION < 3
#error "MPI 3 or newer is needed"
#endif

/* MPI counts are ints: longer messages go in parts, and are left to them by what has no parts. */
enum { LARGEST_MESSAGE = 1 << 30 };

/* Messages of collectives and sends of the program never match each other. */
enum { TAG_TRANSFER = 1, TAG_SEND = 2 };

typedef struct buffered_send buffered_send;
typedef struct type_cache type_cache;
typedef struct message_plan message_plan;

/* A communicator and the members that it was made for, in order. */
typedef struct known_comm {
  struct known_comm *next;
  MPI_Comm comm;
  int64_t calls;    /* of collectives so far */
  int64_t compared; /* the call that is compared next */
  uint64_t history; /* a hash of them all */
  bool differs;     /* from that of other members: the next call of mpi_check is to say how */
  int32_t size;
  int32_t members[];
} known_comm;

/* How messages of strided memory are done: by a measured rule, unless the environment says. */
typedef enum strided_way { STRIDED_MEASURED, STRIDED_PACKED, STRIDED_TYPED } strided_way;

/* How collectives are done: likewise. The same on all ranks. */
typedef enum collective_way {
  COLLECTIVES_MEASURED,
  COLLECTIVES_NATIVE,
  COLLECTIVES_MESSAGES
} collective_way;

/* Memory that is kept between calls. */
typedef struct kept_memory {
  void *data;
  size_t capacity;
} kept_memory;

typedef struct mpi_state {
  const tr_backend_host *host;
  MPI_Comm world; /* ours: messages of the host program never meet it */
  bool initialized_here;
  strided_way strided;
  collective_way collectives;
  int64_t check_every; /* so many collectives are compared at once */
  known_comm *comms;
  buffered_send *sends;
  type_cache *types;
  kept_memory plans;    /* message_plan, of one transfer */
  kept_memory requests; /* MPI_Request, of one transfer */
  kept_memory statuses; /* MPI_Status, of one transfer */
  kept_memory buffer;   /* packed pieces of one transfer, or what a collective writes */
  kept_memory in_copy;  /* what a collective reads */
  kept_memory counts;   /* int, of one collective */
} mpi_state;

/* TESSERA_OK, or the failure of the MPI function `what`. */
tessera_status check(const mpi_state *state, int code, const char *what);
tessera_status no_memory(const mpi_state *state, size_t bytes);
/* Makes room for so many bytes; what was there is lost. False if there is no memory. */
bool keep_memory(kept_memory *memory, size_t bytes);

static inline MPI_Comm comm_of(const tr_group *group) {
  return ((const known_comm *)group->handle)->comm;
}

/* ---- types.c: strided memory as MPI sees it ---- */

/* The committed type of a view that is not dense, if it is better sent or received by a type than
 * packed; MPI_DATATYPE_NULL if it is to be packed. Owned by the state. */
MPI_Datatype type_of_view(mpi_state *state, tr_direction direction, const tr_view *view);
/* Gives all types back to MPI, which must not be finalized yet. */
void free_types(mpi_state *state);
/* Frees their memory, which is all that is left to do after MPI_Finalize. */
void forget_types(mpi_state *state);

/* How many messages so many bytes go in, and the bytes of one of them. */
static inline size_t parts_of(size_t bytes) {
  return bytes / LARGEST_MESSAGE + 1;
}
static inline int part_of(size_t bytes, size_t index) {
  size_t rest = bytes - index * LARGEST_MESSAGE;
  return (int)(rest < LARGEST_MESSAGE ? rest : LARGEST_MESSAGE);
}

/* ---- check.c: whether members call the same collectives ---- */

tessera_status mpi_check(tr_world *world, const tr_group *group, tr_common *common);

static inline uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

/* Compares a call of this hash, and those since the last comparison, with the other members'.
 * TESSERA_ERROR_UNSUPPORTED if they differ: mpi_check says how. */
tessera_status compare_call(const mpi_state *state, known_comm *comm, uint64_t hash);

/* Notes that a call of this hash begins, and compares it if it is time. */
static inline tessera_status note_call(const mpi_state *state, known_comm *comm, uint64_t hash) {
  if (comm->calls + 1 >= comm->compared)
    return compare_call(state, comm, hash);
  comm->history = mix(comm->history, hash);
  comm->calls++;
  return TESSERA_OK;
}
/* Compares what has not been compared yet, in all groups. Collective over all ranks. */
tessera_status check_histories(mpi_state *state);

/* ---- messages.c: transfers ---- */

tessera_status mpi_transfer(tr_world *world, const tr_group *group, const tessera_site *site,
                            tr_message *messages, int64_t count);
/* That a message of `expected` bytes came, and no other: `code` is what MPI said of it. */
tessera_status check_received(const mpi_state *state, const known_comm *comm, int code,
                              const MPI_Status *received, int expected);

/* ---- sends.c: sends of the program ---- */

tessera_status mpi_send(tr_world *world, const tr_group *group, const tessera_site *site,
                        int32_t peer, const tr_view *view);
tessera_status mpi_receive(tr_world *world, const tr_group *group, const tessera_site *site,
                           int32_t peer, const tr_view *view);
tessera_status mpi_settle(tr_world *world);

/* ---- native.c: MPI's own collectives ---- */

tessera_status mpi_collective(tr_world *world, const tr_group *group, const tr_collective *what);
void *mpi_keep(tr_world *world, const tr_group *group, uint64_t hash, const tr_collective *what);
tessera_status mpi_repeat(tr_world *world, void *kept, char *in, char *out);

#endif /* TESSERA_RUNTIME_BACKENDS_MPI_STATE_H */
