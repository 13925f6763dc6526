/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Plans by program, site and shape.
 * It must not know any particular collective, nor what a plan does. */
#include "plans/cache.h"

#include <stdlib.h>
#include <string.h>

/* Shapes that change with every call would fill the memory: a site has so many plans at most, and
 * the sites of a program together so many bytes. */
enum { MOST_PLANS = 16, MOST_BYTES = 1 << 26 };

/* Sites of no program share shelves by their numbers. */
enum { LOOSE_SHELVES = 64 };

/* ---- shelves --------------------------------------------------------------------------------- */

static bool has_site(const tr_cache *cache, const tessera_site *site) {
  return cache && site->index < cache->num_shelves && cache->shelves[site->index].site == site;
}

static tr_cache *create_cache(int32_t num_shelves, tr_life *life) {
  tr_cache *cache = calloc(1, sizeof(*cache) + sizeof(tr_shelf) * (size_t)num_shelves);
  if (!cache)
    return NULL;
  cache->num_shelves = num_shelves;
  cache->life = life;
  return cache;
}

/* NULL if there is no memory. */
static tr_cache *loose_cache(tr_caches *caches) {
  if (!caches->loose)
    caches->loose = create_cache(LOOSE_SHELVES, NULL);
  return caches->loose;
}

__attribute__((noinline)) static tr_cache *search_cache(tr_caches *caches,
                                                        const tessera_site *site) {
  for (tr_cache *cache = caches->first; cache; cache = cache->next)
    if (has_site(cache, site))
      return caches->last_used = cache;
  return loose_cache(caches);
}

/* The cache that a site's plans are in; NULL if it has none, as a site that may live for one call.
 */
static inline tr_cache *cache_of(tr_caches *caches, const tessera_site *site) {
  if (site->index < 0 || !site->grid)
    return NULL;
  return has_site(caches->last_used, site) ? caches->last_used : search_cache(caches, site);
}

static inline tr_shelf *shelf_of(tr_cache *cache, const tessera_site *site) {
  return &cache->shelves[cache->life ? site->index : site->index % cache->num_shelves];
}

/* ---- the same call? -------------------------------------------------------------------------- */

/* Whatever a record's members are. */
typedef uint64_t __attribute__((may_alias)) word;

/* Records of whole words, in one go: one that differs is rare. */
static inline bool same_words(const void *a, const void *b, size_t bytes) {
  const word *ours = a, *theirs = b;
  word difference = 0;
  for (size_t i = 0; i < bytes / sizeof(word); i++)
    difference |= ours[i] ^ theirs[i];
  return difference == 0;
}

_Static_assert(sizeof(tessera_site) % sizeof(word) == 0, "a site consists of whole words");

/* Lists say themselves where they end: one that differs does so before its end. A list that is NULL
 * has none of them. */
static inline bool same_list(const int64_t **kept, const int64_t *list, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (!list || (*kept)[i] != list[i])
      return false;
  *kept += count;
  return true;
}

static inline bool same_axes(const tr_key *key, const tessera_site *site) {
  for (int32_t i = 0; i < site->num_axes; i++)
    if (key->axes[i] != site->axes[i])
      return false;
  return true;
}

static inline char *data_of(const tr_side_key *side, const tr_memref *memref) {
  return side->is_used ? tr_memref_data(memref, (size_t)side->element) : NULL;
}

/* All that a site consists of, for nothing lies between its members, and what it points to; then
 * what else a call depends on. */
static inline bool is_asked(const tr_key *key, const tr_asked *asked) {
  const tessera_site *site = asked->site;
  const int64_t *words = key->words;
  return key->row == asked->row && key->manner == asked->manner &&
         same_words(&key->site, site, sizeof(*site)) &&
         same_list(&words, asked->in->dims, 2 * (int64_t)key->in.rank) &&
         same_list(&words, asked->out->dims, 2 * (int64_t)key->out.rank) &&
         key->grid_rank == site->grid->rank &&
         same_list(&words, site->grid->shape, key->grid_rank) && same_axes(key, site) &&
         same_list(&words, asked->numbers, key->num_numbers) &&
         same_list(&words, site->from, key->num_from) && same_list(&words, site->to, key->num_to) &&
         tr_relation_of(&key->in, data_of(&key->in, asked->in), &key->out,
                        data_of(&key->out, asked->out)) == key->relation;
}

static int64_t words_of(const tr_key *key) {
  return 2 * ((int64_t)key->in.rank + key->out.rank) + key->grid_rank + key->num_numbers +
         key->num_from + key->num_to + key->num_agreed;
}

