/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Tensors: creation, destruction, copies between host and device, type names.
 * It must not know layouts, grids or ranks. */
#include "program/tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "devices/host/host.h"
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

/* ---- life ------------------------------------------------------------------------------------ */

const tr_device *tr_tensor_device(const tessera_tensor *tensor) {
  return tensor->device ? tensor->device : &tr_host_device;
}

void *tr_tensor_reach(const tessera_tensor *tensor) {
  return tr_device_reach(tr_tensor_device(tensor), tensor->data);
}

tessera_status tr_tensor_adopt(const tr_device *device, tessera_dtype dtype, int32_t rank,
                               const int64_t *shape, void *data, tessera_tensor *tensor) {
  memset(tensor, 0, sizeof(*tensor));
  tensor->dtype = dtype;
  tensor->rank = rank;
  tensor->data = data;
  tensor->device = device == &tr_host_device ? NULL : device;
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

/* With memory as it comes. */
static tessera_status create(const tr_device *device, tessera_dtype dtype, int32_t rank,
                             const int64_t *shape, tessera_tensor *tensor, size_t *bytes) {
  memset(tensor, 0, sizeof(*tensor));
  if (rank < 0 || rank > TR_MAX_RANK)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "a tensor of rank %d is not supported", rank);
  char text[256];
  if (!tr_dense_bytes(dtype, rank, shape, bytes))
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "no tensor can have the type %s",
                   tr_type_text(dtype, rank, shape, text, sizeof(text)));
  void *data = *bytes > 0 ? device->allocate(device, *bytes, NULL) : NULL;
  if (*bytes > 0 && !data)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a tensor of %zu bytes (%s)", *bytes,
                   tr_type_text(dtype, rank, shape, text, sizeof(text)));
  return tr_tensor_adopt(device, dtype, rank, shape, data, tensor);
}

tessera_status tr_tensor_create(const tr_device *device, tessera_dtype dtype, int32_t rank,
                                const int64_t *shape, tessera_tensor *tensor) {
  size_t bytes = 0;
  tessera_status status = create(device, dtype, rank, shape, tensor, &bytes);
  if (!status)
    tr_device_clear(device, NULL, tensor->data, bytes);
  return status;
}

tessera_status tessera_tensor_create(tessera_dtype dtype, int32_t rank, const int64_t *shape,
                                     tessera_tensor *tensor) {
  return tr_tensor_create(&tr_host_device, dtype, rank, shape, tensor);
}

void tessera_tensor_destroy(tessera_tensor *tensor) {
  if (!tensor)
    return;
  const tr_device *device = tr_tensor_device(tensor);
  free(tensor->shape);
  free(tensor->strides);
  if (tensor->data)
    device->release(device, tensor->data);
  memset(tensor, 0, sizeof(*tensor));
}

/* ---- copies ---------------------------------------------------------------------------------- */

tessera_status tr_tensor_copy(const tr_device *device, const tessera_tensor *from,
                              tessera_tensor *to) {
  const tr_device *home = tr_tensor_device(from);
  int64_t from_strides[TR_MAX_RANK], to_strides[TR_MAX_RANK];
  size_t bytes;
  tessera_status status = create(device, from->dtype, from->rank, from->shape, to, &bytes);
  if (status || !to->data)
    return status;
  tr_copy copy;
  tr_tensor_strides(from, from_strides);
  tr_dense_strides(to->rank, to->shape, to_strides);
  tr_copy_plan(tessera_dtype_size(from->dtype), from->rank, from->shape, from_strides, to_strides,
               &copy);
  if (device == home)
    device->copy(device, NULL, &copy, from->data, to->data);
  else if (home == &tr_host_device)
    device->upload(device, NULL, &copy, from->data, to->data);
  else
    home->download(home, NULL, &copy, from->data, to->data);
  status = tr_device_settle(device == &tr_host_device ? home : device, NULL);
  if (status)
    tessera_tensor_destroy(to);
  return status;
}

static tessera_status move_to(const tr_device *device, tessera_tensor *tensor) {
  tessera_tensor moved;
  if (tr_tensor_device(tensor) == device)
    return TESSERA_OK;
  tessera_status status = tr_tensor_copy(device, tensor, &moved);
  if (status)
    return status;
  tessera_tensor_destroy(tensor);
  *tensor = moved;
  return TESSERA_OK;
}

tessera_status tessera_tensor_to_host(tessera_tensor *tensor) {
  return move_to(&tr_host_device, tensor);
}

tessera_status tessera_tensor_to_device(const tessera_context *context, tessera_tensor *tensor) {
  return move_to(context->world.device, tensor);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

int64_t tessera_tensor_elements(const tessera_tensor *tensor) {
  int64_t elements = 1;
  for (int32_t i = 0; i < tensor->rank; i++)
    elements *= tensor->shape[i];
  return elements;
}
