/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Writes a file beside the one that it will replace, syncs it, and renames it.
 * It must not know what is in it, nor anything else of libtessera. */
#include "support/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what is written ------------------------------------------------------------------------- */

/* A file that others have open by number: one that takes its place would not be theirs. */
static bool is_open_by_number(const char *path, const struct stat *status) {
  struct stat standard;
  for (int number = 0; number <= 2; number++)
    if (fstat(number, &standard) == 0 && standard.st_dev == status->st_dev &&
        standard.st_ino == status->st_ino)
      return true;
  return strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/", 6) == 0;
}

/* A link that leads nowhere yet stays one, and has nothing to lose. */
static bool is_replaced(const char *path, const struct stat *old) {
  struct stat link;
  if (old)
    return S_ISREG(old->st_mode) && !is_open_by_number(path, old);
  return lstat(path, &link) != 0;
}

/* Creates an empty file in the folder of output->target; its descriptor, or -1 with errno. Names
 * are of one length whatever the target's, so that they are never too long. */
static int create_beside(tr_output *output) {
  enum { NAME = 64, MOST = 1000 };
  const char *slash = strrchr(output->target, '/');
  int folder = slash ? (int)(slash - output->target) + 1 : 0, file = -1;
  output->name = malloc((size_t)folder + NAME);
  if (!output->name)
    return -1;
  for (int i = 0; i < MOST && file < 0; i++) {
    snprintf(output->name, (size_t)folder + NAME, "%.*s.tessera-%ld-%d.tmp", folder, output->target,
             (long)getpid(), i);
    file = open(output->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST)
      break;
  }
  return file;
}

/* As far as the file system has such things, and this user may set them: no failure counts. */
static void take_after(int file, const struct stat *old) {
  int chowned = fchown(file, old->st_uid, old->st_gid);
  int chmoded = fchmod(file, old->st_mode & 0777);
  (void)chowned;
  (void)chmoded;
}

static int fail(tr_output *output, int error) {
  free(output->name);
  free(output->target);
  *output = (tr_output){0};
  return error ? error : EIO;
}

/* Names what is to be written, and creates it if it is a temporary file: `*file` is its descriptor,
 * or -1. */
static int start(const char *path, tr_output *output, int *file) {
  struct stat status, *old = stat(path, &status) == 0 ? &status : NULL;
  *output = (tr_output){0};
  *file = -1;
  if (!is_replaced(path, old)) {
    output->name = strdup(path);
    return output->name ? 0 : fail(output, errno);
  }
  if (old && access(path, W_OK) != 0)
    return fail(output, errno);
  output->target = old ? realpath(path, NULL) : strdup(path);
  *file = output->target ? create_beside(output) : -1;
  if (*file < 0)
    return fail(output, errno);
  if (old)
    take_after(*file, old);
  return 0;
}

/* ---- begin ----------------------------------------------------------------------------------- */

int tr_output_open(const char *path, tr_output *output) {
  int file, error = start(path, output, &file);
  if (error)
    return error;
  if (file < 0)
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  output->stream = file < 0 ? NULL : fdopen(file, "wb");
  if (output->stream)
    return 0;
  error = errno;
  if (file >= 0)
    close(file);
  tr_output_drop(output);
  return error;
}

int tr_output_reserve(const char *path, tr_output *output) {
  int file, error = start(path, output, &file);
  if (file >= 0)
    close(file);
  return error;
}

void tr_output_on(FILE *stream, tr_output *output) {
  *output = (tr_output){.stream = stream};
}

void tr_output_write(tr_output *output, const void *data, size_t bytes) {
  if (output->error || bytes == 0)
    return;
  errno = 0;
  if (fwrite(data, 1, bytes, output->stream) != bytes)
    output->error = errno ? errno : EIO;
}

/* ---- end ------------------------------------------------------------------------------------- */

static void note(tr_output *output, int result) {
  if (result != 0 && !output->error)
    output->error = errno ? errno : EIO;
}

/* What another program wrote. */
static void sync_file(tr_output *output) {
  int file = open(output->name, O_RDONLY | O_CLOEXEC);
  note(output, file < 0);
  if (file < 0)
    return;
  note(output, fsync(file));
  note(output, close(file));
}

/* Only a file of our own is one that can be synced for sure. */
static void close_stream(tr_output *output) {
  note(output, fflush(output->stream));
  if (output->target && !output->error)
    note(output, fsync(fileno(output->stream)));
  if (output->name)
    note(output, fclose(output->stream));
}

int tr_output_close(tr_output *output) {
  if (output->stream)
    close_stream(output);
  else if (output->target)
    sync_file(output);
  if (output->target && !output->error)
    note(output, rename(output->name, output->target));
  if (output->target && output->error)
    unlink(output->name);
  int error = output->error;
  free(output->name);
  free(output->target);
  *output = (tr_output){0};
  return error;
}

void tr_output_drop(tr_output *output) {
  if (!output->error)
    output->error = ECANCELED;
  tr_output_close(output);
}
