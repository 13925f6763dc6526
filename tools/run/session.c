/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One run of an entry: scatter, call, gather, write, with all ranks agreeing after each step.
 * It must not know command lines. */
#include "session.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/progress.h"
#include "common/team.h"
#include "common/trap.h"
#include "measure.h"
#include "results.h"

static const char tool[] = "tessera-run";

/* ---- per process ----------------------------------------------------------------------------- */

/* Every argument is a step: most take no time, for files are mapped. */
static progress *start_progress(const session *session, const char *what, int64_t total) {
  return progress_start(tool, what, total,
                        session->options->progress ? PROGRESS_ANYWHERE : PROGRESS_ON_TERMINAL);
}

static bool read_inputs(session *session, progress *progress, message *message) {
  const tessera_entry *entry = session->entry;
  for (int32_t i = 0; i < entry->num_arguments; i++) {
    if (!inputs_read(&session->inputs, entry, i, message))
      return false;
    progress_step(progress);
  }
  return true;
}

bool session_prepare(const run_options *options, int32_t rank, session *session, message *message) {
  memset(session, 0, sizeof(*session));
  session->options = options;
  if (tessera_program_load(options->program, &session->program) != TESSERA_OK ||
      tessera_program_find(session->program, options->entry, &session->entry) != TESSERA_OK)
    return fail_library(message, NULL);
  const tessera_entry *entry = session->entry;
  if (!inputs_open(entry, options->inputs, options->num_inputs, &session->inputs, message) ||
      !results_check(options, entry, message))
    return false;
  progress *progress =
      rank == 0 ? start_progress(session, "reading arguments", entry->num_arguments) : NULL;
  bool read = read_inputs(session, progress, message);
  progress_stop(progress);
  return read;
}

void session_destroy(session *session) {
  inputs_close(&session->inputs);
  tessera_program_unload(session->program);
}

/* ---- per rank -------------------------------------------------------------------------------- */

typedef struct rank_state {
  session *session;
  team team;
  tessera_entry *entry;      /* for the session's inputs */
  tessera_tensor *arguments; /* this rank's pieces */
  bool *borrowed;            /* which of them are in the memory of the inputs */
  tessera_tensor *kept;      /* donated ones, for the next call; empty for others and without one */
  tessera_tensor *results;
} rank_state;

/* Ends a step: every rank goes on, or none. */
static bool agree(rank_state *rank, tessera_status status) {
  return team_agree(&rank->team, status == TESSERA_OK, tessera_last_error());
}

static bool attach(rank_state *rank) {
  const session *session = rank->session;
  const run_options *options = session->options;
  if (!agree(rank, tessera_program_attach(session->program, rank->team.context)))
    return false;
  message message;
  bool exists = options->output_rank < rank->team.size ||
                fail(&message, "--output-rank %d: there are only %d ranks",
                     (int)options->output_rank, rank->team.size);
  return team_agree(&rank->team, exists, message.text);
}

/* One rank watches for all. */
static progress *watch(const rank_state *rank, const char *what, int64_t total) {
  return rank->team.rank == 0 ? start_progress(rank->session, what, total) : NULL;
}

/* What was matched how, where somebody asks. */
static void describe(const rank_state *rank) {
  const session *session = rank->session;
  message message;
  if (!session->options->verbose || rank->team.rank != 0)
    return;
  inputs_describe(&session->inputs, session->entry, &message);
  fprintf(stderr, "%s: %s\n", tool, message.text);
}

/* Once all ranks have pieces of their own, the files need no memory: the first that comes here
 * closes them. */
static void release_inputs(session *session) {
  if (!atomic_load(&session->are_borrowed) && !atomic_flag_test_and_set(&session->are_released))
    inputs_close(&session->inputs);
}

/* What every rank reads as it is in the file is there once for all ranks of a host. */
static tessera_status take_argument(rank_state *rank, int32_t index) {
  session *session = rank->session;
  const tessera_parameter *parameter = &rank->entry->arguments[index];
  const tessera_tensor *input = &session->inputs.tensors[index];
  tessera_tensor *argument = &rank->arguments[index];
  tessera_status status =
      tessera_borrow_parameter(session->program, parameter, rank->team.context, input, argument);
  rank->borrowed[index] = argument->data != NULL;
  if (rank->borrowed[index])
    atomic_store(&session->are_borrowed, true);
  if (status || rank->borrowed[index])
    return status;
  return tessera_scatter_parameter(session->program, parameter, rank->team.context, input,
                                   argument);
}

static bool scatter(rank_state *rank) {
  session *session = rank->session;
  describe(rank);
  trap_arm_alike(&rank->team, session->entry->name);
  tessera_status status =
      tessera_entry_resolve(session->entry, session->inputs.tensors, &rank->entry);
  trap_disarm();
  progress *progress = watch(rank, "cutting arguments", session->entry->num_arguments);
  for (int32_t i = 0; !status && i < rank->entry->num_arguments; i++) {
    status = take_argument(rank, i);
    progress_step(progress);
  }
  progress_stop(progress);
  if (!agree(rank, status))
    return false;
  release_inputs(session);
  return true;
}

static bool is_donated(const rank_state *rank, int32_t index) {
  return rank->entry->arguments[index].flags & TESSERA_PARAMETER_DONATED;
}

/* A call may write its donated arguments, and every call is to have the same. */
static bool keep_donated(rank_state *rank) {
  tessera_status status = TESSERA_OK;
  if (rank->session->options->repeat == 0)
    return true;
  for (int32_t i = 0; !status && i < rank->entry->num_arguments; i++)
    if (is_donated(rank, i))
      status = tessera_device_put(rank->team.context, &rank->arguments[i], &rank->kept[i]);
  return agree(rank, status);
}

