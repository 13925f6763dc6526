/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Tensors: creation, destruction, copies between host and device.
 * It must not know layouts, grids or ranks. */
#include "program/tensor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context/context.h"
#include "devices/host/host.h"
#include "support/error.h"
#include "tensors/view.h"

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
  tessera_status status = *bytes > 0 && !data ? tr_device_check(device) : TESSERA_OK;
  if (status)
    return status;
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

const tessera_device *tessera_context_device(const tessera_context *context) {
  const tr_device *device = context->world.device;
  return device == &tr_host_device ? NULL : device;
}

int32_t tessera_device_ordinal(const tessera_device *device) {
  return device ? device->ordinal : -1;
}

tessera_status tessera_device_put(const tessera_context *context, const tessera_tensor *tensor,
                                  tessera_tensor *copy) {
  return tr_tensor_copy(context->world.device, tensor, copy);
}

tessera_status tessera_device_get(const tessera_tensor *tensor, tessera_tensor *copy) {
  return tr_tensor_copy(&tr_host_device, tensor, copy);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

int64_t tessera_tensor_elements(const tessera_tensor *tensor) {
  int64_t elements = 1;
  for (int32_t i = 0; i < tensor->rank; i++)
    elements *= tensor->shape[i];
  return elements;
}
