/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Tensors inside libtessera: dense copies between host and device.
 * It knows memory and element sizes; it must not know layouts, grids or ranks. */
#ifndef TESSERA_RUNTIME_PROGRAM_TENSOR_H
#define TESSERA_RUNTIME_PROGRAM_TENSOR_H

#include <stdbool.h>

#include "tessera/program.h"

#include "layout/pieces.h"
#include "planes/device.h"
#include "program/dense.h"
#include "tensors/dtype.h"

const tr_device *tr_tensor_device(const tessera_tensor *tensor);
/* The address that compiled code uses. */
void *tr_tensor_reach(const tessera_tensor *tensor);

/* A dense tensor that owns `data`, memory of the device; on failure it is released at once. */
tessera_status tr_tensor_adopt(const tr_device *device, tessera_dtype dtype, int32_t rank,
                               const int64_t *shape, void *data, tessera_tensor *tensor);

/* tessera_tensor_create on a device. */
tessera_status tr_tensor_create(const tr_device *device, tessera_dtype dtype, int32_t rank,
                                const int64_t *shape, tessera_tensor *tensor);

/* A dense copy on `device`: that of `from`, or one of the two is the host. */
tessera_status tr_tensor_copy(const tr_device *device, const tessera_tensor *from,
                              tessera_tensor *to);

#endif /* TESSERA_RUNTIME_PROGRAM_TENSOR_H */
