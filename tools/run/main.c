/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera-run: launches an entry of a compiled program on MPI ranks or on threads.
 * It must not know how pieces are cut or how ranks communicate. */
#include <stdio.h>
#include <string.h>

#include "common/team.h"
#include "common/trap.h"
#include "session.h"

static const char tool[] = "tessera-run";

/* How many threads to run without a launcher: what was asked for, what the grid needs, or one. */
static int run_threads(const run_options *options, session *session) {
  int32_t ranks = (int32_t)options->ranks;
  if (ranks == 0 && tessera_program_ranks(session->program, &ranks) != TESSERA_OK) {
    fprintf(stderr, "%s: error: %s\n", tool, tessera_last_error());
    return 1;
  }
  return team_run_local(tool, ranks ? ranks : 1, session_run_rank, session);
}

static int run_alone(const run_options *options) {
  session session;
  message message;
  int status = 1;
  if (session_prepare(options, 0, &session, &message))
    status = run_threads(options, &session);
  else
    fprintf(stderr, "%s: error: %s\n", tool, message.text);
  session_destroy(&session);
  return status;
}

/* Under a launcher every process is a rank; each maps the files itself. */
static int run_launched(const run_options *options, tessera_context *context) {
  session session;
  message message;
  team team;
  team_start(&team, tool, context);
  bool prepared = options->ranks ? fail(&message,
                                        "--ranks cannot be used under a launcher, which "
                                        "has started %d ranks",
                                        team.size)
                                 : true;
  memset(&session, 0, sizeof(session));
  prepared = prepared && session_prepare(options, team.rank, &session, &message);
  int status = 1;
  if (team_agree(&team, prepared, message.text))
    status = session_run_rank(context, &session);
  /* The context may still point into the program. */
  status = team_finalize(tool, status);
  session_destroy(&session);
  return status;
}

/* Command lines are the same on all ranks, so one of them speaks for all. */
static int run(const run_options *options, tessera_context *context) {
  bool speaks = tessera_context_rank(context) == 0;
  switch (options->mode) {
  case RUN_HELP:
    return speaks && fputs(options_help, stdout) == EOF;
  case RUN_VERSION:
    return speaks && printf("%s %s\n", tool, TESSERA_VERSION) < 0;
  case RUN_PROGRAM:
    break;
  }
  bool launched = strcmp(tessera_context_backend(context), "local") != 0;
  return launched ? run_launched(options, context) : run_alone(options);
}

int main(int argc, char **argv) {
  tessera_context *context;
  trap_install(NULL);
  if (tessera_default_context(&context) != TESSERA_OK) {
    fprintf(stderr, "%s: error: %s\n", tool, tessera_last_error());
    return 1;
  }
  run_options options;
  message message;
  int status = 1;
  if (options_parse(argc, argv, &options, &message))
    status = run(&options, context);
  else if (tessera_context_rank(context) == 0)
    fprintf(stderr, "%s: error: %s\n", tool, message.text);
  options_destroy(&options);
  status = team_finalize(tool, status);
  return status;
}
