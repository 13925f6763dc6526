/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Host tensors: creation, destruction, strided copies, type names.
 * It must not know layouts, grids or ranks. */
#include "program/tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "view.h"

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

tessera_status tr_tensor_adopt(tessera_dtype dtype, int32_t rank, const int64_t *shape, void *data,
                               tessera_tensor *tensor) {
  memset(tensor, 0, sizeof(*tensor));
  tensor->dtype = dtype;
  tensor->rank = rank;
  tensor->data = data;
  if (rank == 0)
    return TESSERA_OK;
  tensor->shape = malloc(sizeof(int64_t) * (size_t)rank);
  if (!tensor->shape) {
    tessera_tensor_destroy(tensor);
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a tensor");
  }
  memcpy(tensor->shape, shape, sizeof(int64_t) * (size_t)rank);
  return TESSERA_OK;
}

tessera_status tessera_tensor_create(tessera_dtype dtype, int32_t rank, const int64_t *shape,
                                     tessera_tensor *tensor) {
  memset(tensor, 0, sizeof(*tensor));
  if (rank < 0 || rank > TR_MAX_RANK)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "a tensor of rank %d is not supported", rank);
  size_t bytes;
  char text[256];
  if (!tr_dense_bytes(dtype, rank, shape, &bytes))
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "no tensor can have the type %s",
                   tr_type_text(dtype, rank, shape, text, sizeof(text)));
  void *data = NULL;
  if (bytes > 0) {
    data = tessera_alloc(bytes);
    if (!data)
      return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a tensor of %zu bytes (%s)", bytes,
                     tr_type_text(dtype, rank, shape, text, sizeof(text)));
    memset(data, 0, bytes);
  }
  return tr_tensor_adopt(dtype, rank, shape, data, tensor);
}

void tessera_tensor_destroy(tessera_tensor *tensor) {
  if (!tensor)
    return;
  free(tensor->shape);
  free(tensor->strides);
  tessera_free(tensor->data);
  memset(tensor, 0, sizeof(*tensor));
}

int64_t tessera_tensor_elements(const tessera_tensor *tensor) {
  int64_t elements = 1;
  for (int32_t i = 0; i < tensor->rank; i++)
    elements *= tensor->shape[i];
  return elements;
}
