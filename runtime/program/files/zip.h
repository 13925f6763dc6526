/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* ZIP archives as NumPy has them: members that are stored, not compressed; zip64 where they are
 * large. It must not know what the members are. */
#ifndef TESSERA_RUNTIME_PROGRAM_FILES_ZIP_H
#define TESSERA_RUNTIME_PROGRAM_FILES_ZIP_H

#include <stddef.h>
#include <stdint.h>

#include "support/output.h"
#include "tessera/status.h"

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct tr_zip_member {
  char *name;
  size_t offset, length; /* of its bytes in the archive */
  uint32_t crc;
  uint16_t method; /* 0: stored; else the bytes are compressed */
  uint16_t flags;
} tr_zip_member;

enum { TR_ZIP_STORED = 0, TR_ZIP_ENCRYPTED = 1 /* in flags */ };

/* Lists the members of an archive, in its order. All bytes of each lie within the archive. `path`
 * is what messages call it; tr_zip_free frees the list. */
tessera_status tr_zip_list(const char *path, const unsigned char *bytes, size_t length,
                           tr_zip_member **members, int32_t *count);
void tr_zip_free(tr_zip_member *members, int32_t count);

/* ---- writing --------------------------------------------------------------------------------- */

typedef struct tr_zip_entry {
  char *name;
  uint64_t offset, length;
  uint32_t crc;
} tr_zip_entry;

typedef struct tr_zip_writer {
  tr_output *output;
  uint64_t offset;
  tr_zip_entry *entries;
  int32_t count;
} tr_zip_writer;

/* Starts an archive on an open output, which the caller closes. */
void tr_zip_start(tr_output *output, tr_zip_writer *writer);

/* Appends a member of two parts, the first of which starts at a multiple of 64. Errors of the
 * output are noted in it. */
tessera_status tr_zip_add(tr_zip_writer *writer, const char *name, const void *first,
                          size_t first_bytes, const void *second, size_t second_bytes);

/* Writes the list of members that ends an archive. */
void tr_zip_finish(tr_zip_writer *writer);

/* Frees what the writer has; the output stays open. */
void tr_zip_stop(tr_zip_writer *writer);

#endif /* TESSERA_RUNTIME_PROGRAM_FILES_ZIP_H */
