/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What the parts of the MPI backend share: its state, and the functions of its tables.
 * It must not know grids, collectives above the table, or MLIR. */
#ifndef TESSERA_RUNTIME_BACKENDS_MPI_STATE_H
#define TESSERA_RUNTIME_BACKENDS_MPI_STATE_H

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>

#include "planes/backend.h"

/* The version of the interface that this backend uses, so that a newer MPI cannot surprise it. */
#if MPI_VERSION < 3
#error "MPI 3 or newer is needed"
#endif

/* MPI counts are ints: longer messages go in parts, and are left to them by what has no parts. */
enum { LARGEST_MESSAGE = 1 << 30 };

/* Sends of the program, comparisons of calls, notices of failures and of the end after one,
 * collectives' messages of each lane, and words of the watch never match each other. */
enum { TAG_SEND = 1, TAG_CHECK = 2, TAG_NOTICE = 3, TAG_END = 4, TAG_TRANSFER = 5 };
enum { TAG_WORD = TAG_TRANSFER + TR_LANES };

static inline int tag_of(const tr_job_run *run) {
  return TAG_TRANSFER + run->lane;
}

typedef struct buffered_send buffered_send;
typedef struct type_cache type_cache;
typedef struct failure failure;
typedef struct mpi_room mpi_room;
typedef struct told_word told_word;
typedef struct lent_memory lent_memory;

/* A communicator and the members that it was made for, in order. */
typedef struct known_comm {
  struct known_comm *next;
  MPI_Comm comm;
  const tr_book *book; /* of the calls; NULL: none are compared */
  uint64_t due;        /* so many calls are compared next */
  uint64_t compared;   /* so many have been, and were the same on all members */
  uint64_t history;    /* a hash of all calls */
  mpi_room *room;      /* NULL: members are on several hosts, or share no memory */
  bool shares_hosts;   /* members are on several hosts, and on some of these several */
  int32_t size;
  int32_t members[];
} known_comm;

/* How messages of strided memory are done: by a measured rule, unless the environment says. */
typedef enum strided_way { STRIDED_MEASURED, STRIDED_PACKED, STRIDED_TYPED } strided_way;

/* How collectives are done: likewise. The same on all ranks. */
typedef enum collective_way {
  COLLECTIVES_MEASURED,
  COLLECTIVES_NATIVE,
  COLLECTIVES_MESSAGES,
  COLLECTIVES_SHARED,
  COLLECTIVES_DIRECT
} collective_way;

/* A transfer between its start and its end: its requests, receives first, of which those that have
 * not been started, or have ended, are null. */
typedef struct begun_transfer begun_transfer;
struct begun_transfer {
  begun_transfer *next, **link;
  int num_receives, num_requests;
  MPI_Request requests[];
};

typedef struct mpi_state {
  const tr_backend_host *host;
  MPI_Comm world; /* ours: messages of the host program never meet it */
  int32_t rank, ranks;
  int32_t host_ranks; /* that are taken for a host of their own, for tests; 0: those of each */
  bool initialized_here;
  bool is_over;           /* the host program has finalised MPI */
  int end_key;            /* of MPI_COMM_SELF: who is told of that */
  struct tr_board *board; /* of this host; NULL: there is none */
  struct tr_seat *seat;   /* this rank's on the board; NULL: there is none */
  bool is_crowded;        /* this host has more ranks than cores */
  bool any_is_crowded;    /* some host has */
  int32_t *hosts;         /* of each rank: the first rank on its host */
  failure *failure;       /* of this rank or another; NULL: none is known of */
  bool hears;             /* threads may ask whether another rank has failed */
  /* Other threads than the program's own call MPI with one of these: for notices, and for words, of
   * which one that does not leave keeps nobody from hearing. */
  pthread_mutex_t hearing, speaking;
  strided_way strided;
  collective_way collectives;
  uint64_t check_every; /* so many collectives at most are compared at once */
  known_comm *comms;
  buffered_send *sends;
  begun_transfer *begun; /* transfers that are not finished */
  type_cache *types;
  told_word *words; /* of the watch, on their way; used by its thread alone */
  lent_memory *lent;
} mpi_state;

/* ---- waits.c --------------------------------------------------------------------------------- */

/* As MPI_Wait and MPI_Waitall, giving the core up where ranks share it. */
int await_request(const mpi_state *state, MPI_Request *request, MPI_Status *status);
int await_all(const mpi_state *state, int num, MPI_Request *requests);
/* As MPI_Recv, of bytes. */
int receive(const mpi_state *state, void *in, int bytes, int from, int tag, MPI_Comm comm,
            MPI_Status *received);
/* As MPI_Sendrecv, of as many bytes both ways. */
int pass_on(const mpi_state *state, const void *out, int to, void *in, int from, int bytes, int tag,
            MPI_Comm comm, MPI_Status *received);

/* ---- errors.c -------------------------------------------------------------------------------- */

/* Ends the job, when the launcher has read what this rank has said. */
void mpi_abort(tr_world *world, const char *message);
/* TESSERA_OK, or the failure of the MPI function `what`. */
tessera_status check(const mpi_state *state, int code, const char *what);
tessera_status no_memory(const mpi_state *state, size_t bytes);

