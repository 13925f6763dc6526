/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Copies between strided memory and strided memory.
 * It knows element sizes only; it must not know what the memory is part of. */
#ifndef TESSERA_RUNTIME_COPY_H
#define TESSERA_RUNTIME_COPY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { TR_COPY_RANK = 32 }; /* the most dimensions that a copy may have */

/* A copy made ready, to be done once or often on memory that is laid out alike: without dimensions
 * of one element, and with one in place of several that need not be told apart on either side.
 * Those left are outermost first. */
typedef struct tr_copy {
  int64_t run; /* bytes that are contiguous on both sides; 0: there is nothing to copy */
  int32_t rank;
  int64_t sizes[TR_COPY_RANK];
  int64_t from_steps[TR_COPY_RANK], to_steps[TR_COPY_RANK]; /* in bytes */
} tr_copy;

/* Of elements of `size` bytes; strides in elements. The two sides must not overlap when it is done,
 * or be the same. */
void tr_copy_plan(size_t size, int32_t rank, const int64_t *shape, const int64_t *from_strides,
                  const int64_t *to_strides, tr_copy *copy);

/* Of a copy with dimensions. */
void tr_copy_runs(const tr_copy *copy, const char *from, char *to);

/* Addresses are those of the elements at index 0, ..., 0. */
static inline void tr_copy_do(const tr_copy *copy, const char *from, char *to) {
  if (copy->rank > 0)
    tr_copy_runs(copy, from, to);
  else if (copy->run > 0)
    memcpy(to, from, (size_t)copy->run);
}

/* Both at once. */
void tr_copy_strided(size_t size, int32_t rank, const int64_t *shape, const char *from,
                     const int64_t *from_strides, char *to, const int64_t *to_strides);

#endif /* TESSERA_RUNTIME_COPY_H */
