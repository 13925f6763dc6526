/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Matches arrays in files with an entry's arguments, by name or by order, and reads them.
 * It must not know ranks or what the tools do. */
#include "common/inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *inputs_number(const char *word, int32_t *argument) {
  enum { MOST_DIGITS = 9 };
  size_t digits = strspn(word, "0123456789");
  if (digits == 0 || digits > MOST_DIGITS || word[digits] != '=')
    return word;
  *argument = (int32_t)strtol(word, NULL, 10);
  return word + digits + 1;
}

bool inputs_fail_number(const tessera_entry *entry, const char *option, int32_t index,
                        message *message) {
  return fail(message, "option %s: entry '%s' has no argument %d; it has %d, numbered from 0",
              option, entry->name, index, entry->num_arguments);
}

bool inputs_are_together(const char *path) {
  return tessera_arrays_kind_of(path) != TESSERA_ARRAYS_FILE;
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* Texts beyond the message's capacity are cut: they are for people. */
static void append(message *message, size_t *used, const char *separator, const char *text) {
  size_t capacity = sizeof(message->text);
  if (*used < capacity)
    *used += (size_t)snprintf(message->text + *used, capacity - *used, "%s%s", separator, text);
}

static const char *argument_name(const tessera_entry *entry, int32_t index) {
  const char *name = entry->arguments[index].name;
  return name ? name : "";
}

/* The argument's name, or its type where it has none. */
static const char *argument_label(const tessera_entry *entry, int32_t index, char *text,
                                  size_t capacity) {
  const char *name = argument_name(entry, index);
  return name[0] ? name : parameter_type(&entry->arguments[index], text, capacity);
}

static bool fail_to_match(const inputs *inputs, const tessera_entry *entry, const char *path,
                          message *message) {
  char type[256];
  const tessera_arrays *files = inputs->files[0];
  int32_t count = tessera_arrays_count(files);
  size_t used =
      (size_t)snprintf(message->text, sizeof(message->text), "entry '%s' has %d argument%s",
                       entry->name, entry->num_arguments, entry->num_arguments == 1 ? "" : "s");
  for (int32_t i = 0; i < entry->num_arguments; i++)
    append(message, &used, i ? ", " : ": ", argument_label(entry, i, type, sizeof(type)));
  append(message, &used, "; ", path);
  snprintf(type, sizeof(type), " has %d array%s", count, count == 1 ? "" : "s");
  append(message, &used, type, "");
  for (int32_t i = 0; i < count; i++)
    append(message, &used, i ? ", " : ": ", tessera_arrays_name(files, i));
  return false;
}

void inputs_describe(const inputs *inputs, const tessera_entry *entry, message *message) {
  char label[256];
  size_t used = 0;
  append(message, &used, "", inputs->by_name ? "arguments by name" : "arguments by order");
  for (int32_t i = 0; inputs->chosen && i < entry->num_arguments; i++) {
    append(message, &used, i ? ", " : ": ", argument_label(entry, i, label, sizeof(label)));
    append(message, &used, " = ", tessera_arrays_name(inputs->files[0], inputs->chosen[i]));
  }
}

/* ---- matching -------------------------------------------------------------------------------- */

static int32_t find(const tessera_arrays *files, const char *name) {
  for (int32_t i = 0; i < tessera_arrays_count(files); i++)
    if (strcmp(tessera_arrays_name(files, i), name) == 0)
      return i;
  return -1;
}

/* How many arguments have a name that an array has; each takes the array of its name. */
static int32_t match_names(const inputs *inputs, const tessera_entry *entry) {
  int32_t matched = 0;
  for (int32_t i = 0; i < entry->num_arguments; i++) {
    const char *name = argument_name(entry, i);
    inputs->chosen[i] = name[0] ? find(inputs->files[0], name) : -1;
    for (int32_t j = 0; j < i && inputs->chosen[i] >= 0; j++)
      if (inputs->chosen[j] == inputs->chosen[i])
        inputs->chosen[i] = -1;
    matched += inputs->chosen[i] >= 0;
  }
  return matched;
}

static bool all_named(const tessera_entry *entry) {
  for (int32_t i = 0; i < entry->num_arguments; i++)
    if (!argument_name(entry, i)[0])
      return false;
  return true;
}

/* Where all arguments have names, of which only some are there, order would hide a slip. */
static bool match(inputs *inputs, const tessera_entry *entry, const char *path, message *message) {
  int32_t matched = match_names(inputs, entry), count = entry->num_arguments;
  if (tessera_arrays_count(inputs->files[0]) != count ||
      (all_named(entry) && matched > 0 && matched < count))
    return fail_to_match(inputs, entry, path, message);
  inputs->by_name = matched == count && count > 0;
  for (int32_t i = 0; !inputs->by_name && i < count; i++)
    inputs->chosen[i] = i;
  return true;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* The file of each argument. */
static bool choose_files(const tessera_entry *entry, const char *const *words, int32_t num_words,
                         const char **paths, message *message) {
  char argument[512];
  int32_t index = -1;
  for (int32_t i = 0; i < num_words; i++) {
    index++;
    const char *path = inputs_number(words[i], &index);
    if (path == words[i] && inputs_are_together(path))
      return fail(message, "--input %s has all arguments, so it must be the only --input", path);
    if (index >= entry->num_arguments)
      return path == words[i]
                 ? fail(message, "entry '%s' has %d arguments, but %d --input files were given",
                        entry->name, entry->num_arguments, num_words)
                 : inputs_fail_number(entry, "--input", index, message);
    paths[index] = path;
  }
  for (int32_t i = 0; i < entry->num_arguments; i++)
    if (!paths[i])
      return fail(message, "entry '%s': no --input for %s", entry->name,
                  argument_text(entry, i, argument, sizeof(argument)));
  return true;
}

static bool open_together(inputs *inputs, const tessera_entry *entry, const char *path,
                          message *message) {
  inputs->chosen = calloc((size_t)entry->num_arguments + 1, sizeof(int32_t));
  if (!inputs->chosen)
    return fail(message, "no memory");
  if (tessera_arrays_open(path, &inputs->files[0]) != TESSERA_OK)
    return fail_library(message, NULL);
  inputs->num_files = 1;
  return match(inputs, entry, path, message);
}

static bool open_each(inputs *inputs, const tessera_entry *entry, const char *const *words,
                      int32_t num_words, message *message) {
  char argument[512];
  const char **paths = calloc((size_t)entry->num_arguments + 1, sizeof(*paths));
  bool good =
      paths ? choose_files(entry, words, num_words, paths, message) : fail(message, "no memory");
  for (int32_t i = 0; good && i < entry->num_arguments; i++) {
    good = tessera_arrays_open(paths[i], &inputs->files[i]) == TESSERA_OK ||
           fail_library(message, argument_text(entry, i, argument, sizeof(argument)));
    inputs->num_files += good;
  }
  free(paths);
  return good;
}

bool inputs_open(const tessera_entry *entry, const char *const *words, int32_t num_words,
                 inputs *inputs, message *message) {
  int32_t index;
  memset(inputs, 0, sizeof(*inputs));
  inputs->count = entry->num_arguments;
  inputs->tensors = calloc((size_t)inputs->count + 1, sizeof(tessera_tensor));
  inputs->files = calloc((size_t)inputs->count + 1, sizeof(tessera_arrays *));
  if (!inputs->tensors || !inputs->files)
    return fail(message, "no memory");
  bool is_together = num_words == 1 && inputs_number(words[0], &index) == words[0] &&
                     inputs_are_together(words[0]);
  return is_together ? open_together(inputs, entry, words[0], message)
                     : open_each(inputs, entry, words, num_words, message);
}

bool inputs_read(inputs *inputs, const tessera_entry *entry, int32_t index, message *message) {
  tessera_arrays *files = inputs->files[inputs->chosen ? 0 : index];
  int32_t array = inputs->chosen ? inputs->chosen[index] : 0;
  tessera_tensor *tensor = &inputs->tensors[index];
  char argument[512];
  if (tessera_arrays_read(files, array, (tessera_dtype)entry->arguments[index].dtype, tensor) !=
      TESSERA_OK)
    return fail_library(message, argument_text(entry, index, argument, sizeof(argument)));
  return check_argument(entry, index, tessera_arrays_text(files, array), tensor, message);
}

void inputs_close(inputs *inputs) {
  for (int32_t i = 0; i < inputs->num_files; i++)
    tessera_arrays_close(inputs->files[i]);
  free(inputs->files);
  free(inputs->chosen);
  free(inputs->tensors);
  memset(inputs, 0, sizeof(*inputs));
}
