/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Writes named arrays as a folder of .npy files or as an .npz archive.
 * It must not know programs, layouts or ranks. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "program/files/npy.h"
#include "program/files/zip.h"
#include "support/error.h"
#include "support/output.h"

struct tessera_arrays_writer {
  tessera_arrays_kind kind;
  char *path;
  tr_output output; /* of an archive */
  tr_zip_writer zip;
};

static tessera_status cannot(const char *path, int error) {
  return tr_fail(TESSERA_ERROR_NOT_FOUND, "%s: %s", path, strerror(error));
}

static tessera_status start(tessera_arrays_writer *writer) {
  int error = 0;
  if (writer->kind == TESSERA_ARRAYS_FOLDER)
    error = mkdir(writer->path, 0777) == 0 || errno == EEXIST ? 0 : errno;
  else
    error = tr_output_open(writer->path, &writer->output);
  if (error)
    return cannot(writer->path, error);
  tr_zip_start(&writer->output, &writer->zip);
  return TESSERA_OK;
}

static void destroy(tessera_arrays_writer *writer) {
  tr_zip_stop(&writer->zip);
  free(writer->path);
  free(writer);
}

tessera_status tessera_arrays_create(const char *path, tessera_arrays_writer **writer) {
  *writer = NULL;
  tessera_arrays_kind kind = tessera_arrays_kind_of(path);
  if (kind == TESSERA_ARRAYS_FILE)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                   "%s: several arrays need a folder or a name that ends in .npz", path);
  tessera_arrays_writer *made = calloc(1, sizeof(*made));
  if (!made || !(made->path = strdup(path))) {
    free(made);
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "%s: no memory", path);
  }
  made->kind = kind;
  tessera_status status = start(made);
  if (status)
    destroy(made);
  else
    *writer = made;
  return status;
}

static tessera_status add_file(const tessera_arrays_writer *writer, const char *file,
                               const tessera_tensor *tensor) {
  char *path;
  size_t length = strlen(writer->path);
  const char *slash = length > 0 && writer->path[length - 1] == '/' ? "" : "/";
  if (asprintf(&path, "%s%s%s", writer->path, slash, file) < 0)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "%s: no memory", writer->path);
  tessera_status status = tessera_npy_write(path, tensor);
  free(path);
  return status;
}

static tessera_status add_member(tessera_arrays_writer *writer, const char *file,
                                 const tessera_tensor *tensor) {
  tr_npy_image image;
  tessera_status status = tr_npy_image_create(file, tensor, &image);
  if (status)
    return status;
  status = tr_zip_add(&writer->zip, file, image.header, image.header_bytes, image.data,
                      image.data_bytes);
  tr_npy_image_destroy(&image);
  return status;
}

tessera_status tessera_arrays_add(tessera_arrays_writer *writer, const char *name,
                                  const tessera_tensor *tensor) {
  char *file;
  if (!name[0] || name[0] == '.' || strchr(name, '/'))
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "%s: '%s' is no name of a file", writer->path,
                   name);
  if (asprintf(&file, "%s.npy", name) < 0)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "%s: no memory", writer->path);
  tessera_status status = writer->kind == TESSERA_ARRAYS_FOLDER ? add_file(writer, file, tensor)
                                                                : add_member(writer, file, tensor);
  free(file);
  return status;
}

tessera_status tessera_arrays_finish(tessera_arrays_writer *writer) {
  int error = 0;
  if (writer->kind == TESSERA_ARRAYS_ARCHIVE) {
    tr_zip_finish(&writer->zip);
    error = tr_output_close(&writer->output);
  }
  tessera_status status = error ? cannot(writer->path, error) : TESSERA_OK;
  destroy(writer);
  return status;
}

void tessera_arrays_drop(tessera_arrays_writer *writer) {
  if (!writer)
    return;
  if (writer->kind == TESSERA_ARRAYS_ARCHIVE)
    tr_output_drop(&writer->output);
  destroy(writer);
}
