/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Libraries that NVIDIA's packages bring into an environment of Python.
 * It must not know what they are for. */
#ifndef TESSERA_RUNTIME_SUPPORT_WHEELS_H
#define TESSERA_RUNTIME_SUPPORT_WHEELS_H

#include <stdbool.h>
#include <stddef.h>

/* The environment that is active, or the user's and the system's own. */
typedef enum tr_wheels { TR_WHEELS_ACTIVE, TR_WHEELS_OTHER } tr_wheels;

/* The path of the last library there whose name matches `pattern` ("libcublasLt.so.1?"). False if
 * there is none. */
bool tr_wheels_find(tr_wheels where, const char *pattern, char *path, size_t capacity);

#endif /* TESSERA_RUNTIME_SUPPORT_WHEELS_H */
