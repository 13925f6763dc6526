/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Bytes that wait on their way, and the frames in them.
 * It must not know what they say. */
#include "backends/tcp/frames.h"

#include <stdlib.h>
#include <string.h>

char *tr_bytes_reserve(bytes *bytes, size_t more) {
  enum { SMALLEST = 1 << 12 };
  if (bytes->first > 0) {
    memmove(bytes->data, bytes->data + bytes->first, bytes->used - bytes->first);
    bytes->used -= bytes->first;
    bytes->first = 0;
  }
  if (more > SIZE_MAX / 4 || bytes->used > SIZE_MAX / 4)
    return NULL;
  if (bytes->used + more > bytes->capacity) {
    size_t capacity = 2 * (bytes->used + more);
    capacity = capacity > SMALLEST ? capacity : SMALLEST;
    char *larger = realloc(bytes->data, capacity);
    if (!larger)
      return NULL;
    bytes->data = larger;
    bytes->capacity = capacity;
  }
  return bytes->data + bytes->used;
}

bool tr_bytes_append(bytes *bytes, const void *data, size_t count) {
  char *room = tr_bytes_reserve(bytes, count ? count : 1);
  if (!room)
    return false;
  if (count > 0)
    memcpy(room, data, count);
  bytes->used += count;
  return true;
}

bool tr_bytes_frame(const bytes *bytes, frame *found, const char **data) {
  size_t there = bytes->used - bytes->first;
  if (there < sizeof(*found))
    return false;
  memcpy(found, bytes->data + bytes->first, sizeof(*found));
  *data = bytes->data + bytes->first + sizeof(*found);
  return there - sizeof(*found) >= found->bytes;
}

void tr_bytes_drop(bytes *bytes, size_t count) {
  bytes->first += count;
}

void tr_bytes_free(bytes *bytes) {
  free(bytes->data);
  *bytes = (struct bytes){0};
}
