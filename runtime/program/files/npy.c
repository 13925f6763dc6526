/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Tensors from .npy files and into them, without converting any value.
 * It must not know layouts, grids or ranks. */
#include "program/files/npy.h"

#include <stdlib.h>
#include <string.h>

#include "devices/host/host.h"
#include "program/files/mapping.h"
#include "support/error.h"
#include "support/output.h"

/* ---- types narrower than a byte -------------------------------------------------------------- */

/* In files i4 is an int8 between -8 and 7, in memory the low four bits of a byte whose other bits
 * are 0, as compiled code has it; i1 is 0 or 1 in both. */
static bool is_narrow(tessera_dtype type) {
  return type == TESSERA_I1 || type == TESSERA_I4;
}

static bool all_fit(tessera_dtype type, const int8_t *data, size_t count) {
  int8_t lowest = type == TESSERA_I4 ? -8 : 0, highest = type == TESSERA_I4 ? 7 : 1;
  for (size_t i = 0; i < count; i++)
    if (data[i] < lowest || data[i] > highest)
      return false;
  return true;
}

static void narrow_bytes(int8_t *data, size_t count) {
  for (size_t i = 0; i < count; i++)
    data[i] &= 0xf;
}

static void widen_bytes(int8_t *data, size_t count) {
  for (size_t i = 0; i < count; i++)
    data[i] = (int8_t)((data[i] & 0xf) - (data[i] & 8) * 2);
}

/* ---- reading --------------------------------------------------------------------------------- */

static void fortran_strides(int32_t rank, const int64_t *shape, int64_t *strides) {
  int64_t stride = 1;
  for (int32_t i = 0; i < rank; i++) {
    strides[i] = stride;
    if (shape[i] > 1 && __builtin_mul_overflow(stride, shape[i], &stride))
      stride = 1;
  }
}

/* Of scalars, code takes the address; i4 has other bits in memory. */
static bool needs_copy(const tr_npy *npy) {
  return npy->bytes > 0 && (npy->rank == 0 || npy->type == TESSERA_I4);
}

static tessera_status check_narrow(const char *name, const tr_npy *npy) {
  if (!is_narrow(npy->type) || all_fit(npy->type, npy->data, npy->bytes))
    return TESSERA_OK;
  return tr_fail(TESSERA_ERROR_MISMATCH, "%s: a value does not fit %s", name,
                 tr_dtype_name(npy->type));
}

static tessera_status copy_data(const char *name, const tr_npy *npy, void **copy) {
  *copy = tessera_alloc(npy->bytes);
  if (!*copy)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "%s: no memory for %zu bytes", name, npy->bytes);
  memcpy(*copy, npy->data, npy->bytes);
  if (npy->type == TESSERA_I4)
    narrow_bytes(*copy, npy->bytes);
  return TESSERA_OK;
}

tessera_status tr_npy_view(const char *name, const tr_npy *npy, tessera_tensor *tensor,
                           void **copy) {
  *copy = NULL;
  memset(tensor, 0, sizeof(*tensor));
  tessera_status status = check_narrow(name, npy);
  if (!status && needs_copy(npy))
    status = copy_data(name, npy, copy);
  if (status)
    return status;
  size_t bytes = sizeof(int64_t) * (size_t)npy->rank;
  *tensor = (tessera_tensor){.dtype = npy->type, .rank = npy->rank};
  tensor->data = *copy ? *copy : npy->bytes > 0 ? (void *)(uintptr_t)npy->data : NULL;
  tensor->shape = npy->rank > 0 ? malloc(bytes) : NULL;
  tensor->strides = npy->rank > 1 && npy->fortran ? malloc(bytes) : NULL;
  if ((npy->rank > 0 && !tensor->shape) || (npy->rank > 1 && npy->fortran && !tensor->strides)) {
    free(tensor->shape);
    free(tensor->strides);
    tessera_free(*copy);
    memset(tensor, 0, sizeof(*tensor));
    *copy = NULL;
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "%s: no memory for a tensor", name);
  }
  if (tensor->shape)
    memcpy(tensor->shape, npy->shape, bytes);
  if (tensor->strides)
    fortran_strides(npy->rank, npy->shape, tensor->strides);
  return TESSERA_OK;
}

tessera_status tessera_npy_read(const char *path, tessera_dtype dtype_hint,
                                tessera_tensor *tensor) {
  tr_mapping mapping;
  tr_npy npy;
  tessera_tensor view;
  void *copy;
  memset(tensor, 0, sizeof(*tensor));
  tessera_status status = tr_mapping_open(path, &mapping);
  if (status)
    return status;
  status = tr_npy_parse(path, mapping.bytes, mapping.length, dtype_hint, &npy);
  if (!status)
    status = tr_npy_view(path, &npy, &view, &copy);
  if (!status) {
    status = tr_tensor_copy(&tr_host_device, &view, tensor);
    free(view.shape);
    free(view.strides);
    tessera_free(copy);
  }
  tr_mapping_close(&mapping);
  return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The data as a file has it: the tensor's own, or a copy in `*copy` (to be freed). */
static const void *file_data(const tessera_tensor *tensor, size_t bytes, void **copy) {
  *copy = NULL;
  if (bytes == 0 || (!tensor->device && tensor->dtype != TESSERA_I4 && tr_tensor_is_dense(tensor)))
    return tensor->data;
  tessera_tensor dense;
  if (tr_tensor_copy(&tr_host_device, tensor, &dense) != TESSERA_OK)
    return NULL;
  *copy = dense.data;
  free(dense.shape);
  if (tensor->dtype == TESSERA_I4)
    widen_bytes(*copy, bytes);
  return *copy;
}

tessera_status tr_npy_image_create(const char *name, const tessera_tensor *tensor,
                                   tr_npy_image *image) {
  size_t bytes;
  if (!tr_npy_can_write(tensor->dtype) || tensor->rank < 0 || tensor->rank > TR_MAX_RANK ||
      !tr_dense_bytes(tensor->dtype, tensor->rank, tensor->shape, &bytes))
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "%s: not a tensor that can be written", name);
  image->header_bytes = tr_npy_header(tensor, image->header, sizeof(image->header));
  image->data_bytes = bytes;
  image->data = file_data(tensor, bytes, &image->copy);
  if (bytes > 0 && !image->data)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "%s: no memory for %zu bytes", name, bytes);
  return TESSERA_OK;
}

void tr_npy_image_destroy(tr_npy_image *image) {
  tessera_free(image->copy);
}

tessera_status tessera_npy_write(const char *path, const tessera_tensor *tensor) {
  tr_npy_image image;
  tessera_status status = tr_npy_image_create(path, tensor, &image);
  if (status)
    return status;
  tr_output output;
  int error = tr_output_open(path, &output);
  if (!error) {
    tr_output_write(&output, image.header, image.header_bytes);
    tr_output_write(&output, image.data, image.data_bytes);
    error = tr_output_close(&output);
  }
  tr_npy_image_destroy(&image);
  if (error)
    return tr_fail(TESSERA_ERROR_NOT_FOUND, "%s: %s", path, strerror(error));
  return TESSERA_OK;
}
