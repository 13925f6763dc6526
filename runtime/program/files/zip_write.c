/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Writes ZIP archives whose members are stored, aligned, and the same whenever they are written.
 * It must not know what the members are. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "program/files/crc.h"
#include "program/files/zip.h"
#include "program/files/zip_format.h"
#include "support/error.h"

/* A record under construction: the largest without its name. */
typedef struct zip_record {
  unsigned char bytes[ZIP_CENTRAL_SIZE + ZIP64_END_SIZE + ZIP64_LOCATOR_SIZE + ZIP_END_SIZE + 128];
  size_t used;
} zip_record;

enum {
  ALIGNMENT = 64,
  VERSION = 45,           /* of the format: zip64 */
  UTF8_NAMES = 1 << 11,   /* flags */
  DATE = 1 << 5 | 1,      /* 1 January 1980 */
  PADDING_EXTRA = 0xd935, /* an extra field of zero bytes */
  ZIP64_EXTRA_SIZE = 4 + 3 * 8
};

static void put(zip_record *record, int bytes, uint64_t number) {
  for (int i = 0; i < bytes; i++)
    record->bytes[record->used++] = (unsigned char)(number >> 8 * i);
}

static void put_zeros(zip_record *record, size_t bytes) {
  memset(record->bytes + record->used, 0, bytes);
  record->used += bytes;
}

static void write_bytes(tr_zip_writer *writer, const void *bytes, size_t length) {
  tr_output_write(writer->output, bytes, length);
  writer->offset += length;
}

static uint32_t in_32_bits(uint64_t number) {
  return number < ZIP_IN_ZIP64 ? (uint32_t)number : ZIP_IN_ZIP64;
}

static bool is_large(const tr_zip_entry *entry) {
  return entry->length >= ZIP_IN_ZIP64 || entry->offset >= ZIP_IN_ZIP64;
}

/* ---- members --------------------------------------------------------------------------------- */

/* What local header and list have in common, from the version to the length of the name. */
static void put_common(zip_record *record, const tr_zip_entry *entry) {
  uint32_t length = is_large(entry) ? ZIP_IN_ZIP64 : (uint32_t)entry->length;
  put(record, 2, VERSION);
  put(record, 2, UTF8_NAMES);
  put(record, 2, TR_ZIP_STORED);
  put(record, 2, 0);
  put(record, 2, DATE);
  put(record, 4, entry->crc);
  put(record, 4, length);
  put(record, 4, length);
  put(record, 2, strlen(entry->name));
}

static void put_zip64(zip_record *record, const tr_zip_entry *entry, bool with_offset) {
  if (!is_large(entry))
    return;
  put(record, 2, ZIP64_EXTRA);
  put(record, 2, with_offset ? 24 : 16);
  put(record, 8, entry->length);
  put(record, 8, entry->length);
  if (with_offset)
    put(record, 8, entry->offset);
}

static void write_local(tr_zip_writer *writer, const tr_zip_entry *entry) {
  zip_record record = {.used = 0};
  size_t zip64 = is_large(entry) ? 20 : 0, name = strlen(entry->name);
  uint64_t start = writer->offset + ZIP_LOCAL_SIZE + name + zip64 + 4;
  size_t padding = (size_t)(-start % ALIGNMENT);
  put(&record, 4, ZIP_LOCAL);
  put_common(&record, entry);
  put(&record, 2, zip64 + 4 + padding);
  write_bytes(writer, record.bytes, record.used);
  write_bytes(writer, entry->name, name);
  record.used = 0;
  put_zip64(&record, entry, false);
  put(&record, 2, PADDING_EXTRA);
  put(&record, 2, padding);
  put_zeros(&record, padding);
  write_bytes(writer, record.bytes, record.used);
}

static tr_zip_entry *append_entry(tr_zip_writer *writer, const char *name) {
  tr_zip_entry *grown = realloc(writer->entries, sizeof(*grown) * ((size_t)writer->count + 1));
  if (!grown)
    return NULL;
  writer->entries = grown;
  grown[writer->count] = (tr_zip_entry){.name = strdup(name), .offset = writer->offset};
  return grown[writer->count].name ? &grown[writer->count++] : NULL;
}

void tr_zip_start(tr_output *output, tr_zip_writer *writer) {
  *writer = (tr_zip_writer){.output = output};
}

tessera_status tr_zip_add(tr_zip_writer *writer, const char *name, const void *first,
                          size_t first_bytes, const void *second, size_t second_bytes) {
  if (strlen(name) > UINT16_MAX)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "the name of a member is too long");
  tr_zip_entry *entry = append_entry(writer, name);
  if (!entry)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the list of members");
  entry->length = (uint64_t)first_bytes + second_bytes;
  entry->crc = tr_crc(tr_crc(0, first, first_bytes), second, second_bytes);
  write_local(writer, entry);
  write_bytes(writer, first, first_bytes);
  write_bytes(writer, second, second_bytes);
  return TESSERA_OK;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void write_listed(tr_zip_writer *writer, const tr_zip_entry *entry) {
  zip_record record = {.used = 0};
  put(&record, 4, ZIP_CENTRAL);
  put(&record, 2, VERSION);
  put_common(&record, entry);
  put(&record, 2, is_large(entry) ? ZIP64_EXTRA_SIZE : 0);
  put_zeros(&record, 2 + 2 + 2 + 4);
  put(&record, 4, is_large(entry) ? ZIP_IN_ZIP64 : (uint32_t)entry->offset);
  write_bytes(writer, record.bytes, record.used);
  write_bytes(writer, entry->name, strlen(entry->name));
  record.used = 0;
  put_zip64(&record, entry, true);
  write_bytes(writer, record.bytes, record.used);
}

static void put_zip64_end(zip_record *record, uint64_t count, uint64_t start, uint64_t end) {
  put(record, 4, ZIP64_END);
  put(record, 8, ZIP64_END_SIZE - 12);
  put(record, 2, VERSION);
  put(record, 2, VERSION);
  put_zeros(record, 4 + 4);
  put(record, 8, count);
  put(record, 8, count);
  put(record, 8, end - start);
  put(record, 8, start);
  put(record, 4, ZIP64_LOCATOR);
  put(record, 4, 0);
  put(record, 8, end);
  put(record, 4, 1);
}

void tr_zip_finish(tr_zip_writer *writer) {
  uint64_t start = writer->offset, count = (uint64_t)writer->count;
  for (int32_t i = 0; i < writer->count; i++)
    write_listed(writer, &writer->entries[i]);
  uint64_t end = writer->offset;
  uint64_t listed = count < ZIP_IN_ZIP64_SHORT ? count : ZIP_IN_ZIP64_SHORT;
  zip_record record = {.used = 0};
  if (listed == ZIP_IN_ZIP64_SHORT || end >= ZIP_IN_ZIP64)
    put_zip64_end(&record, count, start, end);
  put(&record, 4, ZIP_END);
  put_zeros(&record, 4);
  put(&record, 2, listed);
  put(&record, 2, listed);
  put(&record, 4, in_32_bits(end - start));
  put(&record, 4, in_32_bits(start));
  put(&record, 2, 0);
  write_bytes(writer, record.bytes, record.used);
}

void tr_zip_stop(tr_zip_writer *writer) {
  for (int32_t i = 0; i < writer->count; i++)
    free(writer->entries[i].name);
  free(writer->entries);
  *writer = (tr_zip_writer){0};
}
