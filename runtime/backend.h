/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The table of functions behind which ranks communicate, and what passes through it.
 * It knows ranks, groups and strided bytes; it must not know grids, collectives or MLIR. */
#ifndef TESSERA_RUNTIME_BACKEND_H
#define TESSERA_RUNTIME_BACKEND_H

#include "tessera/runtime.h"

#include "view.h"

/* Changes whenever anything in this header does: modules are loaded at run time. */
enum { TR_BACKEND_VERSION = 9 };

typedef struct tr_backend tr_backend;

/* A group of ranks. Members are in in-group order; `self` is this rank's position. Backends
 * identify a group by its members. */
typedef struct tr_group {
  int32_t size;
  int32_t self;
  int32_t *members; /* world ranks */
  void *handle;     /* the backend's; NULL in a group of one */
} tr_group;

typedef enum tr_direction { TR_SEND, TR_RECEIVE } tr_direction;

/* One piece of a grouped transfer. `peer` is an in-group position. */
typedef struct tr_message {
  tr_direction direction;
  int32_t peer;
  tr_view view;
} tr_message;

/* What a collective has in common with the same call of all other members. */
typedef struct tr_common {
  const tessera_site *site;
  const tr_view *view; /* of these extents; NULL: of none */
  int32_t except;      /* but not this dimension's; -1: all */
  int64_t root;        /* -1: none */
  uint64_t hash;       /* of all this, filled in by `check` */
} tr_common;

/* A collective: of kind all_gather, all_reduce, all_to_all, broadcast, gather, reduce,
 * reduce_scatter or scatter. What members send or receive may be cut into a part for each, or is
 * one part, whose `starts` are NULL. */
typedef struct tr_collective {
  tessera_site_kind kind;
  const tr_parts *in, *out; /* NULL on members that do not send, or do not receive */
  /* The same on all members: */
  int32_t root;       /* broadcast, gather, reduce, scatter */
  size_t whole;       /* bytes of all parts together */
  size_t part;        /* bytes of one, on the average */
  bool is_even;       /* all have that size */
  bool is_joined;     /* each would lie in one piece in dense memory, on both sides */
  tessera_dtype type; /* of reductions */
  tessera_reduction reduction;
} tr_collective;

/* This process's (or thread's) place in the world, filled by the backend's open function. */
typedef struct tr_world {
  const tr_backend *backend;
  void *state; /* the backend's */
  int32_t rank;
  int32_t size;
  int32_t host_ranks;     /* ranks on this host */
  int32_t host_cores;     /* cores that those ranks may use together */
  uint64_t program_calls; /* that this rank has begun: collectives of different ones never match */
} tr_world;

/* Functions return a status and leave the message through tr_fail. `site` is for messages and for
 * telling apart collectives that do not belong together. */
struct tr_backend {
  uint32_t version; /* TR_BACKEND_VERSION */
  const char *name;

  /* Fills group->handle. Called by all members, in the same order on each. */
  tessera_status (*create_group)(tr_world *world, tr_group *group);
  void (*destroy_group)(tr_world *world, tr_group *group);

  /* Compares a collective that begins with what the other members begin. NULL where transfers
   * compare sites and shapes themselves. */
  tessera_status (*check)(tr_world *world, const tr_group *group, tr_common *common);

  /* Does all sends and receives of `messages` as if at once, and waits for them. Members of a group
   * make matching calls in the same order; a message is matched by pair and order. Messages of a
   * rank to itself are copied while others are under way. */
  tessera_status (*transfer)(tr_world *world, const tr_group *group, const tessera_site *site,
                             const tr_message *messages, int64_t count);

  /* Sends without waiting for the receiver; the view may be reused at once. */
  tessera_status (*send)(tr_world *world, const tr_group *group, const tessera_site *site,
                         int32_t peer, const tr_view *view);
  /* Receives what `send` sent; from any member if `peer` is negative, also from itself. */
  tessera_status (*receive)(tr_world *world, const tr_group *group, const tessera_site *site,
                            int32_t peer, const tr_view *view);

  /* Collective over all ranks, while none of them waits for another. Sends that nobody has received
   * are dropped, and fail on the rank that sent them. */
  tessera_status (*settle)(tr_world *world);

  /* A collective by means of the backend's own. It may be NULL, or return
   * TESSERA_ERROR_UNSUPPORTED without effect and alike on all members: then messages do it. Values
   * may be combined in any order. */
  tessera_status (*collective)(tr_world *world, const tr_group *group,
                               const tr_collective *collective);

  /* What has been done and may come again: five functions, or NULL five times.
   * `check_again` compares a collective that `check` gave this hash. TESSERA_ERROR_UNSUPPORTED if
   * other members begin another: then `check`, which has to follow, tells how they differ. */
  tessera_status (*check_again)(tr_world *world, const tr_group *group, uint64_t hash);
  /* What `repeat` needs to do a collective of this description, or the transfer that was done last,
   * again on other memory with the same strides; given back by free(). NULL if there is no memory,
   * or it cannot be done again. What the transfer's messages refer to still has to be there. */
  void *(*keep)(tr_world *world, const tr_group *group, const tr_collective *collective);
  void *(*keep_transfer)(tr_world *world);
  tessera_status (*repeat)(tr_world *world, void *kept, char *in, char *out);
  /* `data` has the address for each message. */
  tessera_status (*repeat_transfer)(tr_world *world, void *kept, char *const *data);

  /* The calling thread uses this world from now on. NULL where nobody has to know. */
  void (*attend)(tr_world *world);

  /* This rank has failed: completes or takes back what it has begun, and makes the peers' calls
   * fail with TESSERA_ERROR_PEER and this message. Called once, and nothing after it but abort,
   * close, and what destroys groups. */
  void (*fail)(tr_world *world, const char *message);
  /* Ends the whole job; returns only where ranks share a process. */
  void (*abort)(tr_world *world, const char *message);
  /* After a failure this ends too, if necessary by ending the job. */
  void (*close)(tr_world *world);
};

/* What a loaded module may use of libtessera. */
typedef struct tr_backend_host {
  uint32_t version;
  tessera_status (*fail)(tessera_status status, const char *format, ...)
      __attribute__((format(printf, 2, 3)));
} tr_backend_host;

/* The function that a module exports as TR_BACKEND_SYMBOL. */
typedef tessera_status (*tr_backend_open)(const tr_backend_host *host, tr_world *world);
#define TR_BACKEND_SYMBOL "tessera_backend_open"

#endif /* TESSERA_RUNTIME_BACKEND_H */
