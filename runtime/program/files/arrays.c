/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Arrays in a .npy file, in the members of an .npz archive, or in the .npy files of a folder.
 * It must not know programs, layouts or ranks. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "program/files/crc.h"
#include "program/files/mapping.h"
#include "program/files/npy.h"
#include "program/files/zip.h"
#include "support/error.h"

/* One array; `text` is what messages call it. */
typedef struct array {
  char *name, *text;
  char *path;         /* in a folder, its own file; else NULL */
  tr_mapping mapping; /* of that */
  tr_zip_member member;
  tessera_tensor tensor;
  void *copy; /* what the tensor has instead of the file's bytes */
} array;

struct tessera_arrays {
  tessera_arrays_kind kind;
  char *path;
  tr_mapping mapping; /* not of a folder */
  array *items;
  int32_t count;
};

/* ---- kinds ----------------------------------------------------------------------------------- */

static bool ends_in(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

tessera_arrays_kind tessera_arrays_kind_of(const char *path) {
  struct stat status;
  if (ends_in(path, "/") || (stat(path, &status) == 0 && S_ISDIR(status.st_mode)))
    return TESSERA_ARRAYS_FOLDER;
  return ends_in(path, ".npz") ? TESSERA_ARRAYS_ARCHIVE : TESSERA_ARRAYS_FILE;
}

/* ---- listing --------------------------------------------------------------------------------- */

static tessera_status no_memory(const char *path) {
  return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "%s: no memory for its names", path);
}

/* "a" of "a.npy". */
static bool set_name(array *item, const char *file) {
  item->name = strndup(file, strlen(file) - strlen(".npy"));
  return item->name != NULL;
}

/* Hidden files are those of systems and of writers at work. */
static int is_array_file(const struct dirent *entry) {
  return entry->d_name[0] != '.' && ends_in(entry->d_name, ".npy");
}

static char *join(const char *folder, const char *name) {
  char *path;
  return asprintf(&path, "%s%s%s", folder, ends_in(folder, "/") ? "" : "/", name) < 0 ? NULL : path;
}

static bool take_file(tessera_arrays *arrays, const char *file) {
  array *item = &arrays->items[arrays->count];
  arrays->count++;
  item->path = join(arrays->path, file);
  item->text = item->path ? strdup(item->path) : NULL;
  return item->text && set_name(item, file);
}

/* By the numbers in their names where these have some: 2 before 10. */
static tessera_status list_folder(tessera_arrays *arrays) {
  struct dirent **files;
  int count = scandir(arrays->path, &files, is_array_file, versionsort);
  if (count < 0)
    return tr_fail(TESSERA_ERROR_NOT_FOUND, "%s: %s", arrays->path, strerror(errno));
  arrays->items = calloc((size_t)count + 1, sizeof(array));
  bool listed = arrays->items != NULL;
  for (int i = 0; i < count; i++) {
    listed = listed && take_file(arrays, files[i]->d_name);
    free(files[i]);
  }
  free(files);
  return listed ? TESSERA_OK : no_memory(arrays->path);
}

/* What the bytes of a member stand for, if not for an array as it is. */
static tessera_status check_member(const char *path, const tr_zip_member *member) {
  if (member->flags & TR_ZIP_ENCRYPTED)
    return tr_fail(TESSERA_ERROR_UNSUPPORTED, "%s: member '%s' is encrypted", path, member->name);
  if (member->method != TR_ZIP_STORED)
    return tr_fail(TESSERA_ERROR_UNSUPPORTED,
                   "%s: member '%s' is compressed (method %d); write the archive with numpy.savez, "
                   "not with numpy.savez_compressed",
                   path, member->name, member->method);
  return TESSERA_OK;
}

static tessera_status take_member(tessera_arrays *arrays, const tr_zip_member *member) {
  tessera_status status = check_member(arrays->path, member);
  if (status)
    return status;
  array *item = &arrays->items[arrays->count];
  arrays->count++;
  item->member = *member;
  item->member.name = NULL;
  if (asprintf(&item->text, "%s: member '%s'", arrays->path, member->name) < 0)
    item->text = NULL;
  if (!item->text || !set_name(item, member->name))
    return no_memory(arrays->path);
  for (int32_t i = 0; i + 1 < arrays->count; i++)
    if (strcmp(arrays->items[i].name, item->name) == 0)
      return tr_fail(TESSERA_ERROR_MISMATCH, "%s: there are two members '%s'", arrays->path,
                     member->name);
  return TESSERA_OK;
}

/* What numpy.savez calls an array without a name. */
static bool is_numbered(const char *name) {
  static const char prefix[] = "arr_";
  if (strncmp(name, prefix, strlen(prefix)) != 0 || !name[strlen(prefix)])
    return false;
  return strspn(name + strlen(prefix), "0123456789") == strlen(name + strlen(prefix));
}

static int compare_names(const void *left, const void *right) {
  return strverscmp(((const array *)left)->name, ((const array *)right)->name);
}

