/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The ranks of a running tool as one team: agreeing on failures, maxima over ranks, one message.
 * It uses the public runtime only and must not know what the tools do. */
#ifndef TESSERA_TOOLS_COMMON_TEAM_H
#define TESSERA_TOOLS_COMMON_TEAM_H

#include <stdbool.h>

#include "tessera/runtime.h"

/* The sites refer to the grid and the axis inside, so a team is filled in place and not copied. */
typedef struct team {
  const char *tool; /* the name in front of messages */
  tessera_context *context;
  int32_t rank;
  int32_t size;
  int64_t extent;
  int32_t axis;
  tessera_grid grid; /* all ranks in one row */
  tessera_site minimum;
  tessera_site maximum;
} team;

/* Makes `context` the thread's current one. Once it has failed, the next function here that is
 * collective prints one message per process and ends all ranks. */
void team_start(team *team, const char *tool, tessera_context *context);
void team_stop(team *team);

/* Ends the default context. Returns the exit status: `status`, or 1 after a message if that fails.
 */
int team_finalize(const char *tool, int status);

/* Sets what is done before a failed context ends the process (NULL: nothing). */
void team_at_end(void (*function)(void));

/* Collective. True if no rank failed; else the lowest rank that did prints its `message`, and all
 * get false. */
bool team_agree(team *team, bool succeeded, const char *message);

/* Collective: each value becomes the largest of all ranks. */
void team_maximum(team *team, double *values, int64_t count);

/* Collective: the lowest rank for which `chosen` holds, or -1. */
int32_t team_first(team *team, bool chosen);

/* Collective: nobody goes on before all have come. */
void team_barrier(team *team);

/* Runs `function(context, data)` on `ranks` threads, each with a context of a fresh local grid.
 * Returns 0 if all of them returned 0, else 1. */
typedef int (*team_function)(tessera_context *context, void *data);
int team_run_local(const char *tool, int32_t ranks, team_function function, void *data);

#endif /* TESSERA_TOOLS_COMMON_TEAM_H */
