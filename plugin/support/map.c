/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Entries in the order of their insertion, which is often that of the program, and an index of
 * them by open addressing with linear probing: so that a walk through a long program finds the
 * next entry near the last, and what is scattered over memory is small. It must not know what
 * the handles are. */
#include "support/map.h"

#include <string.h>

struct ts_map_entry {
  const void *key;
  void *value;
};

/* Where the index names `key`'s entry, or has room for it. */
static uint32_t *slot_of(const ts_map *map, const void *key) {
  /* Fibonacci hashing spreads the aligned, clustered addresses that allocators hand out. */
  uint64_t hash = ((uint64_t)(uintptr_t)key >> 4) * UINT64_C(0x9E3779B97F4A7C15);
  size_t slot = (size_t)(hash >> 20) & (map->capacity - 1);
  while (map->index[slot] && map->entries[map->index[slot] - 1].key != key)
    slot = (slot + 1) & (map->capacity - 1);
  return &map->index[slot];
}

void *ts_map_get(const ts_map *map, const void *key) {
  if (!map->capacity)
    return NULL;
  uint32_t number = *slot_of(map, key);
  return number ? map->entries[number - 1].value : NULL;
}

/* At most half of the index is in use. */
static void grow(ts_map *map, ts_arena *arena) {
  size_t capacity = map->capacity ? map->capacity * 2 : 16;
  struct ts_map_entry *entries = ts_arena_room(arena, sizeof(*entries) * capacity / 2);
  if (map->used)
    memcpy(entries, map->entries, sizeof(*entries) * map->used);
  ts_arena_give_back(arena, map->entries);
  ts_arena_give_back(arena, map->index);
  *map = (ts_map){.entries = entries,
                  .index = TS_NEW(arena, uint32_t, capacity),
                  .used = map->used,
                  .capacity = capacity};
  for (size_t i = 0; i < map->used; i++)
    *slot_of(map, entries[i].key) = (uint32_t)(i + 1);
}

void ts_map_set(ts_map *map, ts_arena *arena, const void *key, void *value) {
  if (map->used * 2 >= map->capacity)
    grow(map, arena);
  uint32_t *number = slot_of(map, key);
  if (!*number)
    *number = (uint32_t)++map->used;
  map->entries[*number - 1] = (struct ts_map_entry){key, value};
}
