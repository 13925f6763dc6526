/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A line about work that takes longer than two seconds: one that changes on a terminal, elsewhere,
 * if it is asked for, one after the other. It must not know what the work is. */
#ifndef TESSERA_TOOLS_COMMON_PROGRESS_H
#define TESSERA_TOOLS_COMMON_PROGRESS_H

#include <stdint.h>

typedef struct progress progress;

typedef enum progress_place { PROGRESS_ON_TERMINAL, PROGRESS_ANYWHERE } progress_place;

/* Begins to watch work of `total` steps; `what` ("loading arguments") outlives it. NULL, which the
 * others take, where it is not to be shown. */
progress *progress_start(const char *tool, const char *what, int64_t total, progress_place place);
void progress_step(progress *progress);
/* Takes the line away. */
void progress_stop(progress *progress);
/* The same of whatever is shown, for good: for a signal's handler that has something to say. */
void progress_silence(void);

#endif /* TESSERA_TOOLS_COMMON_PROGRESS_H */
