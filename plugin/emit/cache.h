/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Values that are built once at the start of the function's entry block and found again. Shared
 * by the files of this folder alone. It knows keys and the entry block; it must not know what is
 * kept. */
#ifndef TESSERA_PLUGIN_EMIT_CACHE_H
#define TESSERA_PLUGIN_EMIT_CACHE_H

#include "emit/emit.h"

typedef enum ts_cached_kind {
  TS_CACHED_CONSTANT = 1, /* number */
  TS_CACHED_COORDINATE,   /* grid, number: axis */
  TS_CACHED_EXTENT,       /* grid, number: axis */
  TS_CACHED_SHARD_INDEX,  /* grid, factor's axes */
  TS_CACHED_OFFSET,       /* grid, factor */
  TS_CACHED_SIZE,         /* grid, factor */
  TS_CACHED_IS_FIRST,     /* grid, number: set of axes */
  TS_CACHED_HELD          /* grid, number: an extent as SSA value, factor: this device's share */
} ts_cached_kind;

/* What a cached value is, as numbers without padding: kind, grid, number, and of a factor its size,
 * how many axes, and the axes. */
typedef struct ts_cache_key {
  int64_t words[5 + (TS_MAX_AXES + 7) / 8];
} ts_cache_key;

ts_cache_key ts_make_key(ts_cached_kind kind, const ts_grid *grid, int64_t number,
                         const ts_factor *factor);
/* The value stored under `key`, or null. */
MlirValue ts_cache_find(const ts_emit *emit, const ts_cache_key *key);
/* Stores and returns `value`. */
MlirValue ts_cache_store(ts_emit *emit, const ts_cache_key *key, MlirValue value);

#endif /* TESSERA_PLUGIN_EMIT_CACHE_H */
