/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Strided memory as the runtime passes it around: memref descriptors read and sliced.
 * It knows element sizes only; it must not know element types' meaning, groups or ranks. */
#ifndef TESSERA_RUNTIME_TENSORS_VIEW_H
#define TESSERA_RUNTIME_TENSORS_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensors/copy.h"

enum { TR_VIEW_RANK = TR_COPY_RANK }; /* the most dimensions that a view may have */

typedef struct tr_view {
  char *data;      /* the element at index 0, ..., 0 */
  int32_t rank;    /* 0 for a single element */
  int32_t element; /* bytes of an element */
  int64_t sizes[TR_VIEW_RANK];
  int64_t strides[TR_VIEW_RANK]; /* in elements */
} tr_view;

/* How MLIR lays out a ranked memref; sizes are followed by as many strides. */
typedef struct tr_memref {
  void *allocated;
  char *aligned;
  int64_t offset;
  int64_t dims[];
} tr_memref;

/* The element at index 0, ..., 0. */
static inline char *tr_memref_data(const tr_memref *memref, size_t element) {
  return memref->aligned ? memref->aligned + memref->offset * (int64_t)element : NULL;
}

/* Reads a ranked memref descriptor whose elements have `element` bytes. */
void tr_view_read(const void *descriptor, int32_t rank, size_t element, tr_view *view);

/* A row-major view of `shape`'s sizes over `data`. */
void tr_view_dense(void *data, const tr_view *shape, tr_view *view);

/* A one-dimensional view of `count` contiguous elements. */
void tr_view_flat(void *data, size_t element, int64_t count, tr_view *view);

/* *to = *from, without the dimensions that it does not have: most of a view is room. */
static inline void tr_view_assign(tr_view *to, const tr_view *from) {
  to->data = from->data;
  to->rank = from->rank;
  to->element = from->element;
  for (int32_t i = 0; i < from->rank; i++) {
    to->sizes[i] = from->sizes[i];
    to->strides[i] = from->strides[i];
  }
}

/* Narrows dimension `dim` to `length` indices from `start`. */
void tr_view_narrow(tr_view *view, int32_t dim, int64_t start, int64_t length);

/* Dimensions [first, behind) as one: false if their elements do not follow each other evenly. */
bool tr_view_merge(const tr_view *view, int32_t first, int32_t behind, int64_t *size,
                   int64_t *stride);

int64_t tr_view_elements(const tr_view *view);
size_t tr_view_bytes(const tr_view *view);
/* True if the elements lie row-major without gaps. */
bool tr_view_is_dense(const tr_view *view);
bool tr_view_same_shape(const tr_view *a, const tr_view *b);
/* What the elements lie between, if there are any: bytes from the element at index 0, ..., 0 to the
 * lowest address, and to that behind the highest. */
void tr_view_extent(const tr_view *view, int64_t *low, int64_t *high);

/* A view as contiguous runs of bytes, and how they follow each other: dimensions that need not be
 * told apart are merged, outermost first. */
typedef struct tr_runs {
  int64_t run;
  int32_t rank;
  int64_t sizes[TR_VIEW_RANK];
  int64_t steps[TR_VIEW_RANK]; /* in bytes */
} tr_runs;

void tr_view_runs(const tr_view *view, tr_runs *runs);

/* A view cut along one dimension: part i is rows starts[i] to starts[i + 1]. */
typedef struct tr_parts {
  const tr_view *view;
  int32_t axis;
  const int64_t *starts;
} tr_parts;

void tr_part(const tr_parts *parts, int32_t index, tr_view *part);
/* The bytes of a row: of the view without dimension `axis`. */
size_t tr_view_row(const tr_view *view, int32_t axis);
/* True if in dense memory each part would lie in one piece, behind the part before. */
bool tr_view_joins(const tr_view *view, int32_t axis);

/* A copy between two views of one shape, for these and others that are laid out like them. */
void tr_view_plan_copy(const tr_view *from, const tr_view *to, tr_copy *copy);

/* "3x4" into `text`, as much of it as fits, "?" for negative extents; returns text. */
const char *tr_extents_text(int32_t rank, const int64_t *extents, char *text, size_t capacity);
/* The same with what is counted: "3x4 elements". */
const char *tr_elements_text(int32_t rank, const int64_t *extents, char *text, size_t capacity);
/* As tr_extents_text, of a view; "scalar" without dimensions. */
const char *tr_view_text(const tr_view *view, char *text, size_t capacity);

#endif /* TESSERA_RUNTIME_TENSORS_VIEW_H */
