/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One run of an entry: scatter, call, gather, write, with all ranks agreeing after each step.
 * It must not know command lines. */
#include "session.h"

#include <stdlib.h>
#include <string.h>

#include "common/team.h"
#include "common/trap.h"
#include "measure.h"

/* ---- per process ----------------------------------------------------------------------------- */

static bool check_counts(const run_options *options, const tessera_entry *entry, message *message) {
  char argument[512];
  if (options->num_inputs < entry->num_arguments)
    return fail(message, "entry '%s': no --input for %s", entry->name,
                argument_text(entry, options->num_inputs, argument, sizeof(argument)));
  if (options->num_inputs > entry->num_arguments)
    return fail(message, "entry '%s' has %d arguments, but %d --input files were given",
                entry->name, entry->num_arguments, options->num_inputs);
  if (options->num_outputs > 0 && options->num_outputs != entry->num_results)
    return fail(message, "entry '%s' has %d results, but %d --output files were given", entry->name,
                entry->num_results, options->num_outputs);
  return true;
}

bool session_prepare(const run_options *options, session *session, message *message) {
  memset(session, 0, sizeof(*session));
  session->options = options;
  if (tessera_program_load(options->program, &session->program) != TESSERA_OK ||
      tessera_program_find(session->program, options->entry, &session->entry) != TESSERA_OK)
    return fail_library(message, NULL);
  const tessera_entry *entry = session->entry;
  if (!check_counts(options, entry, message))
    return false;
  session->inputs = calloc((size_t)entry->num_arguments + 1, sizeof(tessera_tensor));
  if (!session->inputs)
    return fail(message, "no memory");
  for (int32_t i = 0; i < entry->num_arguments; i++)
    if (!read_argument(entry, i, options->inputs[i], &session->inputs[i], message))
      return false;
  return true;
}

void session_destroy(session *session) {
  if (session->entry)
    destroy_tensors(session->inputs, session->entry->num_arguments);
  tessera_program_unload(session->program);
}

/* ---- per rank -------------------------------------------------------------------------------- */

typedef struct rank_state {
  const session *session;
  team team;
  tessera_entry *entry;      /* for the session's inputs */
  tessera_tensor *arguments; /* this rank's pieces */
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

static bool scatter(rank_state *rank) {
  const session *session = rank->session;
  trap_arm_alike(&rank->team, session->entry->name);
  tessera_status status = tessera_entry_resolve(session->entry, session->inputs, &rank->entry);
  trap_disarm();
  for (int32_t i = 0; !status && i < rank->entry->num_arguments; i++)
    status =
        tessera_scatter_parameter(session->program, &rank->entry->arguments[i], rank->team.context,
                                  &session->inputs[i], &rank->arguments[i]);
  return agree(rank, status);
}

static tessera_status call(rank_state *rank) {
  const session *session = rank->session;
  trap_arm(&rank->team, session->entry->name);
  tessera_status status = tessera_call(session->program, rank->entry, rank->team.context,
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
  for (int64_t i = 0; !status && i < count; i++) {
    drop_results(rank);
    team_barrier(&rank->team);
    double start = now();
    status = call(rank);
    seconds[i] = now() - start;
  }
  bool succeeded = agree(rank, status);
  if (succeeded)
    print_times(&rank->team, seconds, count);
  free(seconds);
  return succeeded;
}

static bool gather_result(rank_state *rank, int32_t index) {
  const session *session = rank->session;
  const run_options *options = session->options;
  int32_t root = (int32_t)options->output_rank;
  tessera_tensor global = {0};
  tessera_status status =
      tessera_gather_parameter(session->program, &rank->entry->results[index], rank->team.context,
                               &rank->results[index], root, NULL, &global);
  if (!status && rank->team.rank == root)
    status = tessera_npy_write(options->outputs[index], &global);
  bool succeeded = agree(rank, status);
  tessera_tensor_destroy(&global);
  return succeeded;
}

static bool gather(rank_state *rank) {
  for (int32_t i = 0; i < rank->session->options->num_outputs; i++)
    if (!gather_result(rank, i))
      return false;
  return true;
}

int session_run_rank(tessera_context *context, void *data) {
  rank_state rank = {.session = data};
  const tessera_entry *entry = rank.session->entry;
  team_start(&rank.team, "tessera-run", context);
  rank.arguments = calloc((size_t)entry->num_arguments + 1, sizeof(tessera_tensor));
  rank.results = calloc((size_t)entry->num_results + 1, sizeof(tessera_tensor));
  bool succeeded = team_agree(&rank.team, rank.arguments && rank.results, "no memory") &&
                   attach(&rank) && scatter(&rank) && call_first(&rank) && call_repeatedly(&rank) &&
                   settle(&rank) && gather(&rank);
  destroy_tensors(rank.arguments, entry->num_arguments);
  destroy_tensors(rank.results, entry->num_results);
  tessera_entry_release(rank.entry);
  team_stop(&rank.team);
  return succeeded ? 0 : 1;
}
