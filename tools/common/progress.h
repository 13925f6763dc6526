/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A line on a terminal about work that takes longer than two seconds.
 * It must not know what the work is. */
#ifndef TESSERA_TOOLS_COMMON_PROGRESS_H
#define TESSERA_TOOLS_COMMON_PROGRESS_H

#include <stdint.h>

typedef struct progress progress;

/* Begins to watch work of `total` steps; `what` ("loading arguments") outlives it. NULL, which the
 * others take, where standard error is no terminal. */
progress *progress_start(const char *tool, const char *what, int64_t total);
void progress_step(progress *progress);
/* Takes the line away. */
void progress_stop(progress *progress);

#endif /* TESSERA_TOOLS_COMMON_PROGRESS_H */
