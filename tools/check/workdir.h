/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A private temporary directory of flat files.
 * It must not know what the files are. */
#ifndef TESSERA_TOOLS_CHECK_WORKDIR_H
#define TESSERA_TOOLS_CHECK_WORKDIR_H

#include "common/values.h"

enum { WORKDIR_PATH = 1024 };

typedef struct workdir {
  char path[WORKDIR_PATH]; /* "": none */
} workdir;

/* Made under TMPDIR, else /tmp, for this user alone. */
bool workdir_create(workdir *workdir, message *message);

/* The path of file `name` inside. Returns `path`, of WORKDIR_PATH characters. */
const char *workdir_file(const workdir *workdir, const char *name, char *path);

/* Removes the directory and the files in it. Safe on one that was never made, and in signal
 * handlers. */
void workdir_remove(workdir *workdir);

#endif /* TESSERA_TOOLS_CHECK_WORKDIR_H */