static tessera_status renew_donated(rank_state *rank) {
  tessera_status status = TESSERA_OK;
  for (int32_t i = 0; !status && i < rank->entry->num_arguments; i++) {
    if (!is_donated(rank, i))
      continue;
    tessera_tensor_destroy(&rank->arguments[i]);
    status = tessera_device_put(rank->team.context, &rank->kept[i], &rank->arguments[i]);
  }
  return status;
}

static tessera_status call(rank_state *rank) {
  const session *session = rank->session;
  trap_arm(&rank->team, session->entry->name);
  tessera_status status = tessera_call_donating(session->program, rank->entry, rank->team.context,
                                                rank->arguments, rank->results);
  trap_disarm();
  return status;
}

/* Before anything of the results is written: whether the calls left nothing behind. */
static bool settle(rank_state *rank) {
  return agree(rank, tessera_settle(rank->team.context));
}

static void drop_results(rank_state *rank) {
  for (int32_t i = 0; i < rank->session->entry->num_results; i++)
    tessera_tensor_destroy(&rank->results[i]);
}

/* The first call, and the only one without --repeat. */
static bool call_first(rank_state *rank) {
  const session *session = rank->session;
  if (!session->options->traffic)
    return agree(rank, call(rank));
  tessera_traffic_start(rank->team.context);
  tessera_status status = call(rank);
  message message;
  bool printed = !status ? print_traffic(session->program, &rank->team, &message)
                         : fail_library(&message, NULL);
  return team_agree(&rank->team, printed, message.text);
}

/* The time is that of the rank's device: the call itself may return before its work is done. */
static tessera_status call_timed(rank_state *rank, double *seconds) {
  tessera_stopwatch *watch;
  tessera_status status = tessera_stopwatch_start(rank->team.context, &watch);
  if (status)
    return status;
  tessera_status called = call(rank);
  status = tessera_stopwatch_stop(watch, seconds);
  return called ? called : status;
}

static bool call_repeatedly(rank_state *rank) {
  int64_t count = rank->session->options->repeat;
  if (count == 0)
    return true;
  double *seconds = calloc((size_t)count, sizeof(double));
  if (!team_agree(&rank->team, seconds != NULL, "no memory for the times") || !seconds) {
    free(seconds);
    return false;
  }
  tessera_status status = TESSERA_OK;
  progress *progress = watch(rank, "calls", count);
  for (int64_t i = 0; !status && i < count; i++) {
    drop_results(rank);
    status = renew_donated(rank);
    team_barrier(&rank->team);
    if (!status)
      status = call_timed(rank, &seconds[i]);
    progress_step(progress);
  }
  progress_stop(progress);
  bool succeeded = agree(rank, status);
  if (succeeded)
    print_times(&rank->team, seconds, count);
  free(seconds);
  return succeeded;
}

static bool gather_result(rank_state *rank, int32_t index, results *results) {
  const session *session = rank->session;
  int32_t root = (int32_t)session->options->output_rank;
  tessera_tensor global = {0};
  tessera_status status =
      tessera_gather_parameter(session->program, &rank->entry->results[index], rank->team.context,
                               &rank->results[index], root, NULL, &global);
  if (!status && rank->team.rank == root)
    status = results_write(results, index, &global);
  bool succeeded = agree(rank, status);
  tessera_tensor_destroy(&global);
  return succeeded;
}

static bool gather(rank_state *rank) {
  const session *session = rank->session;
  results results = {0};
  tessera_status status = TESSERA_OK;
  bool writes = rank->team.rank == session->options->output_rank;
  if (session->options->num_outputs == 0)
    return true;
  if (writes)
    status = results_open(session->options, session->entry, &results);
  bool succeeded = agree(rank, status);
  for (int32_t i = 0; succeeded && i < session->entry->num_results; i++)
    succeeded = gather_result(rank, i, &results);
  if (succeeded)
    succeeded = agree(rank, results_close(&results));
  results_drop(&results);
  return succeeded;
}

static void drop_arguments(rank_state *rank, int32_t count) {
  for (int32_t i = 0; rank->arguments && rank->borrowed && i < count; i++)
    if (rank->borrowed[i])
      rank->arguments[i].data = NULL;
  destroy_tensors(rank->arguments, count);
  free(rank->borrowed);
}

int session_run_rank(tessera_context *context, void *data) {
  rank_state rank = {.session = data};
  const tessera_entry *entry = rank.session->entry;
  team_start(&rank.team, tool, context);
  rank.arguments = calloc((size_t)entry->num_arguments + 1, sizeof(tessera_tensor));
  rank.borrowed = calloc((size_t)entry->num_arguments + 1, sizeof(bool));
  rank.kept = calloc((size_t)entry->num_arguments + 1, sizeof(tessera_tensor));
  rank.results = calloc((size_t)entry->num_results + 1, sizeof(tessera_tensor));
  /* First: the program says on which device the ranks compute. */
  bool succeeded =
      attach(&rank) &&
      team_agree(&rank.team, rank.arguments && rank.borrowed && rank.kept && rank.results,
                 "no memory") &&
      scatter(&rank) && keep_donated(&rank) && call_first(&rank) && call_repeatedly(&rank) &&
      settle(&rank) && gather(&rank);
  drop_arguments(&rank, entry->num_arguments);
  destroy_tensors(rank.kept, entry->num_arguments);
  destroy_tensors(rank.results, entry->num_results);
  tessera_entry_release(rank.entry);
  team_stop(&rank.team);
  return succeeded ? 0 : 1;
}
