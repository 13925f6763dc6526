/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Checked sizes and strides of tensors, and what their types are called. It knows element sizes; it
 * must not know devices, layouts, grids or ranks. */
#ifndef TESSERA_RUNTIME_PROGRAM_DENSE_H
#define TESSERA_RUNTIME_PROGRAM_DENSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tessera/program.h"

/* Bytes of a dense tensor, or false if a size is negative or the product overflows. */
bool tr_dense_bytes(tessera_dtype type, int32_t rank, const int64_t *shape, size_t *bytes);

/* Writes row-major strides of `shape`. */
void tr_dense_strides(int32_t rank, const int64_t *shape, int64_t *strides);

/* Writes the tensor's strides: its own, or row-major ones where it has none. */
void tr_tensor_strides(const tessera_tensor *tensor, int64_t *strides);

bool tr_tensor_is_dense(const tessera_tensor *tensor);

/* "3x64xf32" into `text`, "?" for negative extents; returns text. */
const char *tr_type_text(tessera_dtype type, int32_t rank, const int64_t *shape, char *text,
                         size_t capacity);

#endif /* TESSERA_RUNTIME_PROGRAM_DENSE_H */
