/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Lists the members of ZIP archives; every number is checked against the archive's bytes.
 * It must not know what the members are. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "program/files/zip.h"
#include "program/files/zip_format.h"
#include "support/error.h"

typedef struct zip_bytes {
  const char *path;
  const unsigned char *at;
  size_t length;
} zip_bytes;

static uint16_t get16(const unsigned char *at) {
  return (uint16_t)(at[0] | at[1] << 8);
}

static uint32_t get32(const unsigned char *at) {
  return get16(at) | (uint32_t)get16(at + 2) << 16;
}

static uint64_t get64(const unsigned char *at) {
  return get32(at) | (uint64_t)get32(at + 4) << 32;
}

/* The record with `signature` at an offset, or NULL if there is none of `size` bytes. */
static const unsigned char *record_at(const zip_bytes *zip, uint64_t offset, uint32_t signature,
                                      size_t size) {
  if (offset > zip->length || zip->length - offset < size)
    return NULL;
  return get32(zip->at + offset) == signature ? zip->at + offset : NULL;
}

static tessera_status damaged(const zip_bytes *zip, const char *what) {
  return tr_fail(TESSERA_ERROR_MISMATCH, "%s: not a whole .npz file: %s", zip->path, what);
}

/* ---- the end --------------------------------------------------------------------------------- */

typedef struct zip_list {
  uint64_t offset, size, count; /* of the central directory */
} zip_list;

/* The last record whose comment reaches to the end of the file. */
static const unsigned char *find_end(const zip_bytes *zip) {
  for (size_t back = ZIP_END_SIZE; back <= zip->length && back <= ZIP_END_SIZE + 0xffff; back++) {
    const unsigned char *end = record_at(zip, zip->length - back, ZIP_END, ZIP_END_SIZE);
    if (end && get16(end + 20) == back - ZIP_END_SIZE)
      return end;
  }
  return NULL;
}

static tessera_status find_list(const zip_bytes *zip, zip_list *list) {
  const unsigned char *end = find_end(zip);
  if (!end)
    return damaged(zip, "it has no list of members at its end");
  *list = (zip_list){get32(end + 16), get32(end + 12), get16(end + 10)};
  if (list->offset != ZIP_IN_ZIP64 && list->size != ZIP_IN_ZIP64 &&
      list->count != ZIP_IN_ZIP64_SHORT)
    return TESSERA_OK;
  uint64_t at = (uint64_t)(end - zip->at);
  const unsigned char *locator =
      at < ZIP64_LOCATOR_SIZE
          ? NULL
          : record_at(zip, at - ZIP64_LOCATOR_SIZE, ZIP64_LOCATOR, ZIP64_LOCATOR_SIZE);
  if (!locator)
    return TESSERA_OK;
  const unsigned char *large = record_at(zip, get64(locator + 8), ZIP64_END, ZIP64_END_SIZE);
  if (!large)
    return damaged(zip, "its zip64 record is not where it should be");
  *list = (zip_list){get64(large + 48), get64(large + 40), get64(large + 32)};
  return TESSERA_OK;
}

/* ---- members --------------------------------------------------------------------------------- */

/* A member of the central directory, before its local header is looked at. */
typedef struct zip_central {
  uint64_t stored, length, local;
} zip_central;

/* The zip64 field among a member's extra fields and its length; NULL if there is none. */
static const unsigned char *find_zip64(const unsigned char *extra, size_t length, size_t *found) {
  while (length >= 4) {
    size_t size = get16(extra + 2);
    if (size > length - 4)
      return NULL;
    *found = size;
    if (get16(extra) == ZIP64_EXTRA)
      return extra + 4;
    extra += 4 + size;
    length -= 4 + size;
  }
  return NULL;
}

/* Numbers that do not fit 32 bits stand in the zip64 field, in this order. */
static bool take_zip64(const unsigned char *extra, size_t length, zip_central *central) {
  uint64_t *numbers[] = {&central->length, &central->stored, &central->local};
  size_t left = 0;
  const unsigned char *at = find_zip64(extra, length, &left);
  for (int i = 0; i < 3; i++) {
    if (*numbers[i] != ZIP_IN_ZIP64)
      continue;
    if (!at || left < 8)
      return false;
    *numbers[i] = get64(at);
    at += 8;
    left -= 8;
  }
  return true;
}

/* Where the member's bytes start: behind its local header, whose name and extra fields may be of
 * other lengths than those of the list. */
static bool locate(const zip_bytes *zip, const zip_central *central, tr_zip_member *member) {
  const unsigned char *local = record_at(zip, central->local, ZIP_LOCAL, ZIP_LOCAL_SIZE);
  if (!local)
    return false;
  uint64_t start = central->local + ZIP_LOCAL_SIZE + get16(local + 26) + get16(local + 28);
  if (start > zip->length || central->stored > zip->length - start)
    return false;
  member->offset = start;
  member->length = central->stored;
  return true;
}

/* The member listed at `*offset`, which moves behind it. */
static tessera_status read_member(const zip_bytes *zip, uint64_t *offset, tr_zip_member *member) {
  const unsigned char *at = record_at(zip, *offset, ZIP_CENTRAL, ZIP_CENTRAL_SIZE);
  if (!at)
    return damaged(zip, "its list of members is cut short");
  size_t name = get16(at + 28), extra = get16(at + 30), comment = get16(at + 32);
  uint64_t end = *offset + ZIP_CENTRAL_SIZE + name + extra + comment;
  if (end > zip->length)
    return damaged(zip, "its list of members is cut short");
  const unsigned char *text = at + ZIP_CENTRAL_SIZE;
  if (memchr(text, 0, name))
    return damaged(zip, "the name of a member has a zero byte");
  zip_central central = {get32(at + 20), get32(at + 24), get32(at + 42)};
  bool whole = take_zip64(text + name, extra, &central) && locate(zip, &central, member);
  member->flags = get16(at + 8);
  member->method = get16(at + 10);
  member->crc = get32(at + 16);
  if (!whole || (member->method == TR_ZIP_STORED && central.length != central.stored))
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "%s: not a whole .npz file: member '%.*s' does not lie within it", zip->path,
                   (int)name, (const char *)text);
  member->name = strndup((const char *)text, name);
  if (!member->name)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "%s: no memory for its names", zip->path);
  *offset = end;
  return TESSERA_OK;
}

tessera_status tr_zip_list(const char *path, const unsigned char *bytes, size_t length,
                           tr_zip_member **members, int32_t *count) {
  zip_bytes zip = {path, bytes, length};
  zip_list list = {0, 0, 0};
  *members = NULL;
  *count = 0;
  tessera_status status = find_list(&zip, &list);
  if (status)
    return status;
  /* A list that claims more members than fit is refused before memory is taken for them. */
  if (list.count > length / ZIP_CENTRAL_SIZE || list.count > INT32_MAX)
    return damaged(&zip, "its list of members is cut short");
  *members = calloc((size_t)list.count + 1, sizeof(**members));
  if (!*members)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "%s: no memory for its names", path);
  uint64_t offset = list.offset;
  while (!status && (uint64_t)*count < list.count) {
    status = read_member(&zip, &offset, &(*members)[*count]);
    *count += !status;
  }
  if (status) {
    tr_zip_free(*members, *count);
    *members = NULL;
    *count = 0;
  }
  return status;
}

void tr_zip_free(tr_zip_member *members, int32_t count) {
  for (int32_t i = 0; i < count; i++)
    free(members[i].name);
  free(members);
}
