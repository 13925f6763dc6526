/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Open addressing with linear probing; grows at two thirds full. */
#include "support/map.h"

#include <stdint.h>

static size_t slot_of(const ts_map *map, const void *key) {
  /* Fibonacci hashing spreads the aligned, clustered addresses that allocators hand out. */
  uint64_t hash = ((uint64_t)(uintptr_t)key >> 4) * UINT64_C(0x9E3779B97F4A7C15);
  size_t slot = (size_t)(hash >> 20) & (map->capacity - 1);
  while (map->keys[slot] && map->keys[slot] != key)
    slot = (slot + 1) & (map->capacity - 1);
  return slot;
}

void *ts_map_get(const ts_map *map, const void *key) {
  if (!map->capacity)
    return NULL;
  size_t slot = slot_of(map, key);
  return map->keys[slot] ? map->values[slot] : NULL;
}

static void grow(ts_map *map, ts_arena *arena) {
  ts_map bigger = {.capacity = map->capacity ? map->capacity * 2 : 64};
  bigger.keys = TS_NEW(arena, const void *, bigger.capacity);
  bigger.values = TS_NEW(arena, void *, bigger.capacity);
  for (size_t i = 0; i < map->capacity; ++i) {
    if (!map->keys[i])
      continue;
    size_t slot = slot_of(&bigger, map->keys[i]);
    bigger.keys[slot] = map->keys[i];
    bigger.values[slot] = map->values[i];
  }
  bigger.used = map->used;
  *map = bigger;
}

void ts_map_set(ts_map *map, ts_arena *arena, const void *key, void *value) {
  if (map->used * 3 >= map->capacity * 2)
    grow(map, arena);
  size_t slot = slot_of(map, key);
  if (!map->keys[slot]) {
    map->keys[slot] = key;
    ++map->used;
  }
  map->values[slot] = value;
}
