/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One rank of the MPI job that a check has started: everything comes from the check's directory.
 * It must not know how programs are compiled. */
#include <stdio.h>

#include "check.h"
#include "common/team.h"
#include "reference.h"
#include "verify.h"
#include "workdir.h"

static const char tool[] = "tessera-check";

static bool load_job(const check_options *options, int32_t size, check_job *job,
                     reference *reference, message *message) {
  workdir workdir;
  int64_t ranks;
  if (!parse_int64(options->ranks.items[0], 1, INT32_MAX, &ranks) || ranks != size)
    return fail(message,
                "mpirun was to start %s ranks, but this process finds %d: is TESSERA_BACKEND set, "
                "or mpirun that of an MPI that libtessera does not know?",
                options->ranks.items[0], size);
  snprintf(workdir.path, sizeof(workdir.path), "%s", options->worker);
  if (tessera_program_load(options->program, &job->program) != TESSERA_OK ||
      tessera_program_find(job->program, options->entry, &job->entry) != TESSERA_OK)
    return fail_library(message, NULL);
  return reference_read(&workdir, job->entry, reference, message);
}

int run_worker(const check_options *options) {
  tessera_context *context;
  if (tessera_default_context(&context) != TESSERA_OK) {
    fprintf(stderr, "%s: error: %s\n", tool, tessera_last_error());
    return 1;
  }
  check_job job = {
      .model = options->model, .tolerance = options->tolerance, .verbose = options->verbose};
  snprintf(job.label, sizeof(job.label), "%s", options->label);
  reference reference = {0};
  message message;
  team team;
  team_start(&team, tool, context);
  bool loaded = load_job(options, team.size, &job, &reference, &message);
  int status = 1;
  if (team_agree(&team, loaded, message.text)) {
    job.inputs = reference.inputs;
    job.expected = reference.results;
    status = verify_rank(context, &job);
  }
  reference_destroy(&reference);
  /* The context may still point into the program. */
  status = team_finalize(tool, status);
  tessera_program_unload(job.program);
  return status;
}
