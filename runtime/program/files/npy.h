/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* .npy files as bytes in memory: what they say about an array, and how one is written.
 * It must not know layouts, grids or ranks. */
#ifndef TESSERA_RUNTIME_PROGRAM_FILES_NPY_H
#define TESSERA_RUNTIME_PROGRAM_FILES_NPY_H

#include "program/tensor.h"

/* An array as its file has it. */
typedef struct tr_npy {
  tessera_dtype type;
  int32_t rank;
  int64_t shape[TR_MAX_RANK];
  bool fortran;     /* the first index is the fastest */
  const void *data; /* within the file's bytes, perhaps not aligned */
  size_t bytes;     /* of the data */
} tr_npy;

/* Reads the header of a whole file; all of its data is there on success. `name` is what messages
 * call it, `hint` as for tessera_npy_read. */
tessera_status tr_npy_parse(const char *name, const void *bytes, size_t length, tessera_dtype hint,
                            tr_npy *npy);

/* A tensor that uses the file's bytes where they are the tensor's as they stand, strides included,
 * and are not asked to be its own; else `*copy` (or NULL) is memory that tessera_free frees. Its
 * shape and strides are freed by the caller. */
tessera_status tr_npy_view(const char *name, const tr_npy *npy, tessera_tensor *tensor,
                           void **copy);

bool tr_npy_can_write(tessera_dtype type);

/* Formats all that stands before the data, padded with spaces so that the data starts at a multiple
 * of 64. Returns its length. */
enum { TR_NPY_HEADER = 1024 };
size_t tr_npy_header(const tessera_tensor *tensor, char *text, size_t capacity);

/* A tensor as a file has it: the header, and the tensor's own data or a copy. */
typedef struct tr_npy_image {
  char header[TR_NPY_HEADER];
  size_t header_bytes;
  const void *data;
  size_t data_bytes;
  void *copy;
} tr_npy_image;

/* `name` is what messages call the file. The image refers to the tensor until it is destroyed. */
tessera_status tr_npy_image_create(const char *name, const tessera_tensor *tensor,
                                   tr_npy_image *image);
void tr_npy_image_destroy(tr_npy_image *image);

#endif /* TESSERA_RUNTIME_PROGRAM_FILES_NPY_H */
