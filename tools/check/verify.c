/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Scatter, call, compare; all ranks agree after each step.
 * It must not know how programs are compiled or started. */
#include "verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/team.h"
#include "common/trap.h"
#include "numbers.h"

typedef struct rank_state {
  const check_job *job;
  team team;
  tessera_entry *entry;      /* the job's, for its inputs */
  tessera_tensor *arguments; /* this rank's pieces */
  tessera_tensor *results;
  double max_error;
} rank_state;

/* ---- running --------------------------------------------------------------------------------- */

/* Puts the case in front of a library's message. */
static bool agree(rank_state *rank, tessera_status status, const char *doing) {
  const check_job *job = rank->job;
  message message;
  if (status)
    fail(&message, "%s: %s on %s: rank %d: %s: %s", job->model, job->entry->name, job->label,
         rank->team.rank, doing, tessera_last_error());
  return team_agree(&rank->team, status == TESSERA_OK, message.text);
}

static bool run_entry(rank_state *rank) {
  const check_job *job = rank->job;
  tessera_context *context = rank->team.context;
  char what[512];
  snprintf(what, sizeof(what), "%s: %s on %s", job->model, job->entry->name, job->label);
  trap_arm_alike(&rank->team, what);
  tessera_status status = tessera_entry_resolve(job->entry, job->inputs, &rank->entry);
  trap_disarm();
  for (int32_t i = 0; !status && i < rank->entry->num_arguments; i++)
    status = tessera_scatter_parameter(job->program, &rank->entry->arguments[i], context,
                                       &job->inputs[i], &rank->arguments[i]);
  if (!agree(rank, status, "cutting the arguments"))
    return false;
  trap_arm(&rank->team, what);
  status =
      tessera_call_donating(job->program, rank->entry, context, rank->arguments, rank->results);
  trap_disarm();
  return agree(rank, status, "calling") && agree(rank, tessera_settle(context), "calling");
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool same_shape(const tessera_tensor *left, const tessera_tensor *right) {
  bool same = left->rank == right->rank;
  for (int32_t i = 0; same && i < left->rank; i++)
    same = left->shape[i] == right->shape[i];
  return same;
}

/* "[1, 5]" for a row-major index; "" for a scalar. */
static const char *index_text(const tessera_tensor *tensor, int64_t index, char *text,
                              size_t capacity) {
  int64_t indices[64];
  size_t used = 0;
  text[0] = '\0';
  for (int32_t i = tensor->rank - 1; i >= 0; i--) {
    indices[i] = index % tensor->shape[i];
    index /= tensor->shape[i];
  }
  for (int32_t i = 0; i < tensor->rank && used < capacity; i++)
    used += (size_t)snprintf(text + used, capacity - used, "%s%" PRId64 "%s", i ? ", " : " at [",
                             indices[i], i + 1 == tensor->rank ? "]" : "");
  return text;
}

static bool describe_difference(const rank_state *rank, int32_t result, comparison found,
                                const tessera_tensor *got, message *message) {
  const check_job *job = rank->job;
  const tessera_tensor *want = &job->expected[result];
  size_t size = tessera_dtype_size(want->dtype);
  char where[256], left[64], right[64];
  return fail(message,
              "%s: %s on %s: rank %d: result %d differs%s: got %s, want %s (allowed "
              "difference %.3g)",
              job->model, job->entry->name, job->label, rank->team.rank, result,
              index_text(want, found.first_global, where, sizeof(where)),
              number_text(want->dtype, (const char *)got->data + (size_t)found.first_local * size,
                          left, sizeof(left)),
              number_text(want->dtype, (const char *)want->data + (size_t)found.first_global * size,
                          right, sizeof(right)),
              found.allowed);
}

static tolerance tolerance_of(const check_job *job, int32_t result) {
  const tessera_parameter *parameter = &job->entry->results[result];
  tolerance tolerance = job->tolerance; /* --rtol says nothing of integers, --atol does */
  if (tolerance.relative < 0)
    tolerance.relative =
        compare_default((tessera_dtype)parameter->dtype, (tessera_dtype)parameter->computed_in);
  if (tolerance.absolute < 0)
    tolerance.absolute = 0;
  return tolerance;
}

static bool compare_values(rank_state *rank, int32_t result, const tessera_tensor *got,
                           const tessera_tensor *indices, double *error, message *message) {
  const check_job *job = rank->job;
  if (!same_shape(got, indices))
    return fail(message, "%s: %s on %s: rank %d: result %d has the wrong local shape", job->model,
                job->entry->name, job->label, rank->team.rank, result);
  comparison found = compare_piece(got, indices, &job->expected[result], tolerance_of(job, result));
  *error = found.max_error;
  return found.first_local < 0 || describe_difference(rank, result, found, got, message);
}

/* Collective. */
static void record_error(rank_state *rank, int32_t result, double error) {
  const check_job *job = rank->job;
  char type[256];
  team_maximum(&rank->team, &error, 1);
  if (error > rank->max_error)
    rank->max_error = error;
  if (job->verbose && rank->team.rank == 0)
    printf("  result %d: %s: max error %.2g\n", result,
           parameter_type(&job->entry->results[result], type, sizeof(type)), error);
}

/* Reducing partial values is collective, so every rank does it, whatever it then finds. */
static bool compare_result(rank_state *rank, int32_t index) {
  const check_job *job = rank->job;
  const tessera_parameter *parameter = &rank->entry->results[index];
  tessera_tensor reduced = {0}, indices = {0};
  message message;
  double error = 0;
  tessera_status status = tessera_reduce_parameter(job->program, parameter, rank->team.context,
                                                   &rank->results[index], &reduced);
  if (!status)
    status = tessera_tensor_to_host(&reduced);
  if (!status)
    status = tessera_parameter_indices(job->program, parameter, rank->team.context,
                                       job->expected[index].shape, &indices);
  bool equal =
      status ? fail(&message, "%s: %s on %s: rank %d: result %d: %s", job->model, job->entry->name,
                    job->label, rank->team.rank, index, tessera_last_error())
             : compare_values(rank, index, &reduced, &indices, &error, &message);
  tessera_tensor_destroy(&reduced);
  tessera_tensor_destroy(&indices);
  if (!team_agree(&rank->team, equal, message.text))
    return false;
  record_error(rank, index, error);
  return true;
}

static bool compare_results(rank_state *rank) {
  const check_job *job = rank->job;
  int32_t count = job->entry->num_results;
  for (int32_t i = 0; i < count; i++)
    if (!compare_result(rank, i))
      return false;
  if (rank->team.rank == 0 && count == 0)
    printf("%s: %s on %s: no results, so nothing was compared\n", job->model, job->entry->name,
           job->label);
  else if (rank->team.rank == 0)
    printf("%s: %s on %s: %d result%s (max error %.2g)\n", job->model, job->entry->name, job->label,
           count, count == 1 ? " agrees" : "s agree", rank->max_error);
  fflush(stdout);
  return true;
}

int verify_rank(tessera_context *context, void *data) {
  rank_state rank = {.job = data};
  const tessera_entry *entry = rank.job->entry;
  team_start(&rank.team, "tessera-check", context);
  rank.arguments = calloc((size_t)entry->num_arguments + 1, sizeof(tessera_tensor));
  rank.results = calloc((size_t)entry->num_results + 1, sizeof(tessera_tensor));
  /* First: the program says on which device the ranks compute. */
  bool agrees = agree(&rank, tessera_program_attach(rank.job->program, context), "starting") &&
                team_agree(&rank.team, rank.arguments && rank.results, "no memory") &&
                run_entry(&rank) && compare_results(&rank);
  destroy_tensors(rank.arguments, entry->num_arguments);
  destroy_tensors(rank.results, entry->num_results);
  tessera_entry_release(rank.entry);
  team_stop(&rank.team);
  return agrees ? 0 : 1;
}
