/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where plans are kept: each program of a context has a cache, with a shelf for each of its sites.
 * It must not know any particular collective, nor what a plan does. */
#ifndef TESSERA_RUNTIME_PLANS_CACHE_H
#define TESSERA_RUNTIME_PLANS_CACHE_H

#include "planes/program_life.h"
#include "plans/plan.h"

/* The plans for one site, that of the last call first. */
typedef struct tr_shelf {
  const tessera_site *site;
  tr_plan *first;
} tr_shelf;

typedef struct tr_cache {
  struct tr_cache *next;
  tr_life *life; /* of the program; NULL: of sites that belong to none */
  size_t bytes;
  int32_t num_shelves;
  tr_shelf shelves[];
} tr_cache;

/* A context's. */
typedef struct tr_caches {
  tr_cache *first, *last_used;
  tr_cache *loose; /* of sites that belong to no program; NULL: none yet */
} tr_caches;

/* A call as it comes. */
typedef struct tr_asked {
  const tr_collective_row *row;
  tr_manner manner;
  const tessera_site *site;
  const tr_memref *in, *out;
  const int64_t *numbers;
} tr_asked;

/* The plan for a call, if there is one that does not depend on what members agree on. */
tr_plan *tr_cache_find(tr_caches *caches, const tr_asked *asked);
/* Of a site, a plan that has the key of `made`. */
tr_plan *tr_cache_find_same(tr_caches *caches, const tessera_site *site, const tr_plan *made);
/* Keeps a plan whose key is complete, if its site may come again. */
void tr_cache_keep(tr_caches *caches, const tessera_site *site, tr_plan *plan);

/* A shelf for each site of the program, and none any more for programs that are no longer loaded.
 * False if there is no memory. */
bool tr_caches_add(tr_caches *caches, const tessera_program_record *record, tr_life *life);
void tr_caches_free(tr_caches *caches);

#endif /* TESSERA_RUNTIME_PLANS_CACHE_H */
