/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Libraries that NVIDIA's packages bring into an environment of Python.
 * It must not know what they are for. */
#include "support/wheels.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>

/* A variable that names a folder, or NULL, and where packages are behind it. */
static const struct {
  tr_wheels where;
  const char *variable, *folder;
} places[] = {
    {TR_WHEELS_ACTIVE, "VIRTUAL_ENV", "/lib/python3*/site-packages"},
    {TR_WHEELS_ACTIVE, "CONDA_PREFIX", "/lib/python3*/site-packages"},
    {TR_WHEELS_OTHER, "HOME", "/.local/lib/python3*/site-packages"},
    {TR_WHEELS_OTHER, NULL, "/usr/local/lib/python3*/site-packages"},
    {TR_WHEELS_OTHER, NULL, "/usr/local/lib/python3*/dist-packages"},
    {TR_WHEELS_OTHER, NULL, "/usr/lib/python3*/site-packages"},
    {TR_WHEELS_OTHER, NULL, "/usr/lib/python3/dist-packages"},
};

static bool find_in(const char *root, const char *folder, const char *pattern, char *path,
                    size_t capacity) {
  char all[4096];
  glob_t found;
  int length = snprintf(all, sizeof(all), "%s%s/nvidia/*/lib/%s", root, folder, pattern);
  if (length < 0 || length >= (int)sizeof(all))
    return false;
  bool is_there = glob(all, 0, NULL, &found) == 0 && found.gl_pathc > 0;
  if (is_there)
    is_there =
        (size_t)snprintf(path, capacity, "%s", found.gl_pathv[found.gl_pathc - 1]) < capacity;
  globfree(&found);
  return is_there;
}

bool tr_wheels_find(tr_wheels where, const char *pattern, char *path, size_t capacity) {
  for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
    const char *root = places[i].variable ? getenv(places[i].variable) : "";
    if (places[i].where == where && root && (root[0] || !places[i].variable) &&
        find_in(root, places[i].folder, pattern, path, capacity))
      return true;
  }
  return false;
}
