/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The bytes of a whole file in memory: mapped, so that processes share them.
 * It must not know what they mean. */
#ifndef TESSERA_RUNTIME_PROGRAM_FILES_MAPPING_H
#define TESSERA_RUNTIME_PROGRAM_FILES_MAPPING_H

#include <stdbool.h>
#include <stddef.h>

#include "tessera/status.h"

typedef struct tr_mapping {
  unsigned char *bytes; /* read-only; NULL where length is 0 */
  size_t length;
  bool mapped; /* else read into memory of malloc: a FIFO, or a file system that cannot map */
} tr_mapping;

tessera_status tr_mapping_open(const char *path, tr_mapping *mapping);
/* Safe on a cleared one. */
void tr_mapping_close(tr_mapping *mapping);

#endif /* TESSERA_RUNTIME_PROGRAM_FILES_MAPPING_H */
