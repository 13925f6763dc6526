/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Sizes and strides of tensors. It must not know whose memory they lie in. */
#include "program/dense.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tensors/dtype.h"
#include "tensors/view.h"

bool tr_dense_bytes(tessera_dtype type, int32_t rank, const int64_t *shape, size_t *bytes) {
  size_t total = tessera_dtype_size(type);
  if (total == 0)
    return false;
  for (int32_t i = 0; i < rank; i++)
    if (shape[i] < 0)
      return false;
  /* A zero extent anywhere makes the rest irrelevant, whatever its product. */
  for (int32_t i = 0; i < rank; i++)
    if (shape[i] == 0) {
      *bytes = 0;
      return true;
    }
  for (int32_t i = 0; i < rank; i++)
    if (__builtin_mul_overflow(total, (size_t)shape[i], &total))
      return false;
  *bytes = total;
  return total <= PTRDIFF_MAX;
}

void tr_dense_strides(int32_t rank, const int64_t *shape, int64_t *strides) {
  int64_t stride = 1;
  for (int32_t i = rank - 1; i >= 0; i--) {
    strides[i] = stride;
    /* Extents of 0 or 1 leave the stride alone, so that it cannot overflow or vanish. */
    if (shape[i] > 1 && __builtin_mul_overflow(stride, shape[i], &stride))
      stride = 1;
  }
}

void tr_tensor_strides(const tessera_tensor *tensor, int64_t *strides) {
  if (!tensor->strides)
    tr_dense_strides(tensor->rank, tensor->shape, strides);
  else if (tensor->rank > 0)
    memcpy(strides, tensor->strides, sizeof(int64_t) * (size_t)tensor->rank);
}

bool tr_tensor_is_dense(const tessera_tensor *tensor) {
  if (!tensor->strides)
    return true;
  int64_t stride = 1;
  for (int32_t i = tensor->rank - 1; i >= 0; i--) {
    if (tensor->shape[i] == 0)
      return true;
    if (tensor->shape[i] > 1 && tensor->strides[i] != stride)
      return false;
    stride *= tensor->shape[i];
  }
  return true;
}

const char *tr_type_text(tessera_dtype type, int32_t rank, const int64_t *shape, char *text,
                         size_t capacity) {
  size_t used = strlen(tr_extents_text(rank, shape, text, capacity));
  snprintf(text + used, capacity - used, "%s%s", rank > 0 ? "x" : "", tr_dtype_name(type));
  return text;
}
