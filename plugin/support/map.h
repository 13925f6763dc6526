/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A hash map from pointers (MLIR's uniqued handles: values, ops, identifiers) to pointers. It
 * must not know what the handles are. */
#ifndef TESSERA_PLUGIN_SUPPORT_MAP_H
#define TESSERA_PLUGIN_SUPPORT_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "support/arena.h"

/* Zero-initialise to create. Slots come from the arena given at insertion. Iteration is not
 * offered: its order would depend on addresses, and output must not. */
typedef struct ts_map {
  struct ts_map_entry *entries; /* in the order of insertion */
  uint32_t *index;              /* capacity slots: the number of an entry, from 1 */
  size_t used, capacity;
} ts_map;

/* The value stored under `key` (not NULL), or NULL. */
void *ts_map_get(const ts_map *map, const void *key);
/* Stores `value` under `key`, replacing what was there. */
void ts_map_set(ts_map *map, ts_arena *arena, const void *key, void *value);

#endif /* TESSERA_PLUGIN_SUPPORT_MAP_H */
