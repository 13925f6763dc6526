/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A private temporary directory of flat files.
 * It must not know what the files are. */
#include "workdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* File names are short and made here, so this much room for them is enough. */
enum { NAME_ROOM = 64 };

bool workdir_create(workdir *workdir, message *message) {
  const char *parent = getenv("TMPDIR");
  if (!parent || !parent[0])
    parent = "/tmp";
  workdir->path[0] = '\0';
  char path[WORKDIR_PATH - NAME_ROOM];
  int length = snprintf(path, sizeof(path), "%s/tessera-check-XXXXXX", parent);
  if (length < 0 || (size_t)length >= sizeof(path))
    return fail(message, "the path of the temporary directory is too long");
  if (!mkdtemp(path))
    return fail(message, "cannot make a directory in %s: %s", parent, strerror(errno));
  memcpy(workdir->path, path, (size_t)length + 1);
  return true;
}

const char *workdir_file(const workdir *workdir, const char *name, char *path) {
  size_t length = strlen(workdir->path);
  memcpy(path, workdir->path, length);
  snprintf(path + length, WORKDIR_PATH - length, "/%s", name);
  return path;
}

/* System calls alone, because signal handlers come here. */
void workdir_remove(workdir *workdir) {
  int directory = workdir->path[0] ? open(workdir->path, O_RDONLY | O_DIRECTORY) : -1;
  if (directory < 0)
    return;
  _Alignas(struct dirent64) char entries[4096];
  ssize_t bytes;
  while ((bytes = getdents64(directory, entries, sizeof(entries))) > 0)
    for (ssize_t at = 0; at < bytes;) {
      const struct dirent64 *entry = (const struct dirent64 *)(entries + at);
      if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
        unlinkat(directory, entry->d_name, 0);
      at += entry->d_reclen;
    }
  close(directory);
  rmdir(workdir->path);
  workdir->path[0] = '\0';
}
