/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The folder of the cache: where it is, and that it does not grow without end. It knows names and
 * ages of files; it must not know what is in them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tools/compile/driver.h"

/* ---- settings -------------------------------------------------------------------------------- */

/* Bytes, or with K, M or G at the end multiples of 1024; false if it is no size. */
static bool parse_size(const char *text, uint64_t *size) {
  static const char units[] = "KMG";
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  if (errno || *text < '0' || *text > '9')
    return false;
  const char *unit = *end ? strchr(units, *end) : NULL;
  if (*end && (!unit || end[1]))
    return false;
  int shift = unit ? 10 * (int)(unit - units + 1) : 0;
  *size = (uint64_t)value << shift;
  return *size >> shift == value;
}

/* The value of a variable that says something; NULL if it does not. */
static const char *setting(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

/* The user's folder for caches may be named by either; relative ones do not count. */
static char *default_folder(void) {
  const char *base = setting("XDG_CACHE_HOME"), *home = setting("HOME");
  char *folder = NULL;
  int length = 0;
  if (base && *base == '/')
    length = asprintf(&folder, "%s/tessera", base);
  else if (home)
    length = asprintf(&folder, "%s/.cache/tessera", home);
  return length < 0 ? NULL : folder;
}

bool ts_cache_locate(ts_cache *cache) {
  const char *folder = setting("TESSERA_CACHE"), *size = setting("TESSERA_CACHE_SIZE");
  if (folder && strcmp(folder, "none") == 0)
    return true;
  cache->limit = (uint64_t)1 << 30;
  if (size && !parse_size(size, &cache->limit))
    return ts_driver_error(
        NULL, "TESSERA_CACHE_SIZE=%s: expected a number of bytes, such as 500M or 2G", size);
  cache->folder = folder ? strdup(folder) : default_folder();
  return true;
}

int ts_cache_make_folder(const ts_cache *cache) {
  char *path = strdup(cache->folder);
  int error = path ? 0 : ENOMEM;
  for (char *slash = path; slash && !error;) {
    slash = strchr(slash + 1, '/');
    if (slash)
      *slash = 0;
    if (mkdir(path, 0700) != 0 && errno != EEXIST && errno != EISDIR && errno != EROFS)
      error = errno;
    if (slash)
      *slash = '/';
  }
  free(path);
  return error;
}

/* ---- its size -------------------------------------------------------------------------------- */

typedef struct entry {
  char name[TS_CACHE_KEY + 1];
  uint64_t size;
  struct timespec used;
} entry;

typedef struct entry_list {
  entry *items;
  size_t num, capacity;
  uint64_t size;
} entry_list;

static bool is_entry_name(const char *name) {
  return strlen(name) == TS_CACHE_KEY && strspn(name, "0123456789abcdef") == TS_CACHE_KEY;
}

/* What the writer of an entry would have renamed long ago, had it not been killed. */
static bool is_left_over(const char *name, const struct stat *status) {
  enum { HOUR = 3600 };
  size_t length = strlen(name);
  return strncmp(name, ".tessera-", 9) == 0 && length > 4 &&
         strcmp(name + length - 4, ".tmp") == 0 && status->st_mtime < time(NULL) - HOUR;
}

static bool add_entry(entry_list *list, const char *name, const struct stat *status) {
  if (list->num == list->capacity) {
    size_t capacity = list->capacity ? 2 * list->capacity : 64;
    entry *items = realloc(list->items, capacity * sizeof(*items));
    if (!items)
      return false;
    list->items = items;
    list->capacity = capacity;
  }
  entry *added = &list->items[list->num++];
  memcpy(added->name, name, TS_CACHE_KEY + 1);
  added->size = (uint64_t)status->st_size;
  added->used = status->st_mtim;
  list->size += added->size;
  return true;
}

/* The entries of an open folder. Files may go meanwhile. */
static void list_entries(DIR *folder, entry_list *list) {
  const struct dirent *file;
  while ((file = readdir(folder))) {
    struct stat status;
    if (fstatat(dirfd(folder), file->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    if (is_left_over(file->d_name, &status))
      unlinkat(dirfd(folder), file->d_name, 0);
    else if (is_entry_name(file->d_name) && !add_entry(list, file->d_name, &status))
      return;
  }
}

/* By age, and by name where they are equally old: all who trim remove the same ones. */
static int compare_use(const void *a, const void *b) {
  const entry *first = a, *second = b;
  if (first->used.tv_sec != second->used.tv_sec)
    return first->used.tv_sec < second->used.tv_sec ? -1 : 1;
  if (first->used.tv_nsec != second->used.tv_nsec)
    return first->used.tv_nsec < second->used.tv_nsec ? -1 : 1;
  return strcmp(first->name, second->name);
}

void ts_cache_trim(const ts_cache *cache) {
  DIR *folder = opendir(cache->folder);
  if (!folder)
    return;
  entry_list list = {0};
  list_entries(folder, &list);
  if (list.size > cache->limit)
    qsort(list.items, list.num, sizeof(*list.items), compare_use);
  for (size_t i = 0; i < list.num && list.size > cache->limit; i++) {
    unlinkat(dirfd(folder), list.items[i].name, 0);
    list.size -= list.items[i].size;
  }
  free(list.items);
  closedir(folder);
}
