/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Memory of one pass run: bump allocation, freed at once. It must not know MLIR. */
#ifndef TESSERA_PLUGIN_SUPPORT_ARENA_H
#define TESSERA_PLUGIN_SUPPORT_ARENA_H

#include <stdarg.h>
#include <stddef.h>

/* Zero-initialise to create. One thread at a time. */
typedef struct ts_arena {
  struct ts_arena_block *blocks;
  struct ts_arena_block *large; /* of one allocation each */
} ts_arena;

/* `bytes` of zeroed memory aligned for any type, valid until the arena is freed. Never NULL: memory
 * exhaustion in a compiler ends the process as operator new does in MLIR itself. */
void *ts_arena_alloc(ts_arena *arena, size_t bytes);
/* The same, of undefined content. */
void *ts_arena_room(ts_arena *arena, size_t bytes);
/* Ends the use of what may be large and was replaced; what is not large stays until the end. */
void ts_arena_give_back(ts_arena *arena, const void *memory);
/* A copy of `bytes` bytes at `source`. */
void *ts_arena_copy(ts_arena *arena, const void *source, size_t bytes);
/* printf into the arena. */
char *ts_arena_format(ts_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *ts_arena_vformat(ts_arena *arena, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
/* Makes room for one more in an array of `num` items of `size` bytes that has room for `*max`: the
 * array itself, or a copy in twice the room. */
void *ts_arena_grow(ts_arena *arena, void *items, int num, int *max, size_t size);
/* Ends the validity of all that was allocated, and keeps a block for what comes. */
void ts_arena_reset(ts_arena *arena);
void ts_arena_free(ts_arena *arena);

#define TS_NEW(arena, type, count)                                                                 \
  ((type *)ts_arena_alloc((arena), sizeof(type) * (size_t)((count) > 0 ? (count) : 1)))

#endif /* TESSERA_PLUGIN_SUPPORT_ARENA_H */
