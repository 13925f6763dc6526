/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Copies between strided memory and strided memory, as they are described; devices do them.
 * It knows element sizes only; it must not know where the memory is. */
#ifndef TESSERA_RUNTIME_TENSORS_COPY_H
#define TESSERA_RUNTIME_TENSORS_COPY_H

#include <stddef.h>
#include <stdint.h>

enum { TR_COPY_RANK = 32 }; /* the most dimensions that a copy may have */

/* A dimension: its elements, and how many bytes one lies from the next on both sides. */
typedef struct tr_copy_dim {
  int64_t size, from_step, to_step;
} tr_copy_dim;

/* A copy made ready, to be done once or often on memory that is laid out alike: without dimensions
 * of one element, and with one in place of several that need not be told apart on either side.
 * Those left are outermost first. */
typedef struct tr_copy {
  int64_t run; /* bytes that are contiguous on both sides; 0: there is nothing to copy */
  int32_t rank;
  tr_copy_dim dims[TR_COPY_RANK]; /* of which those before `rank` have to be there */
} tr_copy;

/* Of elements of `size` bytes; strides in elements. The two sides must not overlap when it is done,
 * or be the same. */
void tr_copy_plan(size_t size, int32_t rank, const int64_t *shape, const int64_t *from_strides,
                  const int64_t *to_strides, tr_copy *copy);

#endif /* TESSERA_RUNTIME_TENSORS_COPY_H */