static bool is_same(const tr_key *a, const tr_key *b) {
  return a->row == b->row && a->manner == b->manner && a->relation == b->relation &&
         same_words(&a->site, &b->site, sizeof(a->site)) && a->in.is_used == b->in.is_used &&
         a->out.is_used == b->out.is_used && a->in.rank == b->in.rank &&
         a->out.rank == b->out.rank && a->grid_rank == b->grid_rank &&
         a->num_numbers == b->num_numbers && a->num_from == b->num_from && a->num_to == b->num_to &&
         a->num_agreed == b->num_agreed && same_axes(a, &b->site) &&
         same_words(a->words, b->words, sizeof(int64_t) * (size_t)words_of(a));
}

/* ---- plans ----------------------------------------------------------------------------------- */

static tr_plan *make_first(tr_shelf *shelf, tr_plan *before, tr_plan *plan) {
  if (before) {
    before->next = plan->next;
    plan->next = shelf->first;
    shelf->first = plan;
  }
  return plan;
}

tr_plan *tr_cache_find(tr_caches *caches, const tr_asked *asked) {
  tr_cache *cache = cache_of(caches, asked->site);
  tr_shelf *shelf = cache ? shelf_of(cache, asked->site) : NULL;
  tr_plan *before = NULL;
  for (tr_plan *plan = shelf ? shelf->first : NULL; plan; before = plan, plan = plan->next)
    if (plan->key.num_agreed == 0 && is_asked(&plan->key, asked))
      return make_first(shelf, before, plan);
  return NULL;
}

tr_plan *tr_cache_find_same(tr_caches *caches, const tessera_site *site, const tr_plan *made) {
  tr_cache *cache = cache_of(caches, site);
  tr_shelf *shelf = cache ? shelf_of(cache, site) : NULL;
  tr_plan *before = NULL;
  for (tr_plan *plan = shelf ? shelf->first : NULL; plan; before = plan, plan = plan->next)
    if (is_same(&plan->key, &made->key))
      return make_first(shelf, before, plan);
  return NULL;
}

static void drop(tr_cache *cache, tr_plan **link) {
  tr_plan *plan = *link;
  *link = plan->next;
  cache->bytes -= plan->bytes;
  plan->is_kept = false;
  if (plan->users == 0)
    tr_plan_free(plan);
}

static void drop_all(tr_cache *cache) {
  for (int32_t i = 0; i < cache->num_shelves; i++)
    while (cache->shelves[i].first)
      drop(cache, &cache->shelves[i].first);
}

static void drop_last(tr_cache *cache, tr_shelf *shelf) {
  tr_plan **link = &shelf->first;
  for (int count = 0; *link && count < MOST_PLANS; count++)
    link = &(*link)->next;
  if (*link)
    drop(cache, link);
}

void tr_cache_keep(tr_caches *caches, const tessera_site *site, tr_plan *plan) {
  tr_cache *cache = cache_of(caches, site);
  if (!cache)
    return;
  if (cache->bytes + plan->bytes > MOST_BYTES)
    drop_all(cache);
  tr_shelf *shelf = shelf_of(cache, site);
  plan->is_kept = true;
  plan->next = shelf->first;
  shelf->first = plan;
  cache->bytes += plan->bytes;
  drop_last(cache, shelf);
}

/* ---- programs -------------------------------------------------------------------------------- */

static void free_cache(tr_cache *cache) {
  if (!cache)
    return;
  drop_all(cache);
  tr_life_release(cache->life);
  free(cache);
}

/* The caches of programs that are no longer loaded. */
static void sweep(tr_caches *caches) {
  caches->last_used = NULL;
  for (tr_cache **link = &caches->first; *link;) {
    tr_cache *cache = *link;
    if (!cache->life->has_ended) {
      link = &cache->next;
      continue;
    }
    *link = cache->next;
    free_cache(cache);
  }
}

bool tr_caches_add(tr_caches *caches, const tessera_program_record *record, tr_life *life) {
  sweep(caches);
  for (tr_cache *cache = caches->first; cache; cache = cache->next)
    if (cache->life == life)
      return true;
  tr_cache *cache = create_cache(record->num_sites, tr_life_refer(life));
  if (!cache) {
    tr_life_release(life);
    return false;
  }
  for (int32_t i = 0; i < record->num_sites; i++)
    cache->shelves[i].site = record->sites[i];
  cache->next = caches->first;
  caches->first = cache;
  return true;
}

void tr_caches_free(tr_caches *caches) {
  for (tr_cache *cache = caches->first, *next; cache; cache = next) {
    next = cache->next;
    free_cache(cache);
  }
  free_cache(caches->loose);
}
