/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One run of an entry: what every process prepares, and what every rank then does.
 * It must not know command lines. */
#ifndef TESSERA_TOOLS_RUN_SESSION_H
#define TESSERA_TOOLS_RUN_SESSION_H

#include <stdatomic.h>

#include "common/inputs.h"
#include "options.h"

/* Shared by the ranks of a process, which only read it. */
typedef struct session {
  const run_options *options;
  tessera_program *program;
  const tessera_entry *entry;
  inputs inputs; /* global tensors, until all ranks have their pieces, or none borrows its own */
  atomic_flag are_released;
  atomic_bool are_borrowed;
} session;

/* Loads the program and the inputs. No communication. Of the processes, that of rank 0
 * shows progress. On failure the session is still to be destroyed. */
bool session_prepare(const run_options *options, int32_t rank, session *session, message *message);
void session_destroy(session *session);

/* Runs one rank of a session (a team_function). Collective. 0, or 1 after one rank's message. */
int session_run_rank(tessera_context *context, void *session);

#endif /* TESSERA_TOOLS_RUN_SESSION_H */
