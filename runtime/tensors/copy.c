/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Copies between strided memory and strided memory, as they are described.
 * It knows element sizes only; it must not know where the memory is. */
#include "tensors/copy.h"

#include <stdbool.h>

static bool is_empty(int32_t rank, const int64_t *shape) {
  for (int32_t i = 0; i < rank; i++)
    if (shape[i] == 0)
      return true;
  return false;
}

void tr_copy_plan(size_t size, int32_t rank, const int64_t *shape, const int64_t *from_strides,
                  const int64_t *to_strides, tr_copy *copy) {
  int64_t element = (int64_t)size;
  int32_t last = -1;
  copy->rank = 0;
  copy->run = 0;
  if (is_empty(rank, shape))
    return;
  copy->run = element;
  for (int32_t i = 0; i < rank; i++) {
    int64_t count = shape[i];
    if (count == 1)
      continue;
    tr_copy_dim dim = {count, from_strides[i] * element, to_strides[i] * element};
    tr_copy_dim *outer = last >= 0 ? &copy->dims[last] : NULL;
    if (outer && outer->from_step == count * dim.from_step && outer->to_step == count * dim.to_step)
      dim.size *= outer->size;
    else
      last++;
    copy->dims[last] = dim;
  }
  /* An innermost dimension that is contiguous on both sides becomes one long element. */
  if (last >= 0 && copy->dims[last].from_step == element && copy->dims[last].to_step == element)
    copy->run *= copy->dims[last--].size;
  copy->rank = last + 1;
}
