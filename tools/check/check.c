/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A check: compiles a model partitioned and unpartitioned, and has ranks compare what both compute.
 * It must not know how tensors are cut or compared. */
#include "check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/team.h"
#include "interrupt.h"
#include "launch.h"
#include "reference.h"
#include "tessera/compile.h"
#include "verify.h"
#include "workdir.h"

static const char tool[] = "tessera-check";

/* One run of tessera-check on a model: what all its grids share. */
typedef struct check {
  const check_options *options;
  workdir workdir;
  sigset_t signals;        /* the mask that this process was started with */
  tessera_program *oracle; /* NULL before it is needed */
  reference reference;
} check;

/* A message that is empty has been printed already. */
static int complain(const message *message) {
  if (message->text[0])
    fprintf(stderr, "%s: error: %s\n", tool, message->text);
  return 1;
}

/* ---- compiling ------------------------------------------------------------------------------- */

typedef enum program_kind { PROGRAM_PARTITIONED, PROGRAM_ORACLE } program_kind;

/* Compiles and loads. The file stays until the directory goes. */
static bool compile(const check *check, program_kind kind, const char *grid, const char *file,
                    tessera_program **program, message *message) {
  const check_options *options = check->options;
  tessera_compile_options compile = {.struct_size = sizeof(compile),
                                     .input = options->model,
                                     .output = file,
                                     .emit = "so",
                                     .entry = options->entry,
                                     .grid = grid,
                                     .oracle = kind == PROGRAM_ORACLE,
                                     .tool = tool,
                                     .opt_level = options->opt_level,
                                     .target = kind == PROGRAM_ORACLE ? NULL : options->target,
                                     .verbose = options->verbose};
  message->text[0] = '\0';
  if (tessera_compile(&compile) != 0)
    return false;
  return tessera_program_load(file, program) == TESSERA_OK || fail_library(message, options->model);
}

/* ---- one grid -------------------------------------------------------------------------------- */

/* "2x2", or "?x2, 6 ranks"; "6 ranks" for a program without a grid. */
static void describe_grid(const tessera_program_record *record, int32_t ranks, char *text,
                          size_t capacity) {
  size_t used = 0;
  text[0] = '\0';
  bool open = record->num_grids == 0;
  const tessera_grid *grid = open ? NULL : record->grids[0];
  for (int32_t i = 0; grid && i < grid->rank && used < capacity; i++) {
    char extent[24] = "?";
    if (grid->shape[i] >= 0)
      snprintf(extent, sizeof(extent), "%" PRId64, grid->shape[i]);
    open |= grid->shape[i] < 0;
    used += (size_t)snprintf(text + used, capacity - used, "%s%s", i ? "x" : "", extent);
  }
  if (open && used < capacity)
    snprintf(text + used, capacity - used, "%s%d rank%s", used ? ", " : "", ranks,
             ranks == 1 ? "" : "s");
}

static int run_workers(const check *check, const check_job *job, const char *file, int32_t ranks) {
  const check_options *options = check->options;
  message message;
  char relative[32], absolute[32], count[16];
  snprintf(count, sizeof(count), "%d", ranks);
  snprintf(relative, sizeof(relative), "%.17g", job->tolerance.relative);
  snprintf(absolute, sizeof(absolute), "%.17g", job->tolerance.absolute);
  const char *arguments[16] = {
      "--worker", check->workdir.path, "--program", file,  "--label",     job->label,
      "--entry",  job->entry->name,    "--ranks",   count, options->model};
  size_t used = 11;
  if (job->verbose)
    arguments[used++] = "--verbose";
  if (job->tolerance.relative >= 0) {
    arguments[used++] = "--rtol";
    arguments[used++] = relative;
  }
  if (job->tolerance.absolute >= 0) {
    arguments[used++] = "--atol";
    arguments[used++] = absolute;
  }
  int status;
  if (!reference_write(&check->reference, &check->workdir, &message) ||
      !launch_workers(ranks, arguments, &check->signals, &status, &message))
    return complain(&message);
  return status;
}