static inline MPI_Comm comm_of(const tr_group *group) {
  return ((const known_comm *)group->handle)->comm;
}

/* ---- end.c ----------------------------------------------------------------------------------- */

/* From now on the state is told when the host program ends MPI. Returns MPI's code. */
int mpi_notice_end(mpi_state *state);
/* Before the state goes, while there is MPI. */
void mpi_ignore_end(mpi_state *state);
/* TESSERA_OK, or an error if the host program has ended MPI. */
tessera_status mpi_is_over(const mpi_state *state);

/* ---- types.c: strided memory as MPI sees it -------------------------------------------------- */

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

/* ---- lent.c: memory that MPI uses while collectives are under way that nobody can cancel -------
 */

/* Zeros; NULL if there is no memory. */
void *lend(mpi_state *state, size_t bytes);
/* All is done in it. What is never taken back is MPI's until it ends. */
void take_back(mpi_state *state, void *memory);
/* Frees what was never taken back, when MPI has ended. */
void forget_lent(mpi_state *state);

/* ---- check.c: the control plane: whether members call the same collectives ------------------- */

extern const tr_control mpi_control;

/* ---- messages.c: transfers ------------------------------------------------------------------- */

tessera_status mpi_plan_transfer(tr_world *world, const tr_group *group, const tr_message *messages,
                                 int64_t count, tr_job **job);
/* That a message of `expected` bytes came, and no other: `code` is what MPI said of it. An empty
 * one may say that its sender has failed. */
tessera_status check_received(mpi_state *state, const known_comm *comm, int code,
                              const MPI_Status *received, int expected);

/* ---- sends.c: sends of the program ----------------------------------------------------------- */

tessera_status mpi_send(tr_world *world, const tr_group *group, const tessera_site *site,
                        int32_t peer, const tr_view *view);
tessera_status mpi_receive(tr_world *world, const tr_group *group, const tessera_site *site,
                           int32_t peer, const tr_view *view);
/* Drops what nobody has received. Collective over all ranks; `*any_left` says, alike on all, if
 * there was any. */
tessera_status settle_sends(tr_world *world, int *any_left);

/* ---- failure.c: how ranks hear of a failure -------------------------------------------------- */

/* True if this rank is known to have failed; waits so long for its notice. */
bool has_failed(mpi_state *state, int rank, double seconds);
/* True if a member of a group is known to have failed. */
bool any_has_failed(mpi_state *state, const known_comm *comm);
/* Fails with what has been heard. */
tessera_status peer_failure(const mpi_state *state);
void mpi_fail(tr_world *world, const char *message);
tessera_status mpi_hear(tr_world *world);
/* Before the end, of a rank that has failed: returns when all others know, and where MPI is to end,
 * are at their end too; or ends the job. */
void end_failed(mpi_state *state);

/* ---- whispers.c: what watches of several hosts say to each other ----------------------------- */

void mpi_tell(tr_world *world, int32_t rank, const void *data, size_t bytes);
size_t mpi_listen(tr_world *world, int32_t *rank, void *data);
/* Before MPI is finalized, also after a failure; then the memory, when MPI no longer reads it. */
void drop_words(mpi_state *state);
void forget_words(mpi_state *state);

/* ---- board.c: memory of the ranks of a host -------------------------------------------------- */

/* Zeros that the members share, or NULL on all of them, where they are not on one host or cannot
 * share any. Given back by munmap. `*descriptor` is the memory's, which the caller closes; -1:
 * there is none; NULL: none is wanted. Returns what MPI says. */
int share_memory(MPI_Comm comm, size_t bytes, void **memory, int *descriptor);
/* Memory of the ranks of a host, collective over them, in the world, with room for what is heard of
 * the others; NULL where they cannot share any. `*descriptor` as above. Returns what MPI says. */
int share_board(MPI_Comm host, tr_world *world, int *descriptor);

/* ---- after.c: who outlives the ranks --------------------------------------------------------- */

/* Has a process outlive the ranks of this host, if their launcher ends all at once. Collective,
 * `host` over those on the board, whose memory the descriptor is of. Returns what MPI says. */
int leave_after(const mpi_state *state, const tr_world *world, MPI_Comm host, int board);

/* ---- rooms.c: members of one host meet in memory --------------------------------------------- */

/* A room for the members of a group on this host, if all are there, or as many on each of several;
 * collective over them. */
tessera_status open_room(const tr_world *world, known_comm *comm);
void close_room(known_comm *comm);

/* ---- reductions.c: in these rooms -------------------------------------------------------------
 */

tessera_status mpi_plan_reduction(tr_world *world, const tr_group *group, const tr_collective *what,
                                  tr_job **job);

/* ---- native.c: MPI's own collectives --------------------------------------------------------- */

tessera_status mpi_plan_collective(tr_world *world, const tr_group *group,
                                   const tr_collective *what, tr_job **job);

#endif /* TESSERA_RUNTIME_BACKENDS_MPI_STATE_H */
