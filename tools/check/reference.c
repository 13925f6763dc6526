/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Inputs from files and the generator, results from the unpartitioned program.
 * It must not know grids or how programs are compiled. */
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/team.h"
#include "common/trap.h"
#include "generate.h"

/* ---- memory ---------------------------------------------------------------------------------- */

static bool allocate(int32_t num_inputs, int32_t num_results, reference *reference,
                     message *message) {
  memset(reference, 0, sizeof(*reference));
  reference->inputs = calloc((size_t)num_inputs + 1, sizeof(tessera_tensor));
  reference->results = calloc((size_t)num_results + 1, sizeof(tessera_tensor));
  if (!reference->inputs || !reference->results)
    return fail(message, "no memory");
  reference->num_inputs = num_inputs;
  reference->num_results = num_results;
  return true;
}

void reference_destroy(reference *reference) {
  for (int32_t i = 0; !reference->files.files && i < reference->num_inputs; i++)
    tessera_tensor_destroy(&reference->inputs[i]);
  inputs_close(&reference->files);
  for (int32_t i = 0; i < reference->num_results; i++)
    tessera_tensor_destroy(&reference->results[i]);
  free(reference->inputs);
  free(reference->results);
  memset(reference, 0, sizeof(*reference));
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* The last option about an argument counts. */
static const argument_option *option_for(const argument_option *options, int32_t count,
                                         int32_t argument) {
  for (int32_t i = count - 1; i >= 0; i--)
    if (options[i].argument == argument)
      return &options[i];
  return NULL;
}

/* Options about arguments that do not exist are mistakes. */
static bool check_arguments(const argument_option *options, int32_t count, const char *name,
                            const tessera_entry *entry, message *message) {
  for (int32_t i = 0; i < count; i++)
    if (options[i].argument >= entry->num_arguments)
      return inputs_fail_number(entry, name, options[i].argument, message);
  return true;
}

/* The argument's own shape, completed by --shape where it is dynamic. */
static bool choose_shape(const check_options *options, const tessera_entry *entry, int32_t index,
                         int64_t *shape, message *message) {
  const tessera_parameter *parameter = &entry->arguments[index];
  const argument_option *given = option_for(options->shapes, options->num_shapes, index);
  int32_t rank = parameter->rank < 0 ? 0 : parameter->rank;
  char argument[512];
  if (given && given->rank != rank)
    return fail(message, "option --shape: %s has %d dimensions",
                argument_text(entry, index, argument, sizeof(argument)), rank);
  for (int32_t i = 0; i < rank; i++) {
    shape[i] = parameter->shape[i];
    if (shape[i] < 0 && !given)
      return fail(message, "the shape of %s is not known: say --shape %d=...",
                  argument_text(entry, index, argument, sizeof(argument)), index);
    if (given && shape[i] >= 0 && shape[i] != given->shape[i])
      return fail(message, "option --shape: %s has another extent in dimension %d",
                  argument_text(entry, index, argument, sizeof(argument)), i);
    if (given)
      shape[i] = given->shape[i];
  }
  return true;
}

static bool make_input(const check_options *options, const tessera_entry *entry, int32_t index,
                       tessera_tensor *input, message *message) {
  const tessera_parameter *parameter = &entry->arguments[index];
  const argument_option *file = option_for(options->inputs, options->num_inputs, index);
  const argument_option *range = option_for(options->ranges, options->num_ranges, index);
  if (file)
    return read_argument(entry, index, file->path, input, message);
  int64_t shape[64];
  char argument[512];
  argument_text(entry, index, argument, sizeof(argument));
  if (parameter->rank > 64)
    return fail(message, "%s has too many dimensions", argument);
  if (!choose_shape(options, entry, index, shape, message))
    return false;
  if (tessera_tensor_create((tessera_dtype)parameter->dtype,
                            parameter->rank < 0 ? 0 : parameter->rank, shape, input) != TESSERA_OK)
    return fail_library(message, argument);
  const double *bounds = range ? range->range : parameter->range;
  const char *problem = generate_values((uint64_t)options->seed, index, bounds, input);
  return !problem ||
         fail(message, "%s: range %.17g:%.17g: %s", argument, bounds[0], bounds[1], problem);
}

/* All arguments from a folder or an archive. */
static bool read_together(const check_options *options, const tessera_entry *entry,
                          reference *reference, message *message) {
  if (options->num_inputs > 0 || options->num_shapes > 0 || options->num_ranges > 0)
    return fail(message, "--input %s has all arguments: no other --input, --shape or --range fits",
                options->together);
  if (!inputs_open(entry, &options->together, 1, &reference->files, message))
    return false;
  for (int32_t i = 0; i < entry->num_arguments; i++) {
    if (!inputs_read(&reference->files, entry, i, message))
      return false;
    reference->inputs[i] = reference->files.tensors[i];
  }
  return true;
}

static bool make_inputs(const check_options *options, const tessera_entry *entry,
                        reference *reference, message *message) {
  if (options->together)
    return read_together(options, entry, reference, message);
  if (!check_arguments(options->shapes, options->num_shapes, "--shape", entry, message) ||
      !check_arguments(options->inputs, options->num_inputs, "--input", entry, message) ||
      !check_arguments(options->ranges, options->num_ranges, "--range", entry, message))
    return false;
  for (int32_t i = 0; i < entry->num_arguments; i++)
    if (!make_input(options, entry, i, &reference->inputs[i], message))
      return false;
  return true;
}

/* ---- results --------------------------------------------------------------------------------- */

typedef struct oracle_call {
  const tessera_program *program;
  const tessera_entry *entry;
  reference *reference;
  tessera_tensor *arguments, *results; /* pieces of the single rank */
} oracle_call;

static tessera_status scatter_all(const oracle_call *call, tessera_context *context) {
  tessera_status status = TESSERA_OK;
  for (int32_t i = 0; !status && i < call->entry->num_arguments; i++)
    status = tessera_scatter_parameter(call->program, &call->entry->arguments[i], context,
                                       &call->reference->inputs[i], &call->arguments[i]);
  return status;
}

static tessera_status gather_all(const oracle_call *call, tessera_context *context) {
  tessera_status status = TESSERA_OK;
  for (int32_t i = 0; !status && i < call->entry->num_results; i++)
    status = tessera_gather_parameter(call->program, &call->entry->results[i], context,
                                      &call->results[i], 0, NULL, &call->reference->results[i]);
  return status;
}

static int call_oracle(tessera_context *context, void *data) {
  const oracle_call *call = data;
  team team;
  team_start(&team, "tessera-check", context);
  tessera_status status = tessera_program_attach(call->program, context);
  if (!status)
    status = scatter_all(call, context);
  char what[512];
  snprintf(what, sizeof(what), "%s, unpartitioned", call->entry->name);
  trap_arm(&team, what);
  if (!status)
    status =
        tessera_call_donating(call->program, call->entry, context, call->arguments, call->results);
  trap_disarm();
  if (!status)
    status = gather_all(call, context);
  bool succeeded = team_agree(&team, status == TESSERA_OK, tessera_last_error());
  team_stop(&team);
  return succeeded ? 0 : 1;
}

static bool run_oracle(oracle_call *call, message *message) {
  int32_t num_arguments = call->entry->num_arguments, num_results = call->entry->num_results;
  call->arguments = calloc((size_t)num_arguments + 1, sizeof(tessera_tensor));
  call->results = calloc((size_t)num_results + 1, sizeof(tessera_tensor));
  bool ran = call->arguments && call->results
                 ? team_run_local("tessera-check", 1, call_oracle, call) == 0
                 : fail(message, "no memory");
  destroy_tensors(call->arguments, num_arguments);
  destroy_tensors(call->results, num_results);
  return ran;
}

bool reference_compute(const check_options *options, const tessera_program *oracle,
                       const tessera_entry *entry, reference *reference, message *message) {
  message->text[0] = '\0';
  oracle_call call = {.program = oracle, .entry = entry, .reference = reference};
  return allocate(entry->num_arguments, entry->num_results, reference, message) &&
         make_inputs(options, entry, reference, message) && run_oracle(&call, message);
}

/* ---- other processes ------------------------------------------------------------------------- */

static const char *tensor_file(const workdir *workdir, const char *kind, int32_t index,
                               char *path) {
  char name[32];
  snprintf(name, sizeof(name), "%s-%d.npy", kind, index);
  return workdir_file(workdir, name, path);
}

static bool write_tensors(const workdir *workdir, const char *kind, const tessera_tensor *tensors,
                          int32_t count, message *message) {
  char path[WORKDIR_PATH];
  for (int32_t i = 0; i < count; i++)
    if (tessera_npy_write(tensor_file(workdir, kind, i, path), &tensors[i]) != TESSERA_OK)
      return fail_library(message, NULL);
  return true;
}

static bool read_tensors(const workdir *workdir, const char *kind,
                         const tessera_parameter *parameters, int32_t count,
                         tessera_tensor *tensors, message *message) {
  char path[WORKDIR_PATH];
  for (int32_t i = 0; i < count; i++)
    if (tessera_npy_read(tensor_file(workdir, kind, i, path), (tessera_dtype)parameters[i].dtype,
                         &tensors[i]) != TESSERA_OK)
      return fail_library(message, NULL);
  return true;
}

bool reference_write(const reference *reference, const workdir *workdir, message *message) {
  return write_tensors(workdir, "input", reference->inputs, reference->num_inputs, message) &&
         write_tensors(workdir, "result", reference->results, reference->num_results, message);
}

bool reference_read(const workdir *workdir, const tessera_entry *entry, reference *reference,
                    message *message) {
  return allocate(entry->num_arguments, entry->num_results, reference, message) &&
         read_tensors(workdir, "input", entry->arguments, entry->num_arguments, reference->inputs,
                      message) &&
         read_tensors(workdir, "result", entry->results, entry->num_results, reference->results,
                      message);
}

static bool types_fit(const tessera_parameter *parameters, const tessera_tensor *tensors,
                      int32_t count) {
  for (int32_t i = 0; i < count; i++)
    if (parameters[i].dtype != (int32_t)tensors[i].dtype ||
        (parameters[i].rank < 0 ? 0 : parameters[i].rank) != tensors[i].rank)
      return false;
  return true;
}

bool reference_fits(const reference *reference, const tessera_entry *entry, message *message) {
  if (entry->num_arguments == reference->num_inputs &&
      entry->num_results == reference->num_results &&
      types_fit(entry->arguments, reference->inputs, reference->num_inputs) &&
      types_fit(entry->results, reference->results, reference->num_results))
    return true;
  return fail(message, "the partitioned '%s' has other arguments or results than the original",
              entry->name);
}
