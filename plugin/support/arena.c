/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Bump allocation in geometrically growing blocks. Knows nothing of MLIR. */
#include "support/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Small enough for malloc to reuse what an earlier arena freed: fresh pages cost more than zeroing.
 */
enum { LARGEST_BLOCK = 1 << 16 };

struct ts_arena_block {
  struct ts_arena_block *next;
  size_t used, size;
  max_align_t data[];
};

static struct ts_arena_block *add_block(ts_arena *arena, size_t bytes) {
  size_t size = arena->blocks ? arena->blocks->size * 2 : (size_t)1 << 10;
  if (size > LARGEST_BLOCK)
    size = LARGEST_BLOCK;
  if (size < bytes)
    size = bytes;
  struct ts_arena_block *block = calloc(1, sizeof(*block) + size);
  if (!block) {
    fputs("tessera: out of memory\n", stderr);
    exit(1);
  }
  block->size = size;
  block->next = arena->blocks;
  arena->blocks = block;
  return block;
}

void *ts_arena_alloc(ts_arena *arena, size_t bytes) {
  const size_t align = _Alignof(max_align_t);
  if (bytes > SIZE_MAX / 2)
    bytes = SIZE_MAX / 2; /* calloc refuses it */
  bytes = (bytes + align - 1) / align * align;
  struct ts_arena_block *block = arena->blocks;
  if (!block || block->size - block->used < bytes)
    block = add_block(arena, bytes);
  void *result = (char *)block->data + block->used;
  block->used += bytes;
  return result;
}

void *ts_arena_copy(ts_arena *arena, const void *source, size_t bytes) {
  void *result = ts_arena_alloc(arena, bytes ? bytes : 1);
  if (bytes)
    memcpy(result, source, bytes);
  return result;
}

char *ts_arena_format(ts_arena *arena, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = ts_arena_alloc(arena, (size_t)(length < 0 ? 0 : length) + 1);
  if (length >= 0)
    vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

void *ts_arena_grow(ts_arena *arena, void *items, int num, int *max, size_t size) {
  if (num < *max)
    return items;
  *max = *max ? *max * 2 : 4;
  void *larger = ts_arena_alloc(arena, size * (size_t)*max);
  if (num)
    memcpy(larger, items, size * (size_t)num);
  return larger;
}

void ts_arena_free(ts_arena *arena) {
  while (arena->blocks) {
    struct ts_arena_block *next = arena->blocks->next;
    free(arena->blocks);
    arena->blocks = next;
  }
}
