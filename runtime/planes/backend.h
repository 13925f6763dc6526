/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The table of functions behind which tensors travel between ranks, and what passes through it.
 * It knows ranks, groups and strided bytes; it must not know grids, collectives or MLIR, nor follow
 * an address of a tensor but through a device. */
#ifndef TESSERA_RUNTIME_PLANES_BACKEND_H
#define TESSERA_RUNTIME_PLANES_BACKEND_H

#include <stdlib.h>

#include "tessera/runtime.h"

#include "planes/control.h"
#include "planes/device.h"
#include "planes/ledger.h"
#include "planes/place.h"
#include "tensors/view.h"

/* Changes whenever anything in this header does: modules are loaded at run time. */
enum { TR_BACKEND_VERSION = 18 };

typedef struct tr_backend tr_backend;

/* A group of ranks. Members are in in-group order; `self` is this rank's position. Backends
 * identify a group by its members. */
struct tr_group {
  int32_t size;
  int32_t self;
  int32_t *members; /* world ranks */
  uint32_t *lanes;  /* taken by operations under way, as bits: shared by groups of these members */
  tr_book *book;    /* of its calls: shared likewise; NULL: nothing is called in it */
  void *handle;     /* the backend's; NULL in a group of one */
};

/* What tells apart the messages of operations that are under way at once in a group. Lane 0 is that
 * of operations that block. All members begin and end operations in the same order, so they give
 * them the same lanes. */
enum { TR_LANES = 17 };

typedef enum tr_direction { TR_SEND, TR_RECEIVE } tr_direction;

/* One piece of a grouped transfer. `peer` is an in-group position. */
typedef struct tr_message {
  tr_direction direction;
  int32_t peer;
  tr_view view; /* of a place */
} tr_message;

/* A plan's own ones. Most of a view is room, which is not copied. */
static inline void tr_messages_assign(tr_message *to, const tr_message *from, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    to[i].direction = from[i].direction;
    to[i].peer = from[i].peer;
    tr_view_assign(&to[i].view, &from[i].view);
  }
}

/* One side of a collective: dense memory, all of it or cut into a part for each member. */
typedef struct tr_side {
  char *data;            /* a place; NULL on members that do not send, or do not receive */
  size_t row;            /* bytes */
  int64_t rows;          /* in all parts */
  const int64_t *starts; /* part i is rows starts[i] to starts[i + 1]; NULL: one part */
} tr_side;

/* A collective: of kind all_gather, all_reduce, all_to_all, broadcast, gather, reduce,
 * reduce_scatter or scatter. */
typedef struct tr_collective {
  tessera_site_kind kind;
  tr_side in, out;
  /* The same on all members: */
  int32_t root;       /* broadcast, gather, reduce, scatter */
  size_t whole;       /* bytes of all parts together */
  size_t part;        /* bytes of one, on the average */
  bool is_even;       /* all have that size */
  bool is_joined;     /* each would lie in one piece in dense memory, on both sides */
  tessera_dtype type; /* of reductions */
  tessera_reduction reduction;
  const tr_combination *combination; /* of reductions: of a member's whole input */
  const tr_view *view;               /* likewise: what members have alike, for messages */
} tr_collective;

typedef struct tr_job tr_job;

/* One run of a job. What changes while it runs is in its `state` and `scratch` alone, so one job
 * may run several times at once. */
typedef struct tr_job_run {
  tr_job *job;
  const tr_group *group;
  const tessera_site *site; /* for messages, and for telling apart what does not belong together */
  tessera_stream *stream;
  const uintptr_t *bases; /* of the job's places */
  char *scratch;          /* job->scratch_bytes, on the device */
  void *state;            /* job->state_bytes, on the host */
  int32_t lane;           /* of the operation in the group */
  tr_manner manner;
} tr_job_run;

/* Transfers and collectives made ready by a backend, to be run once or often; given back by
 * tr_job_free. */
struct tr_job {
  tessera_status (*start)(tr_world *world, const tr_job_run *run);
  /* Has to follow when `start` was successful. NULL: `start` did it all. After a failure neither is
   * called again, and the backend's `fail` takes back what was begun. */
  tessera_status (*finish)(tr_world *world, const tr_job_run *run);
  size_t state_bytes, scratch_bytes;
  /* Gives back what the job has beside its own memory. NULL: nothing. */
  void (*close)(tr_job *job);
};

static inline void tr_job_free(tr_job *job) {
  if (job && job->close)
    job->close(job);
  free(job);
}

/* This process's (or thread's) place in the world, filled by the backend's open function, but for
 * the device. */
