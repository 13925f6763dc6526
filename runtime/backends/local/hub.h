/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What the parts of the local backend share: the hub between the ranks, and how a rank waits.
 * It must not know grids, collectives or MLIR. */
#ifndef TESSERA_RUNTIME_BACKENDS_LOCAL_HUB_H
#define TESSERA_RUNTIME_BACKENDS_LOCAL_HUB_H

#include <pthread.h>
#include <stdatomic.h>

#include "backends/local/users.h"
#include "planes/backend.h"
#include "room/account.h"
#include "room/room.h"

enum { MESSAGE_CAPACITY = 1024, ANY_PEER = -1 };

/* Transfers of collectives and sends of the program never match each other. */
typedef enum channel { CHANNEL_TRANSFER, CHANNEL_SEND, NUM_CHANNELS } channel;

struct hub;
typedef struct post post;
typedef struct transfer_state transfer_state;

typedef struct post_list {
  post *first, *last;
} post_list;

/* What a rank can wait for: it is over when nothing is pending. Then devices may still have copies
 * to do, which its stream follows. */
typedef struct event event;
struct event {
  int32_t rank;
  /* Whether it waits for something of another rank. With the lock held. */
  bool (*awaits)(const struct hub *hub, const event *event, int32_t rank);
  const struct local_room *room; /* where it waits for members; NULL: it waits for posts */
  _Atomic int64_t pending;       /* written under the lock */
  bool differs;                  /* a counterpart came that does not belong to it */
  tessera_stream *base;          /* of the call; NULL: the device's own */
  tessera_stream *stream;        /* in which the rank itself copies, which may be another */
  tr_event *ready;               /* what `base` was given before */
  const tr_event *followed;      /* by `stream`, the last one of a counterpart's */
  bool has_copied;
  tr_event *copied; /* what the rank copied in `stream`, where that is not `base` */
  post *done;       /* the list of posts that have a `done` */
};

typedef struct seat {
  pthread_cond_t wake;
  post_list *posts;      /* that this rank is to receive, from both sides, by channel and source */
  post_list from_any;    /* receives that take any source */
  transfer_state *begun; /* transfers of this rank that are not finished */
  const event *awaited;  /* NULL: the rank does not wait */
  const tessera_site *site; /* while it waits */
  bool is_closed;           /* its world: it will do nothing more */
  _Atomic(tr_user *) user;  /* the thread that used it last; NULL: none yet. Written under lock */
} seat;

/* A member that sleeps in a room. */
typedef struct sleeper {
  event *event;   /* NULL: it does not */
  int32_t member; /* whom it waits for */
} sleeper;

/* Where members use each other's memory. */
typedef struct local_room {
  tr_room room;
  struct known_group *group;
  int32_t rank;
  sleeper sleeper;
} local_room;

typedef struct known_group {
  int32_t size;
  int32_t *members;
  tr_room_memory *memory; /* of its room */
  local_room *rooms;      /* by member, each used by its own rank */
  struct hub *hub;
} known_group;

/* What the ranks share. Everything is guarded by `lock`, except tensors while they are copied. */
typedef struct hub {
  pthread_mutex_t lock;
  int32_t ranks;
  int32_t cores;       /* for all of them */
  int32_t buckets;     /* of sources, in each channel of a seat */
  uint64_t posted;     /* so far */
  int64_t kept;        /* buffered sends that are posted */
  int32_t open;        /* worlds not yet closed */
  int32_t waiting;     /* ranks that wait */
  double deserted;     /* since when all others have ended, in seconds; 0: they have not */
  _Atomic bool failed; /* written under lock */
  char message[MESSAGE_CAPACITY]; /* why */
  bool has_speaker;               /* `message` is in the words of one rank, who waited: */
  int32_t speaker;
  known_group **groups;
  int32_t num_groups;
  int32_t group_capacity;
  seat seats[];
} hub;

/* A group is the number of its list of members, the same for all ranks; handles are that plus one.
 */
static inline int32_t group_number(const tr_group *group) {
  return (int32_t)(intptr_t)group->handle - 1;
}

/* ---- waiting.c: all with the lock held ------------------------------------------------------- */

/* Every waiting rank returns, and so does every later call. */
void fail_hub(hub *hub, const char *message);
/* Why others have failed, or what this rank has waited for in vain. */
tessera_status peer_failure(const hub *hub, int32_t rank);
/* Something that the event waits for is done. */
void advance(hub *hub, event *event);
/* Where each rank has a core: looks at the event for a while, before it sleeps. The lock is free
 * meanwhile, which also orders what is written before the event is over. */
void linger(hub *hub, const event *event);
/* Until the event is over. Fails if another rank has, or if all ranks wait. */
tessera_status await(hub *hub, const tessera_site *site, const event *event);

/* True if two calls belong to one collective. */
bool same_collective(const tessera_site *a, const tessera_site *b);

/* ---- transfers.c ----------------------------------------------------------------------------- */

tessera_status local_plan_transfer(tr_world *world, const tr_group *group,
                                   const tr_message *messages, int64_t count, tr_job **job);
/* With the lock held: takes back all that this rank has begun. */
void withdraw_all(const tr_world *world);

/* ---- sends.c: of the program ----------------------------------------------------------------- */

tessera_status local_send(tr_world *world, const tr_group *group, const tessera_site *site,
                          int32_t peer, const tr_view *view);
tessera_status local_receive(tr_world *world, const tr_group *group, const tessera_site *site,
                             int32_t peer, const tr_view *view);
/* Drops the sends of this rank that nobody has received, and fails if there were any. */
tessera_status drop_unreceived(tr_world *world);

/* ---- posts.c --------------------------------------------------------------------------------- */

/* Frees what is left in a list. */
void free_posts(post_list *list);
/* Whether one of the event's posts is still to meet one of this rank. */
bool awaits_post(const hub *hub, const event *event, int32_t rank);

/* ---- rooms.c, reductions.c, exchanges.c: members use each other's memory ----------------------
 */

/* False if there is no memory. */
bool open_rooms(hub *hub, known_group *group);
void close_rooms(known_group *group);
/* This rank's in a group of several. */
local_room *room_of(tr_world *world, const tr_group *group);

/* This call, for all to compare. It is described once. */
typedef struct room_call {
  tr_room_call call;
  bool is_described; /* its site */
} room_call;

/* Brings the call with what is in the slot, and waits for the others, who make the same one. */
tessera_status meet_in_room(tr_world *world, local_room *room, const tessera_site *site,
                            room_call *call);
/* The same of a call in which members use each other's memory, which tr_room_finish ends. After a
 * failure nobody uses this rank's. */
tessera_status begin_in_room(tr_world *world, local_room *room, const tessera_site *site,
                             room_call *call);
/* What this rank has found fails everybody; unless another one was first. */
tessera_status fail_all(tr_world *world, tessera_status status, const char *text);

tessera_status local_plan_reduction(tr_world *world, const tr_group *group,
                                    const tr_collective *what, tr_job **job);
tessera_status local_plan_exchange(tr_world *world, const tr_group *group,
                                   const tr_message *messages, int64_t count, tr_job **job);

/* ---- control.c ------------------------------------------------------------------------------- */

extern const tr_control local_control;

#endif /* TESSERA_RUNTIME_BACKENDS_LOCAL_HUB_H */
