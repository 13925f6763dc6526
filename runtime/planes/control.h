/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The control plane: how members find out whether they do the same, agree on numbers, and end. It
 * carries no tensors, so that those may go another way than this. It must not know grids, memory of
 * tensors, or MLIR. */
#ifndef TESSERA_RUNTIME_PLANES_CONTROL_H
#define TESSERA_RUNTIME_PLANES_CONTROL_H

#include "tessera/runtime.h"

#include "tensors/view.h"

typedef struct tr_world tr_world;
typedef struct tr_group tr_group;

/* Whether a call returns when it is done, or is waited for later. */
typedef enum tr_manner { TR_BLOCKING, TR_PENDING } tr_manner;

/* What a collective has in common with the same call of all other members. */
typedef struct tr_common {
  const tessera_site *site;
  const tr_view *view; /* of these extents; NULL: of none */
  int32_t except;      /* but not this dimension's; -1: all */
  int64_t root;        /* -1: none */
  tr_manner manner;
  uint64_t hash; /* of all this */
} tr_common;

/* All are collective over the members they name, in the same order on each; they return a status
 * and leave the message through tr_fail. */
typedef struct tr_control {
  /* Compares the call that begins, the last one in the group's book, and those before it that have
   * not been compared, with the other members'; at once or later. NULL where transfers compare
   * sites and shapes themselves. */
  tessera_status (*compare)(tr_world *world, const tr_group *group);

  /* `count` numbers of each member, in group order, `mine` being this one's. */
  tessera_status (*collect)(tr_world *world, const tr_group *group, const tessera_site *site,
                            int64_t count, const int64_t *mine, int64_t *all);

  /* Over all ranks, while none of them waits for another: compares what has not been compared yet.
   * Sends that nobody has received are dropped, and fail on the rank that sent them. */
  tessera_status (*settle)(tr_world *world);

  /* TESSERA_ERROR_PEER with its message if another rank has failed, as far as that is known without
   * waiting. Any thread; NULL: nothing is known. */
  tessera_status (*hear)(tr_world *world);

  /* Words between the watches of ranks on different hosts, of TR_WORD_BYTES at most: `tell` waits
   * for nobody, and a word may be lost; `listen` gives the next one that has come, and its bytes, 0
   * if there is none. Any thread, one at a time; NULL: there is no such way. */
  void (*tell)(tr_world *world, int32_t rank, const void *data, size_t bytes);
  size_t (*listen)(tr_world *world, int32_t *rank, void *data);
} tr_control;

enum { TR_WORD_BYTES = 5120 };

#endif /* TESSERA_RUNTIME_PLANES_CONTROL_H */
