/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Maps files, and reads what cannot be mapped.
 * It must not know what is in them. */
#include "program/files/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/error.h"

/* Appends until the end; 0 or errno. */
static int read_all(int file, tr_mapping *mapping) {
  size_t capacity = 0;
  for (;;) {
    if (mapping->length == capacity) {
      capacity = capacity ? 2 * capacity : (size_t)1 << 16;
      unsigned char *grown = realloc(mapping->bytes, capacity);
      if (!grown)
        return ENOMEM;
      mapping->bytes = grown;
    }
    ssize_t count = read(file, mapping->bytes + mapping->length, capacity - mapping->length);
    if (count == 0)
      return 0;
    if (count > 0)
      mapping->length += (size_t)count;
    else if (errno != EINTR)
      return errno;
  }
}

/* Nobody writes, and pages that nobody writes are shared. But what moves them over a network may
 * register memory for writing as well, and cannot where that is not allowed; a system that counts
 * what could be written may refuse it. */
static void *map_file(int file, size_t length) {
  void *bytes = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file, 0);
  return bytes != MAP_FAILED ? bytes : mmap(NULL, length, PROT_READ, MAP_PRIVATE, file, 0);
}

static int map_or_read(int file, tr_mapping *mapping) {
  struct stat status;
  if (fstat(file, &status) != 0)
    return errno;
  if (S_ISDIR(status.st_mode))
    return EISDIR;
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    size_t length = (size_t)status.st_size;
    void *bytes = map_file(file, length);
    if (bytes != MAP_FAILED) {
      *mapping = (tr_mapping){bytes, length, true};
      return 0;
    }
  }
  return read_all(file, mapping);
}

tessera_status tr_mapping_open(const char *path, tr_mapping *mapping) {
  *mapping = (tr_mapping){0};
  int file = open(path, O_RDONLY | O_CLOEXEC);
  int error = file < 0 ? errno : map_or_read(file, mapping);
  if (file >= 0)
    close(file);
  if (!error)
    return TESSERA_OK;
  tr_mapping_close(mapping);
  return tr_fail(error == ENOMEM ? TESSERA_ERROR_OUT_OF_MEMORY : TESSERA_ERROR_NOT_FOUND, "%s: %s",
                 path, strerror(error));
}

void tr_mapping_close(tr_mapping *mapping) {
  if (mapping->mapped)
    munmap(mapping->bytes, mapping->length);
  else
    free(mapping->bytes);
  *mapping = (tr_mapping){0};
}
