/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Objects that were compiled before, in files that are called by a hash of all that they depend on.
 * Entries and folders must not know what a compilation is. */
#ifndef TESSERA_COMPILE_CACHE_H
#define TESSERA_COMPILE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ts_bytes {
  char *data;
  size_t size;
} ts_bytes;

enum { TS_CACHE_KEY = 64 }; /* digits of a hash */

typedef struct ts_cache {
  char *folder;               /* NULL: off */
  uint64_t limit;             /* bytes of all entries together */
  char key[TS_CACHE_KEY + 1]; /* of what is compiled now, in hexadecimal digits */
  ts_bytes messages;          /* where they are recorded */
} ts_cache;

/* ---- folder.c -------------------------------------------------------------------------------- */

/* Reads the settings from the environment. False after a message; cache->folder, owned by the
 * caller, stays NULL where there is to be no cache. */
bool ts_cache_locate(ts_cache *cache);

/* Creates the folder and those above it, for this user alone. errno of a failure, or 0. */
int ts_cache_make_folder(const ts_cache *cache);

/* Removes the entries that were used least recently until the others are within the limit, and what
 * writers left that are gone. Others may read, write and trim meanwhile. */
void ts_cache_trim(const ts_cache *cache);

/* ---- entry.c --------------------------------------------------------------------------------- */

/* The entry cache->key, if there is one that is whole: the caller owns both. Counts as its use. */
bool ts_cache_read(const ts_cache *cache, ts_bytes *messages, ts_bytes *object);

/* Writes the entry, in the place of one that is there. errno of a failure, or 0. */
int ts_cache_write(const ts_cache *cache, const ts_bytes *messages, const ts_bytes *object);

#endif /* TESSERA_COMPILE_CACHE_H */
