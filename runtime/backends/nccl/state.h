/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What the parts of the NCCL backend share: its state, and the functions of its tables.
 * It must not know grids, collectives above the table, or MLIR. */
#ifndef TESSERA_RUNTIME_BACKENDS_NCCL_STATE_H
#define TESSERA_RUNTIME_BACKENDS_NCCL_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "backends/nccl/library.h"

/* A group's members, in order, and their communicator. Groups of the same members share one. */
typedef struct known_comm known_comm;
struct known_comm {
  known_comm *next; /* that was made before */
  tr_group base;    /* the same members for the backend that carries what is no tensor */
  nccl_comm comm;   /* NULL: none, not yet or not any more */
};

/* A piece of NCCL's work in a stream, or several that follow each other. */
typedef struct piece {
  tr_event *before, *after;
  double since;    /* when the first of it was seen to be under way, in seconds; 0: not yet */
  char place[128]; /* in the source, of the last */
} piece;

/* What NCCL has to do in a stream, the oldest first. What other work the stream has in between is
 * none of it. */
enum { PIECES = 64 };
typedef struct progress {
  uint32_t first, count;
  piece pieces[PIECES];
} progress;

enum { NUM_STREAMS = 2 };

typedef struct nccl_state {
  const tr_backend_host *host;
  const nccl_library *nccl;
  const tr_device *device;
  tr_world base; /* of the other backend, whose tensors are the host's */
  known_comm all, *comms;
  pthread_t lookout; /* the thread that looks after what is under way (lookout.c) */
  pthread_cond_t wake;

  /* Of what follows; whoever calls NCCL has it. */
  pthread_mutex_t lock;
  bool is_ending;
  progress streams[NUM_STREAMS];
  tessera_status failure; /* TESSERA_OK: none */
  char message[1024];
} nccl_state;

static inline nccl_state *nccl_state_of(const tr_world *world) {
  return world->state;
}

static inline known_comm *comm_of(const tr_group *group) {
  return group->handle;
}

/* ---- comms.c: communicators, and calls of NCCL ----------------------------------------------- */

/* The group's members' communicator, made by them; or by all ranks, `group` being NULL on those
 * that have theirs. */
tessera_status nccl_create_group(tr_world *world, tr_group *group);
tessera_status nccl_create_groups(tr_world *world, tr_group *group);
void nccl_destroy_group(tr_world *world, tr_group *group);
/* That of all ranks, when the others are there. */
tessera_status nccl_open_all(nccl_state *state);
/* Ends all, when what was under way is done, or has been given up. */
void nccl_close_comms(nccl_state *state);
/* Each rank brings a status; TESSERA_ERROR_PEER with `what` where another one's is none. */
tessera_status nccl_agree(nccl_state *state, tessera_status mine, const char *what);

/* ---- streams.c: work for a stream ------------------------------------------------------------ */

/* A call of NCCL on its way. */
typedef struct work {
  nccl_state *state;
  progress *progress;
  nccl_comm comm;
  void *stream;
} work;

/* Between the two NCCL is called with `comm` and `stream`, by nobody else: fails without that. The
 * streams of a run that is pending go on beside the device's own, after what that was given. */
tessera_status nccl_begin_work(tr_world *world, const tr_job_run *run, work *work);
tessera_status nccl_end_work(const tr_job_run *run, work *work, nccl_result result,
                             const char *what);
/* The device's own stream goes on after a pending run; nothing to do for one that blocks. */
tessera_status nccl_finish_work(tr_world *world, const tr_job_run *run);
/* What a job keeps in its state. */
enum { NCCL_STATE_BYTES = sizeof(tr_event *) };
/* With the lock: until the communicator has done what it was asked for, or patience is over. */
nccl_result nccl_await(nccl_state *state, nccl_comm comm);
/* The failure of an NCCL function, with the lock. */
tessera_status nccl_failure(nccl_state *state, nccl_comm comm, nccl_result result,
                            const char *what);

/* ---- lookout.c: what goes wrong while the host waits for a device -------------------------------
 */

bool nccl_start_lookout(nccl_state *state);
void nccl_stop_lookout(nccl_state *state);
/* With the lock: work of NCCL's at this place begins in a stream, and what was given now is all. */
void nccl_watch_begin(nccl_state *state, progress *progress, void *stream);
void nccl_watch_end(nccl_state *state, progress *progress, void *stream, const tessera_site *site);
/* With the lock: this rank does no more; nothing of NCCL's uses memory when it returns. */
void nccl_give_up(nccl_state *state, tessera_status status, const char *message);
/* With the lock: gives up if another rank has failed, as far as that is known. */
void nccl_listen(nccl_state *state);
double nccl_now(void);

/* ---- native.c: NCCL's own collectives -------------------------------------------------------- */

tessera_status nccl_plan_collective(tr_world *world, const tr_group *group,
                                    const tr_collective *what, tr_job **job);

/* ---- messages.c: transfers ------------------------------------------------------------------- */

tessera_status nccl_plan_transfer(tr_world *world, const tr_group *group,
                                  const tr_message *messages, int64_t count, tr_job **job);

/* ---- below.c: what goes by the other backend --------------------------------------------------
 */

extern const tr_control nccl_control;
/* The other backend's world, in the state of this one. */
tr_world *nccl_base(tr_world *world);
tessera_status nccl_send(tr_world *world, const tr_group *group, const tessera_site *site,
                         int32_t peer, const tr_view *view);
tessera_status nccl_receive(tr_world *world, const tr_group *group, const tessera_site *site,
                            int32_t peer, const tr_view *view);

#endif /* TESSERA_RUNTIME_BACKENDS_NCCL_STATE_H */