/* In the archive's order, numbered ones by their numbers. */
static tessera_status list_archive(tessera_arrays *arrays) {
  tr_zip_member *members;
  int32_t count;
  tessera_status status = tr_mapping_open(arrays->path, &arrays->mapping);
  if (!status)
    status =
        tr_zip_list(arrays->path, arrays->mapping.bytes, arrays->mapping.length, &members, &count);
  if (status)
    return status;
  arrays->items = calloc((size_t)count + 1, sizeof(array));
  if (!arrays->items)
    status = no_memory(arrays->path);
  bool numbered = true;
  for (int32_t i = 0; !status && i < count; i++)
    if (ends_in(members[i].name, ".npy")) {
      status = take_member(arrays, &members[i]);
      numbered = numbered && !status && is_numbered(arrays->items[arrays->count - 1].name);
    }
  tr_zip_free(members, count);
  if (!status && numbered && arrays->count > 1)
    qsort(arrays->items, (size_t)arrays->count, sizeof(array), compare_names);
  return status;
}

static tessera_status list_file(tessera_arrays *arrays) {
  tessera_status status = tr_mapping_open(arrays->path, &arrays->mapping);
  if (status)
    return status;
  arrays->items = calloc(1, sizeof(array));
  if (!arrays->items)
    return no_memory(arrays->path);
  arrays->count = 1;
  arrays->items[0].name = strdup("");
  arrays->items[0].text = strdup(arrays->path);
  return arrays->items[0].name && arrays->items[0].text ? TESSERA_OK : no_memory(arrays->path);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

tessera_status tessera_arrays_open(const char *path, tessera_arrays **arrays) {
  static tessera_status (*const list[])(tessera_arrays *) = {[TESSERA_ARRAYS_FILE] = list_file,
                                                             [TESSERA_ARRAYS_FOLDER] = list_folder,
                                                             [TESSERA_ARRAYS_ARCHIVE] =
                                                                 list_archive};
  tessera_arrays *made = calloc(1, sizeof(*made));
  *arrays = NULL;
  if (!made || !(made->path = strdup(path))) {
    free(made);
    return no_memory(path);
  }
  made->kind = tessera_arrays_kind_of(path);
  tessera_status status = list[made->kind](made);
  if (status)
    tessera_arrays_close(made);
  else
    *arrays = made;
  return status;
}

int32_t tessera_arrays_count(const tessera_arrays *arrays) {
  return arrays->count;
}

const char *tessera_arrays_name(const tessera_arrays *arrays, int32_t index) {
  return index >= 0 && index < arrays->count ? arrays->items[index].name : "";
}

const char *tessera_arrays_text(const tessera_arrays *arrays, int32_t index) {
  return index >= 0 && index < arrays->count ? arrays->items[index].text : "";
}

/* Where it takes no time worth speaking of, a member is read to see whether it is whole; what is
 * larger would be read by every process for that alone. */
enum { CHECKED_BYTES = 16 << 20 };

static tessera_status check_sum(const array *item, const unsigned char *bytes) {
  if (item->member.length > CHECKED_BYTES ||
      tr_crc(0, bytes, item->member.length) == item->member.crc)
    return TESSERA_OK;
  return tr_fail(TESSERA_ERROR_MISMATCH, "%s is damaged: its checksum is wrong", item->text);
}

/* The bytes of the .npy file. */
static tessera_status find_bytes(tessera_arrays *arrays, array *item, const unsigned char **bytes,
                                 size_t *length) {
  const tr_mapping *mapping = &arrays->mapping;
  tessera_status status = TESSERA_OK;
  if (arrays->kind == TESSERA_ARRAYS_FOLDER) {
    if (!item->mapping.bytes)
      status = tr_mapping_open(item->path, &item->mapping);
    mapping = &item->mapping;
  }
  *bytes = mapping->bytes;
  *length = mapping->length;
  if (status || arrays->kind != TESSERA_ARRAYS_ARCHIVE)
    return status;
  *bytes += item->member.offset;
  *length = item->member.length;
  return check_sum(item, *bytes);
}

static void drop_tensor(array *item) {
  free(item->tensor.shape);
  free(item->tensor.strides);
  tessera_free(item->copy);
  item->copy = NULL;
  memset(&item->tensor, 0, sizeof(item->tensor));
}

tessera_status tessera_arrays_read(tessera_arrays *arrays, int32_t index, tessera_dtype dtype_hint,
                                   tessera_tensor *tensor) {
  memset(tensor, 0, sizeof(*tensor));
  if (index < 0 || index >= arrays->count)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "%s: there is no array %d, only %d",
                   arrays->path, index, arrays->count);
  array *item = &arrays->items[index];
  const unsigned char *bytes;
  size_t length;
  tr_npy npy;
  drop_tensor(item);
  tessera_status status = find_bytes(arrays, item, &bytes, &length);
  if (!status)
    status = tr_npy_parse(item->text, bytes, length, dtype_hint, &npy);
  if (!status)
    status = tr_npy_view(item->text, &npy, &item->tensor, &item->copy);
  if (!status)
    *tensor = item->tensor;
  return status;
}

void tessera_arrays_close(tessera_arrays *arrays) {
  if (!arrays)
    return;
  for (int32_t i = 0; i < arrays->count; i++) {
    array *item = &arrays->items[i];
    drop_tensor(item);
    tr_mapping_close(&item->mapping);
    free(item->name);
    free(item->text);
    free(item->path);
  }
  free(arrays->items);
  tr_mapping_close(&arrays->mapping);
  free(arrays->path);
  free(arrays);
}