struct tr_world {
  const tr_backend *backend;
  const tr_control *control;
  const tr_device *device; /* on which this rank's tensors lie */
  void *state;             /* the backend's */
  int32_t rank;
  int32_t size;
  int32_t host_rank;      /* among the ranks on this host */
  int32_t host_ranks;     /* ranks on this host */
  int32_t host_cores;     /* cores that those ranks may use together */
  const int32_t *hosts;   /* of each rank the first one on its host; NULL: all are on this one */
  int32_t process_ranks;  /* ranks that are threads of this process; 0: this one alone */
  struct tr_board *board; /* that the processes of this host share; NULL: there is none */
  int32_t seat;           /* this rank's number on it */
  uint64_t program_calls; /* that this rank has begun: collectives of different ones never match */
};

/* Functions return a status and leave the message through tr_fail. */
struct tr_backend {
  uint32_t version; /* TR_BACKEND_VERSION */
  const char *name;
  /* Memory of accelerators too: its jobs follow the device's streams, which follow its jobs. Else
   * only what the host reaches, and what the stream was given is done before. */
  bool reaches_devices;

  /* Fills group->handle. Called by all members, in the same order on each. */
  tessera_status (*create_group)(tr_world *world, tr_group *group);
  void (*destroy_group)(tr_world *world, tr_group *group);

  /* A job that does all sends and receives of `messages` as if at once. Members of a group run
   * matching jobs in the same order; a message is matched by lane, pair and order. Messages of
   * a rank to itself are copied while others are under way. */
  tessera_status (*plan_transfer)(tr_world *world, const tr_group *group,
                                  const tr_message *messages, int64_t count, tr_job **job);
  /* Of every rank, for a group that all ranks make now, each its own one; `group` is NULL on ranks
   * that have theirs already, whose members then all have. NULL: as create_group. */
  tessera_status (*create_groups)(tr_world *world, tr_group *group);

  /* A job that does a collective by means of the backend's own, for calls that block, or for all
   * where `starts_collectives`. It may be NULL, or return TESSERA_ERROR_UNSUPPORTED, alike on all
   * members: then messages do it. Values may be combined in any order. */
  bool starts_collectives;
  tessera_status (*plan_collective)(tr_world *world, const tr_group *group,
                                    const tr_collective *collective, tr_job **job);
  /* The same of all_reduce and reduce_scatter, by which values of all types are converted and
   * combined as `combination` has it: in the order of members; where these are on several hosts,
   * those of each host first, and then the hosts, in the order of their first members. So results
   * are the same on all members, and every time. It is asked first, and may be NULL or unsupported
   * likewise. */
  tessera_status (*plan_reduction)(tr_world *world, const tr_group *group,
                                   const tr_collective *collective, tr_job **job);
  /* Like plan_transfer, of messages of which each member has one at most to each one and from each
   * one, itself included, for calls that block. It may be NULL, or unsupported likewise. */
  tessera_status (*plan_exchange)(tr_world *world, const tr_group *group,
                                  const tr_message *messages, int64_t count, tr_job **job);

  /* On the device's own stream. Sends without waiting for the receiver; the view may be reused at
   * once. */
  tessera_status (*send)(tr_world *world, const tr_group *group, const tessera_site *site,
                         int32_t peer, const tr_view *view);
  /* Receives what `send` sent; from any member if `peer` is negative, also from itself. */
  tessera_status (*receive)(tr_world *world, const tr_group *group, const tessera_site *site,
                            int32_t peer, const tr_view *view);

  /* The calling thread uses this world from now on. NULL where nobody has to know. */
  void (*attend)(tr_world *world);

  /* This rank has failed: completes or takes back what it has begun, so that nothing reads or
   * writes its memory, and makes the peers' calls fail with TESSERA_ERROR_PEER and this message.
   * Called once, and nothing after it but abort, close, and what destroys groups. */
  void (*fail)(tr_world *world, const char *message);
  /* Ends the whole job; returns only where ranks share a process. */
  void (*abort)(tr_world *world, const char *message);
  /* After a failure this ends too, if necessary by ending the job. */
  void (*close)(tr_world *world);
};

/* Before the backend is given memory that the stream has work for. */
static inline tessera_status tr_world_settle(const tr_world *world, tessera_stream *stream) {
  return world->backend->reaches_devices ? TESSERA_OK : tr_device_settle(world->device, stream);
}

/* What a loaded module may use of libtessera. */
typedef struct tr_backend_host {
  uint32_t version;
  const tr_device *device; /* the host, for memory that it reaches */
  double patience;         /* seconds that a rank waits for others; 0: for ever */
  tessera_status (*fail)(tessera_status status, const char *format, ...)
      __attribute__((format(printf, 2, 3)));
} tr_backend_host;

/* The function that a module exports as TR_BACKEND_SYMBOL. A module for the memory of a device is
 * given a world that has a backend, and `device`: it puts its own functions before those of that
 * backend, which go on to carry what is no tensor. Collective over all ranks then. */
typedef tessera_status (*tr_backend_open)(const tr_backend_host *host, tr_world *world);
#define TR_BACKEND_SYMBOL "tessera_backend_open"

#endif /* TESSERA_RUNTIME_PLANES_BACKEND_H */
