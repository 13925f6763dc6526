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

/* Messages of collectives, sends of the program, comparisons of calls and notices of failures never
 * match each other. */
enum { TAG_TRANSFER = 1, TAG_SEND = 2, TAG_CHECK = 3, TAG_NOTICE = 4 };

typedef struct buffered_send buffered_send;
typedef struct type_cache type_cache;
typedef struct transfer_plan transfer_plan;
typedef struct failure failure;

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
  int32_t rank, ranks;
  bool initialized_here;
  failure *failure; /* of this rank or another; NULL: none is known of */
  strided_way strided;
  collective_way collectives;
  int64_t check_every; /* so many collectives at most are compared at once */
  known_comm *comms;
  buffered_send *sends;
  type_cache *types;
  kept_memory plans;    /* transfer_plan, of the last transfer */
  kept_memory requests; /* MPI_Request, of one transfer */
  int num_requests;     /* of them, those that may be under way: receives first */
  int num_receives;
  kept_memory buffer;  /* packed pieces of one transfer, or what a collective writes */
  kept_memory in_copy; /* what a collective reads */
  kept_memory counts;  /* int, of one collective */
} mpi_state;

/* TESSERA_OK, or the failure of the MPI function `what`. */
tessera_status check(const mpi_state *state, int code, const char *what);
tessera_status no_memory(const mpi_state *state, size_t bytes);
bool enlarge_memory(kept_memory *memory, size_t bytes);
/* Makes room for so many bytes; what was there is lost. False if there is no memory. */
static inline bool keep_memory(kept_memory *memory, size_t bytes) {
  return bytes <= memory->capacity || enlarge_memory(memory, bytes);
}

static inline MPI_Comm comm_of(const tr_group *group) {
  return ((const known_comm *)group->handle)->comm;
}

/* ---- types.c: strided memory as MPI sees it ---- */

/* Where a type was found; zero: not yet. */
typedef struct known_type {
  int32_t place;
  uint64_t serial; /* of the type that was there */
} known_type;

/* True if a view that is not dense is better sent or received by a type than packed, as far as was
 * measured once, or the environment says. */
bool prefers_type(const mpi_state *state, tr_direction direction, const tr_view *view);
/* The committed type of a view; MPI_DATATYPE_NULL if it cannot be made. Owned by the state: the
 * last ones that were asked for, 128 at least, are there. A view that was asked for before is found
 * at `known`, which is written. */
MPI_Datatype type_of_view(mpi_state *state, const tr_view *view, known_type *known);
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
tessera_status mpi_check_again(tr_world *world, const tr_group *group, uint64_t hash);

/* Compares what has not been compared yet, in all groups. Collective over all ranks. */
tessera_status check_histories(mpi_state *state);

/* ---- messages.c: transfers ---- */

tessera_status mpi_transfer(tr_world *world, const tr_group *group, const tessera_site *site,
                            const tr_message *messages, int64_t count);
void *mpi_keep_transfer(tr_world *world);
tessera_status mpi_repeat_transfer(tr_world *world, void *kept, char *const *data);
/* That a message of `expected` bytes came, and no other: `code` is what MPI said of it. An empty
 * one may say that its sender has failed. */
tessera_status check_received(mpi_state *state, const known_comm *comm, int code,
                              const MPI_Status *received, int expected);

/* ---- sends.c: sends of the program ---- */

tessera_status mpi_send(tr_world *world, const tr_group *group, const tessera_site *site,
                        int32_t peer, const tr_view *view);
tessera_status mpi_receive(tr_world *world, const tr_group *group, const tessera_site *site,
                           int32_t peer, const tr_view *view);
tessera_status mpi_settle(tr_world *world);

/* ---- failure.c: how ranks hear of a failure ---- */

/* True if this rank is known to have failed; waits so long for its notice. */
bool has_failed(mpi_state *state, int rank, double seconds);
/* Fails with what has been heard. */
tessera_status peer_failure(const mpi_state *state);
void mpi_fail(tr_world *world, const char *message);
/* Before the end, of a rank that has failed: returns when all others know, or ends the job. */
void end_failed(mpi_state *state);

/* ---- mpi.c ---- */

void mpi_abort(tr_world *world, const char *message);

/* ---- native.c: MPI's own collectives ---- */

tessera_status mpi_collective(tr_world *world, const tr_group *group, const tr_collective *what);
void *mpi_keep(tr_world *world, const tr_group *group, const tr_collective *what);
tessera_status mpi_repeat(tr_world *world, void *kept, char *in, char *out);

#endif /* TESSERA_RUNTIME_BACKENDS_MPI_STATE_H */
