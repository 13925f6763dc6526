/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Bump allocation in geometrically growing blocks; what is large has a block of its own. It must
 * not know MLIR. */
#include "support/arena.h"

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

static struct ts_arena_block *new_block(size_t size, struct ts_arena_block *next) {
  struct ts_arena_block *block = malloc(sizeof(*block) + size);
  if (!block) {
    fputs("tessera: out of memory\n", stderr);
    exit(1);
  }
  *block = (struct ts_arena_block){.next = next, .size = size};
  return block;
}

static struct ts_arena_block *add_block(ts_arena *arena) {
  size_t size = arena->blocks ? arena->blocks->size * 2 : (size_t)1 << 10;
  arena->blocks = new_block(size > LARGEST_BLOCK ? LARGEST_BLOCK : size, arena->blocks);
  return arena->blocks;
}

void *ts_arena_room(ts_arena *arena, size_t bytes) {
  const size_t align = _Alignof(max_align_t);
  if (bytes > SIZE_MAX / 2)
    bytes = SIZE_MAX / 2; /* malloc refuses it */
  bytes = (bytes + align - 1) / align * align;
  if (bytes > LARGEST_BLOCK / 2) {
    arena->large = new_block(bytes, arena->large);
    return arena->large->data;
  }
  struct ts_arena_block *block = arena->blocks;
  while (!block || block->size - block->used < bytes)
    block = add_block(arena);
  void *result = (char *)block->data + block->used;
  block->used += bytes;
  return result;
}

void *ts_arena_alloc(ts_arena *arena, size_t bytes) {
  return memset(ts_arena_room(arena, bytes), 0, bytes);
}

void *ts_arena_copy(ts_arena *arena, const void *source, size_t bytes) {
  void *result = ts_arena_room(arena, bytes ? bytes : 1);
  if (bytes)
    memcpy(result, source, bytes);
  return result;
}

void ts_arena_give_back(ts_arena *arena, const void *memory) {
  for (struct ts_arena_block **at = &arena->large; *at; at = &(*at)->next)
    if ((*at)->data == memory) {
      struct ts_arena_block *block = *at;
      *at = block->next;
      free(block);
      return;
    }
}

char *ts_arena_vformat(ts_arena *arena, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  char *text = ts_arena_alloc(arena, (size_t)(length < 0 ? 0 : length) + 1);
  if (length >= 0)
    vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

char *ts_arena_format(ts_arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = ts_arena_vformat(arena, format, arguments);
  va_end(arguments);
  return text;
}

void *ts_arena_grow(ts_arena *arena, void *items, int num, int *max, size_t size) {
  if (num < *max)
    return items;
  *max = *max ? *max * 2 : 2;
  void *larger = ts_arena_alloc(arena, size * (size_t)*max);
  if (num)
    memcpy(larger, items, size * (size_t)num);
  ts_arena_give_back(arena, items);
  return larger;
}

static void free_blocks(struct ts_arena_block *block) {
  while (block) {
    struct ts_arena_block *next = block->next;
    free(block);
    block = next;
  }
}

void ts_arena_reset(ts_arena *arena) {
  free_blocks(arena->large);
  arena->large = NULL;
  if (!arena->blocks)
    return;
  free_blocks(arena->blocks->next);
  arena->blocks->next = NULL;
  arena->blocks->used = 0;
}

void ts_arena_free(ts_arena *arena) {
  free_blocks(arena->large);
  free_blocks(arena->blocks);
  *arena = (ts_arena){NULL, NULL};
}
