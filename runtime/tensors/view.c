/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Strided views and the copy between them.
 * It knows element sizes only; it must not know element types' meaning, groups or ranks. */
#include "tensors/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void tr_view_read(const void *memref, int32_t rank, size_t element, tr_view *view) {
  const tr_memref *source = memref;
  view->data = tr_memref_data(source, element);
  view->rank = rank;
  view->element = (int32_t)element;
  for (int32_t i = 0; i < rank; i++) {
    view->sizes[i] = source->dims[i];
    view->strides[i] = source->dims[rank + i];
  }
}

void tr_view_dense(void *data, const tr_view *shape, tr_view *view) {
  int64_t stride = 1;
  view->data = data;
  view->rank = shape->rank;
  view->element = shape->element;
  for (int32_t i = shape->rank - 1; i >= 0; i--) {
    view->sizes[i] = shape->sizes[i];
    view->strides[i] = stride;
    stride *= shape->sizes[i];
  }
}

void tr_view_flat(void *data, size_t element, int64_t count, tr_view *view) {
  view->data = data;
  view->rank = 1;
  view->element = (int32_t)element;
  view->sizes[0] = count;
  view->strides[0] = 1;
}

void tr_view_narrow(tr_view *view, int32_t dim, int64_t start, int64_t length) {
  if (length > 0 && start > 0)
    view->data += start * view->strides[dim] * view->element;
  view->sizes[dim] = length;
}

bool tr_view_merge(const tr_view *view, int32_t first, int32_t behind, int64_t *size,
                   int64_t *stride) {
  *size = 1;
  *stride = 1;
  for (int32_t i = behind - 1; i >= first; i--) {
    if (view->sizes[i] == 1)
      continue;
    if (*size == 1)
      *stride = view->strides[i];
    else if (view->strides[i] != *stride * *size)
      return false;
    *size *= view->sizes[i];
  }
  return true;
}

int64_t tr_view_elements(const tr_view *view) {
  int64_t elements = 1;
  for (int32_t i = 0; i < view->rank; i++)
    elements *= view->sizes[i];
  return elements;
}

size_t tr_view_bytes(const tr_view *view) {
  return (size_t)tr_view_elements(view) * (size_t)view->element;
}

bool tr_view_is_dense(const tr_view *view) {
  int64_t stride = 1;
  for (int32_t i = view->rank - 1; i >= 0; i--) {
    if (view->sizes[i] == 0)
      return true;
    if (view->sizes[i] != 1 && view->strides[i] != stride)
      return tr_view_elements(view) <= 1;
    stride *= view->sizes[i];
  }
  return true;
}

bool tr_view_same_shape(const tr_view *a, const tr_view *b) {
  bool same = a->rank == b->rank && a->element == b->element;
  for (int32_t i = 0; same && i < a->rank; i++)
    same = a->sizes[i] == b->sizes[i];
  return same;
}

void tr_part(const tr_parts *parts, int32_t index, tr_view *part) {
  int64_t start = parts->starts[index];
  tr_view_assign(part, parts->view);
  tr_view_narrow(part, parts->axis, start, parts->starts[index + 1] - start);
}

size_t tr_view_row(const tr_view *view, int32_t axis) {
  size_t bytes = (size_t)view->element;
  for (int32_t i = 0; i < view->rank; i++)
    bytes *= i == axis ? 1 : (size_t)view->sizes[i];
  return bytes;
}

bool tr_view_joins(const tr_view *view, int32_t axis) {
  for (int32_t i = 0; i < axis; i++)
    if (view->sizes[i] != 1)
      return false;
  return true;
}

void tr_view_extent(const tr_view *view, int64_t *low, int64_t *high) {
  *low = 0;
  *high = view->element;
  for (int32_t i = 0; i < view->rank; i++) {
    int64_t reach = (view->sizes[i] - 1) * view->strides[i] * view->element;
    *(reach < 0 ? low : high) += reach;
  }
}

const char *tr_extents_text(int32_t rank, const int64_t *extents, char *text, size_t capacity) {
  size_t used = 0;
  text[0] = '\0';
  for (int32_t i = 0; i < rank && used < capacity; i++) {
    const char *separator = i ? "x" : "";
    int written = extents[i] < 0
                      ? snprintf(text + used, capacity - used, "%s?", separator)
                      : snprintf(text + used, capacity - used, "%s%" PRId64, separator, extents[i]);
    used += (size_t)written;
  }
  return text;
}

const char *tr_elements_text(int32_t rank, const int64_t *extents, char *text, size_t capacity) {
  bool is_one = rank == 0 || (rank == 1 && extents[0] == 1);
  if (is_one) {
    snprintf(text, capacity, "1 element");
    return text;
  }
  size_t used = strlen(tr_extents_text(rank, extents, text, capacity));
  if (used < capacity)
    snprintf(text + used, capacity - used, " elements");
  return text;
}

const char *tr_view_text(const tr_view *view, char *text, size_t capacity) {
  if (view->rank > 0)
    return tr_extents_text(view->rank, view->sizes, text, capacity);
  snprintf(text, capacity, "scalar");
  return text;
}

/* ---- copies ---------------------------------------------------------------------------------- */

void tr_view_plan_copy(const tr_view *from, const tr_view *to, tr_copy *copy) {
  tr_copy_plan((size_t)from->element, from->rank, from->sizes, from->strides, to->strides, copy);
}

void tr_view_runs(const tr_view *view, tr_runs *runs) {
  tr_copy copy;
  tr_view_plan_copy(view, view, &copy);
  runs->run = copy.run;
  runs->rank = copy.rank;
  for (int32_t i = 0; i < copy.rank; i++) {
    runs->sizes[i] = copy.dims[i].size;
    runs->steps[i] = copy.dims[i].from_step;
  }
}