/* The numbers of ranks that the user wants: the program's own, or those of --ranks. */
static bool ranks_at(const check *check, int32_t needed, int32_t index, int32_t *ranks,
                     message *message) {
  const text_list *list = &check->options->ranks;
  int64_t given = needed;
  if (index < list->count)
    parse_int64(list->items[index], 1, INT32_MAX, &given);
  else if (!needed)
    return fail(message, "%s: the number of ranks comes from the launch: say --ranks",
                check->options->model);
  *ranks = (int32_t)given;
  if (!needed || given == needed)
    return true;
  return fail(message, "%s: the grid needs exactly %d ranks, but --ranks says %s",
              check->options->model, needed, list->items[index]);
}

static int run_program(const check *check, check_job *job, const char *file) {
  const check_options *options = check->options;
  message message;
  int32_t needed, ranks = 0;
  if (tessera_program_ranks(job->program, &needed) != TESSERA_OK) {
    fail_library(&message, options->model);
    return complain(&message);
  }
  int status = 0;
  int32_t count = options->ranks.count ? options->ranks.count : 1;
  for (int32_t i = 0; !status && i < count; i++) {
    if (!ranks_at(check, needed, i, &ranks, &message))
      return complain(&message);
    describe_grid(tessera_program_get_record(job->program), ranks, job->label, sizeof(job->label));
    status = options->mpi ? run_workers(check, job, file, ranks)
                          : team_run_local(tool, ranks, verify_rank, job);
  }
  return status;
}

/* Compiles and runs the unpartitioned program, once for all grids. */
static bool make_reference(check *check, message *message) {
  char file[WORKDIR_PATH];
  const tessera_entry *entry;
  if (check->oracle)
    return true;
  workdir_file(&check->workdir, "oracle.so", file);
  if (!compile(check, PROGRAM_ORACLE, NULL, file, &check->oracle, message))
    return false;
  if (tessera_program_find(check->oracle, check->options->entry, &entry) != TESSERA_OK)
    return fail_library(message, check->options->model);
  return reference_compute(check->options, check->oracle, entry, &check->reference, message);
}

/* The partitioned entry, and what to compare it with. Only the partitioned program tells whether
 * there is an unpartitioned one, so it comes first. */
static bool find_entry(check *check, check_job *job, message *message) {
  if (tessera_program_find(job->program, check->options->entry, &job->entry) != TESSERA_OK)
    return fail_library(message, check->options->model);
  if (job->entry->flags & TESSERA_ENTRY_PER_DEVICE)
    return fail(message,
                "%s: '%s' has no shard.shard: it is the program of one device already, and there "
                "is no unpartitioned one to compare it with",
                check->options->model, job->entry->name);
  if (!make_reference(check, message))
    return false;
  job->inputs = check->reference.inputs;
  job->expected = check->reference.results;
  return reference_fits(&check->reference, job->entry, message);
}

/* `grid` is NULL for the model's own. */
static int check_grid(check *check, int32_t index, const char *grid) {
  check_job job = {.model = check->options->model,
                   .tolerance = check->options->tolerance,
                   .verbose = check->options->verbose};
  char name[32], file[WORKDIR_PATH];
  message message;
  snprintf(name, sizeof(name), "model-%d.so", index);
  workdir_file(&check->workdir, name, file);
  int status = 1;
  if (compile(check, PROGRAM_PARTITIONED, grid, file, &job.program, &message) &&
      find_entry(check, &job, &message))
    status = run_program(check, &job, file);
  else
    complain(&message);
  tessera_program_unload(job.program);
  return status;
}

/* ---- one model ------------------------------------------------------------------------------- */

/* The directory of the check in progress, for a run that a failing program or a signal ends. */
static workdir *active_workdir;

void check_remove_files(void) {
  if (active_workdir)
    workdir_remove(active_workdir);
}

static void end_early(void) {
  launch_end();
  check_remove_files();
}

int check_model(const check_options *options) {
  check check = {.options = options};
  message message;
  active_workdir = &check.workdir;
  team_at_end(check_remove_files);
  interrupt_clean(end_early, &check.signals);
  int status = 0;
  if (!workdir_create(&check.workdir, &message))
    status = complain(&message);
  else if (options->grids.count == 0)
    status = check_grid(&check, 0, NULL);
  for (int32_t i = 0; !status && i < options->grids.count; i++)
    status = check_grid(&check, i, options->grids.items[i]);
  reference_destroy(&check.reference);
  tessera_program_unload(check.oracle);
  team_at_end(NULL);
  workdir_remove(&check.workdir);
  active_workdir = NULL;
  return status;
}
