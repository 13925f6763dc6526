/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One file of the cache: a head with a checksum, messages, an object. It knows bytes, and trusts
 * none of them; must not know what they mean. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache.h"
#include "capi/capi.h"
#include "support/output.h"

/* The checksum is of all that follows it: a file that was cut, mixed with another, or called by
 * another key is none. */
typedef struct entry_head {
  char magic[16];
  unsigned char checksum[TS_SHA256_SIZE];
  char key[TS_CACHE_KEY];
  uint64_t messages, object; /* bytes of each; they follow in this order */
} entry_head;

static const char entry_magic[16] = "tessera object\n";
enum { CHECKED = offsetof(entry_head, key) };

/* The file's path, owned by the caller; NULL without memory. */
static char *entry_path(const ts_cache *cache) {
  char *path;
  return asprintf(&path, "%s/%s", cache->folder, cache->key) < 0 ? NULL : path;
}

static void checksum(const ts_bytes *file, unsigned char digest[TS_SHA256_SIZE]) {
  ts_sha256(file->data + CHECKED, file->size - CHECKED, digest);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* All that the descriptor has, if it is a file of at least a head; data stays NULL if not. */
static void read_file(int descriptor, ts_bytes *file) {
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
      (size_t)status.st_size < sizeof(entry_head) || !(file->data = malloc((size_t)status.st_size)))
    return;
  while (file->size < (size_t)status.st_size) {
    ssize_t got = read(descriptor, file->data + file->size, (size_t)status.st_size - file->size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    file->size += (size_t)got;
  }
}

static bool is_whole(const ts_cache *cache, const ts_bytes *file, entry_head *head) {
  if (file->size < sizeof(*head))
    return false;
  memcpy(head, file->data, sizeof(*head));
  size_t rest = file->size - sizeof(*head);
  if (memcmp(head->magic, entry_magic, sizeof(entry_magic)) != 0 ||
      memcmp(head->key, cache->key, TS_CACHE_KEY) != 0 || head->messages > rest ||
      head->object != rest - head->messages)
    return false;
  unsigned char digest[TS_SHA256_SIZE];
  checksum(file, digest);
  return memcmp(digest, head->checksum, sizeof(digest)) == 0;
}

/* A copy; one byte more than needed, so that there is something to own. */
static bool copy_part(const char *data, size_t size, ts_bytes *part) {
  part->data = malloc(size + 1);
  if (!part->data)
    return false;
  memcpy(part->data, data, size);
  part->size = size;
  return true;
}

static bool take_parts(const ts_bytes *file, const entry_head *head, ts_bytes *messages,
                       ts_bytes *object) {
  const char *first = file->data + sizeof(*head);
  if (!copy_part(first, head->messages, messages))
    return false;
  if (copy_part(first + head->messages, head->object, object))
    return true;
  free(messages->data);
  *messages = (ts_bytes){0};
  return false;
}

bool ts_cache_read(const ts_cache *cache, ts_bytes *messages, ts_bytes *object) {
  char *path = entry_path(cache);
  /* Whatever else may be there must not keep us waiting. */
  int descriptor = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW) : -1;
  free(path);
  if (descriptor < 0)
    return false;
  ts_bytes file = {0};
  entry_head head;
  read_file(descriptor, &file);
  bool good =
      file.data && is_whole(cache, &file, &head) && take_parts(&file, &head, messages, object);
  if (good)
    futimens(descriptor, NULL); /* for ts_cache_trim; a folder may be for reading alone */
  close(descriptor);
  free(file.data);
  return good;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The whole file in memory, owned by the caller; data is NULL without memory. */
static ts_bytes make_file(const ts_cache *cache, const ts_bytes *messages, const ts_bytes *object) {
  entry_head head = {.messages = messages->size, .object = object->size};
  memcpy(head.magic, entry_magic, sizeof(head.magic));
  memcpy(head.key, cache->key, sizeof(head.key));
  ts_bytes file = {.size = sizeof(head) + messages->size + object->size};
  file.data = malloc(file.size);
  if (!file.data)
    return file;
  memcpy(file.data, &head, sizeof(head));
  if (messages->size)
    memcpy(file.data + sizeof(head), messages->data, messages->size);
  memcpy(file.data + sizeof(head) + messages->size, object->data, object->size);
  checksum(&file, head.checksum);
  memcpy(file.data, &head, sizeof(head));
  return file;
}

/* What is there and no file was not put there by us, and is not ours to write to. */
static int write_file(const char *path, const ts_bytes *file) {
  struct stat status;
  if (lstat(path, &status) == 0 && !S_ISREG(status.st_mode))
    return EEXIST;
  tr_output output;
  int error = tr_output_open(path, &output);
  if (error)
    return error;
  tr_output_write(&output, file->data, file->size);
  return tr_output_close(&output);
}

int ts_cache_write(const ts_cache *cache, const ts_bytes *messages, const ts_bytes *object) {
  ts_bytes file = make_file(cache, messages, object);
  char *path = entry_path(cache);
  int error = ENOMEM;
  if (file.data && path)
    error = file.size > cache->limit ? EFBIG : write_file(path, &file);
  free(path);
  free(file.data);
  return error;
}
