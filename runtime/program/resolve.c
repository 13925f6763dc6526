/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Layouts that depend on the arguments of a call: an entry with these numbers filled in.
 * It must not know how tensors are cut. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "layout/words.h"
#include "program/frame.h"
#include "program/locate.h"
#include "support/error.h"

/* The parameters of an entry, arguments first. */
static const tessera_parameter *parameter_at(const tessera_entry *entry, int32_t i) {
  return i < entry->num_arguments ? &entry->arguments[i]
                                  : &entry->results[i - entry->num_arguments];
}

static int32_t num_parameters(const tessera_entry *entry) {
  return entry->num_arguments + entry->num_results;
}

static int64_t num_unknowns(const tessera_entry *entry) {
  int64_t unknowns = 0;
  for (int32_t i = 0; i < num_parameters(entry); i++)
    unknowns += tr_layout_unknowns(parameter_at(entry, i)->layout);
  return unknowns;
}

/* Programs of an older libtessera have records without the resolver. */
static tessera_packed_function resolver_of(const tessera_entry *entry) {
  bool has_one = entry->struct_size >= offsetof(tessera_entry, resolve) + sizeof(entry->resolve);
  return has_one ? entry->resolve : NULL;
}

/* How many numbers the resolver stores, where the record is new enough to say so. */
static int64_t num_resolved(const tessera_entry *entry, int64_t otherwise) {
  size_t end = offsetof(tessera_entry, num_resolved) + sizeof(entry->num_resolved);
  return entry->struct_size >= end ? entry->num_resolved : otherwise;
}

static tessera_status check_arguments(const tessera_entry *entry, const tessera_tensor *arguments) {
  for (int32_t i = 0; i < entry->num_arguments; i++) {
    tessera_status status = tr_check_type(&entry->arguments[i], &arguments[i]);
    if (status)
      return status;
  }
  return TESSERA_OK;
}

typedef struct question {
  tessera_packed_function resolve;
  void **arguments, **results;
} question;

static void ask(void *data) {
  const question *question = data;
  question->resolve(question->arguments, question->results);
}

/* The program computes the numbers from scalars and shapes; it does not look at tensors' data. */
static tessera_status ask_program(const tessera_entry *entry, const tessera_tensor *arguments,
                                  int64_t count, int64_t *numbers) {
  tessera_packed_function resolve = resolver_of(entry);
  if (!resolve)
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "entry '%s': its layouts depend on its arguments, but the program does not say "
                   "how",
                   entry->name);
  if (num_resolved(entry, count) != count)
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "entry '%s': its layouts leave %lld numbers open, but the program computes %lld",
                   entry->name, (long long)count, (long long)num_resolved(entry, count));
  tr_frame frame;
  void **results = calloc((size_t)count, sizeof(void *));
  bool made = tr_frame_create(entry, &frame) && results;
  tessera_context *context = tessera_context_current();
  tessera_status status = TESSERA_OK;
  if (!made) {
    status = tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the layouts of '%s'", entry->name);
  } else {
    for (int64_t i = 0; i < count; i++)
      results[i] = &numbers[i];
    tr_frame_fill(entry, arguments, &frame);
    question question = {resolve, frame.arguments, results};
    status = context ? tessera_attempt(context, ask, &question) : TESSERA_ERROR_NOT_FOUND;
  }
  tr_frame_destroy(&frame);
  free(results);
  return status;
}

/* The resolved entry, its parameters and their layouts in one block. */
typedef struct resolved_entry {
  tessera_entry entry;
  tessera_parameter parameters[];
} resolved_entry;

static int64_t layout_words(const tessera_parameter *parameter) {
  return tr_layout_unknowns(parameter->layout) ? tessera_layout_words(parameter->layout) : 0;
}

static resolved_entry *copy_entry(const tessera_entry *entry) {
  int32_t num = num_parameters(entry);
  size_t words = 0;
  for (int32_t i = 0; i < num; i++)
    words += (size_t)layout_words(parameter_at(entry, i));
  resolved_entry *copy =
      calloc(1, sizeof(*copy) + sizeof(tessera_parameter) * (size_t)num + sizeof(int64_t) * words);
  if (!copy)
    return NULL;
  size_t size = entry->struct_size < sizeof(*entry) ? entry->struct_size : sizeof(*entry);
  memcpy(&copy->entry, entry, size);
  for (int32_t i = 0; i < num; i++)
    copy->parameters[i] = *parameter_at(entry, i);
  copy->entry.arguments = copy->parameters;
  copy->entry.results = copy->parameters + entry->num_arguments;
  return copy;
}

static tessera_status fill_layouts(const tessera_entry *entry, const tessera_tensor *arguments,
                                   const int64_t *numbers, resolved_entry *copy) {
  int64_t *words = (int64_t *)(copy->parameters + num_parameters(entry));
  for (int32_t i = 0; i < num_parameters(entry); i++) {
    tessera_parameter *parameter = &copy->parameters[i];
    int64_t count = layout_words(parameter);
    if (count == 0)
      continue;
    bool is_argument = i < entry->num_arguments;
    const int64_t *extents = is_argument ? arguments[i].shape : parameter->shape;
    tessera_status status = tr_layout_resolve(parameter->layout, numbers, extents, words);
    if (status) {
      char reason[512];
      strncpy(reason, tessera_last_error(), sizeof(reason) - 1);
      reason[sizeof(reason) - 1] = '\0';
      return tr_fail(status, "entry '%s', %s %d: %s", entry->name,
                     is_argument ? "argument" : "result",
                     is_argument ? i : i - entry->num_arguments, reason);
    }
    numbers += tr_layout_unknowns(parameter->layout);
    parameter->layout = words;
    words += count;
  }
  return TESSERA_OK;
}

tessera_status tessera_entry_resolve(const tessera_entry *entry, const tessera_tensor *arguments,
                                     tessera_entry **resolved) {
  *resolved = NULL;
  int64_t count = num_unknowns(entry), *numbers = calloc((size_t)count + 1, sizeof(int64_t));
  resolved_entry *copy = copy_entry(entry);
  tessera_status status = check_arguments(entry, arguments);
  if (!status && (!numbers || !copy))
    status = tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the layouts of '%s'", entry->name);
  if (!status && count > 0)
    status = ask_program(entry, arguments, count, numbers);
  if (!status)
    status = fill_layouts(entry, arguments, numbers, copy);
  free(numbers);
  if (status)
    free(copy);
  else
    *resolved = &copy->entry;
  return status;
}

void tessera_entry_release(tessera_entry *resolved) {
  free(resolved);
}
