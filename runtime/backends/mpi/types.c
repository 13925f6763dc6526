/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Derived datatypes of strided memory: when they are worth it, and a cache of committed ones.
 * It must not know messages or collectives. */
#include <stdlib.h>
#include <string.h>

#include "backends/mpi/state.h"

enum { MOST_TYPES = 128 };

typedef struct cached_type {
  uint64_t hash;
  uint64_t last_use;
  uint64_t serial; /* from 1 */
  MPI_Datatype type;
  tr_runs runs;
} cached_type;

struct type_cache {
  uint64_t uses;
  uint64_t serial; /* of the last one */
  int32_t count;
  cached_type types[MOST_TYPES];
};

/* ---- the rule -------------------------------------------------------------------------------- */

/* Messages for which MPI's own walk over memory beats packing, measured by bench/collectives.sh
 * between two ranks of one host. Types let the copies into and out of a shared queue walk over the
 * memory themselves, without a buffer between, which is worth most where nothing fits the caches.
 * Of what does, short runs are packed faster than they are walked over; MPICH's walk is too slow
 * for most. */
typedef struct worth {
  tr_direction direction;
  size_t least, most; /* bytes of the message */
  int64_t shortest;   /* bytes of its runs */
} worth;

static const worth measured[] = {
#if defined(OPEN_MPI)
    {TR_SEND, 2048, 1 << 20, 1024},
    {TR_SEND, 1 << 20, SIZE_MAX, 64},
    {TR_RECEIVE, 1 << 17, 1 << 20, 256},
    {TR_RECEIVE, 1 << 20, SIZE_MAX, 64},
#else
    {TR_SEND, 1 << 13, 1 << 15, 256},
    {TR_SEND, 1 << 22, SIZE_MAX, 1024},
    {TR_RECEIVE, 1 << 22, SIZE_MAX, 256},
#endif
};

bool prefers_type(const mpi_state *state, tr_direction direction, const tr_view *view) {
  tr_runs runs;
  size_t bytes = tr_view_bytes(view);
  if (bytes >= LARGEST_MESSAGE) /* goes in parts */
    return false;
  if (state->strided != STRIDED_MEASURED)
    return state->strided == STRIDED_TYPED;
  tr_view_runs(view, &runs);
  for (size_t i = 0; i < sizeof(measured) / sizeof(measured[0]); i++) {
    const worth *row = &measured[i];
    if (direction == row->direction && bytes > row->least && bytes <= row->most &&
        runs.run >= row->shortest)
      return true;
  }
  return false;
}

/* ---- the cache ------------------------------------------------------------------------------- */

static uint64_t hash_runs(const tr_runs *runs) {
  uint64_t hash = (uint64_t)runs->run * 0x9e3779b97f4a7c15u + (uint64_t)runs->rank;
  for (int32_t i = 0; i < runs->rank; i++) {
    hash = (hash ^ (uint64_t)runs->sizes[i]) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (uint64_t)runs->steps[i] ^ hash >> 29) * 0x94d049bb133111ebu;
  }
  return hash;
}

static bool same_runs(const tr_runs *a, const tr_runs *b) {
  size_t bytes = sizeof(int64_t) * (size_t)a->rank;
  return a->run == b->run && a->rank == b->rank && memcmp(a->sizes, b->sizes, bytes) == 0 &&
         memcmp(a->steps, b->steps, bytes) == 0;
}

/* A vector of vectors, innermost first. */
static int build_type(const tr_runs *runs, MPI_Datatype *type) {
  int code = MPI_Type_contiguous((int)runs->run, MPI_BYTE, type);
  for (int32_t i = runs->rank - 1; code == MPI_SUCCESS && i >= 0; i--) {
    MPI_Datatype inner = *type;
    bool is_innermost = i == runs->rank - 1;
    code = is_innermost ? MPI_Type_create_hvector((int)runs->sizes[i], (int)runs->run,
                                                  (MPI_Aint)runs->steps[i], MPI_BYTE, type)
                        : MPI_Type_create_hvector((int)runs->sizes[i], 1, (MPI_Aint)runs->steps[i],
                                                  inner, type);
    MPI_Type_free(&inner);
  }
  return code == MPI_SUCCESS ? MPI_Type_commit(type) : code;
}

/* Room for one more: a new place, or that of the type that was not used for the longest time. MPI
 * keeps a freed type until the messages that use it are done. */
static cached_type *make_room(type_cache *cache) {
  if (cache->count < MOST_TYPES)
    return &cache->types[cache->count++];
  cached_type *oldest = &cache->types[0];
  for (int32_t i = 1; i < MOST_TYPES; i++)
    if (cache->types[i].last_use < oldest->last_use)
      oldest = &cache->types[i];
  MPI_Type_free(&oldest->type);
  return oldest;
}

static cached_type *find_type(type_cache *cache, const tr_runs *runs, uint64_t hash) {
  for (int32_t i = 0; i < cache->count; i++)
    if (cache->types[i].hash == hash && same_runs(&cache->types[i].runs, runs))
      return &cache->types[i];
  return NULL;
}

static cached_type *add_type(type_cache *cache, const tr_runs *runs, uint64_t hash) {
  MPI_Datatype type;
  if (build_type(runs, &type) != MPI_SUCCESS)
    return NULL;
  cached_type *added = make_room(cache);
  *added = (cached_type){.hash = hash, .serial = ++cache->serial, .type = type, .runs = *runs};
  return added;
}

/* What was at a place may have made room for another type. */
static bool is_there(const type_cache *cache, const known_type *known) {
  return known->serial > 0 && cache->types[known->place].serial == known->serial;
}

static cached_type *look_up(mpi_state *state, const tr_view *view) {
  tr_runs runs;
  if (!state->types && !(state->types = calloc(1, sizeof(*state->types))))
    return NULL;
  tr_view_runs(view, &runs);
  uint64_t hash = hash_runs(&runs);
  cached_type *type = find_type(state->types, &runs, hash);
  return type ? type : add_type(state->types, &runs, hash);
}

MPI_Datatype type_of_view(mpi_state *state, const tr_view *view, known_type *known) {
  cached_type *type = state->types && is_there(state->types, known)
                          ? &state->types->types[known->place]
                          : look_up(state, view);
  if (!type)
    return MPI_DATATYPE_NULL;
  type->last_use = ++state->types->uses;
  *known = (known_type){(int32_t)(type - state->types->types), type->serial};
  return type->type;
}

void free_types(mpi_state *state) {
  for (int32_t i = 0; state->types && i < state->types->count; i++)
    MPI_Type_free(&state->types->types[i].type);
  forget_types(state);
}

void forget_types(mpi_state *state) {
  free(state->types);
  state->types = NULL;
}
