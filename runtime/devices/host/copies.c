/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Copies and fills of the host's memory.
 * It must not know what the memory is part of. */
#include <string.h>

#include "devices/host/host.h"

/* Calls of memcpy with a constant size become single moves: short runs spend their time in calls.
 */
#define COPY_ROW(bytes)                                                                            \
  for (int64_t i = 0; i < count; i++, from += from_step, to += to_step)                            \
  memcpy(to, from, bytes)

static void copy_row(int64_t run, int64_t count, const char *from, int64_t from_step, char *to,
                     int64_t to_step) {
  switch (run) {
  case 1:
    COPY_ROW(1);
    break;
  case 2:
    COPY_ROW(2);
    break;
  case 4:
    COPY_ROW(4);
    break;
  case 8:
    COPY_ROW(8);
    break;
  case 16:
    COPY_ROW(16);
    break;
  case 32:
    COPY_ROW(32);
    break;
  case 64:
    COPY_ROW(64);
    break;
  default:
    COPY_ROW((size_t)run);
    break;
  }
}

static void copy_dimensions(const tr_copy *copy, int32_t dim, const char *from, char *to) {
  int64_t count = copy->dims[dim].size;
  int64_t from_step = copy->dims[dim].from_step, to_step = copy->dims[dim].to_step;
  if (dim == copy->rank - 1) {
    copy_row(copy->run, count, from, from_step, to, to_step);
    return;
  }
  for (int64_t i = 0; i < count; i++)
    copy_dimensions(copy, dim + 1, from + i * from_step, to + i * to_step);
}

void tr_host_copy(const tr_copy *copy, const char *from, char *to) {
  if (copy->rank > 0)
    copy_dimensions(copy, 0, from, to);
  else if (copy->run > 0)
    memcpy(to, from, (size_t)copy->run);
}

void tr_host_fill(const void *element, size_t size, int64_t count, char *to) {
  if (size == 1)
    memset(to, *(const unsigned char *)element, (size_t)count);
  else
    copy_row((int64_t)size, count, element, 0, to, (int64_t)size);
}

void tr_host_copy_view(const tr_view *from, const tr_view *to) {
  tr_copy copy;
  if (from->data == to->data)
    return;
  tr_view_plan_copy(from, to, &copy);
  tr_host_copy(&copy, from->data, to->data);
}
