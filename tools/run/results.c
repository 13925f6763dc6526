/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Writes results to files of their own, or by name to a folder or an archive.
 * It must not know ranks or how results are put together. */
#include "results.h"

#include <stdio.h>
#include <string.h>

#include "common/inputs.h"

static bool are_together(const run_options *options) {
  return options->num_outputs == 1 && inputs_are_together(options->outputs[0]);
}

bool results_check(const run_options *options, const tessera_entry *entry, message *message) {
  for (int32_t i = 0; options->num_outputs > 1 && i < options->num_outputs; i++)
    if (inputs_are_together(options->outputs[i]))
      return fail(message, "--output %s takes all results, so it must be the only --output",
                  options->outputs[i]);
  if (options->num_outputs == 0 || options->num_outputs == entry->num_results ||
      are_together(options))
    return true;
  return fail(
      message,
      "entry '%s': results %d, files for --output %d (a folder, whose name ends in '/', or an "
      ".npz file takes all)",
      entry->name, entry->num_results, options->num_outputs);
}

static const char *result_name(const tessera_entry *entry, int32_t index) {
  const char *name = entry->results[index].name;
  return name ? name : "";
}

/* Names of results are names of files if all are, and are different. */
static bool names_serve(const tessera_entry *entry) {
  for (int32_t i = 0; i < entry->num_results; i++) {
    const char *name = result_name(entry, i);
    if (!name[0] || name[0] == '.' || strchr(name, '/') || strlen(name) > 200)
      return false;
    for (int32_t j = 0; j < i; j++)
      if (strcmp(name, result_name(entry, j)) == 0)
        return false;
  }
  return true;
}

tessera_status results_open(const run_options *options, const tessera_entry *entry,
                            results *results) {
  results->options = options;
  results->entry = entry;
  results->writer = NULL;
  return are_together(options) ? tessera_arrays_create(options->outputs[0], &results->writer)
                               : TESSERA_OK;
}

tessera_status results_write(results *results, int32_t index, const tessera_tensor *tensor) {
  if (!results->writer)
    return tessera_npy_write(results->options->outputs[index], tensor);
  char number[16];
  snprintf(number, sizeof(number), "%d", index);
  const char *name = names_serve(results->entry) ? result_name(results->entry, index) : number;
  return tessera_arrays_add(results->writer, name, tensor);
}

tessera_status results_close(results *results) {
  tessera_arrays_writer *writer = results->writer;
  results->writer = NULL;
  return writer ? tessera_arrays_finish(writer) : TESSERA_OK;
}

void results_drop(results *results) {
  tessera_arrays_drop(results->writer);
  results->writer = NULL;
}
