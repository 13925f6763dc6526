/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* An entry's arguments from files, as both tools take them: one file each, or a folder or an
 * archive for all. It must not know ranks or what the tools do. */
#ifndef TESSERA_TOOLS_COMMON_INPUTS_H
#define TESSERA_TOOLS_COMMON_INPUTS_H

#include "common/values.h"

/* The tensors belong to the files, which are mapped; they are only read. */
typedef struct inputs {
  tessera_arrays **files; /* one per argument, or one for all */
  int32_t num_files;
  int32_t *chosen; /* of one for all: which array each argument is */
  tessera_tensor *tensors;
  int32_t count; /* of the entry's arguments */
  bool by_name;
} inputs;

/* "K=PATH" says the file of argument K: returns the path, and K in `argument`. Other words are
 * paths. */
const char *inputs_number(const char *word, int32_t *argument);

/* Says that the entry has no argument `index`, which `option` names; returns false. */
bool inputs_fail_number(const tessera_entry *entry, const char *option, int32_t index,
                        message *message);

/* Whether the path is one for all arguments. */
bool inputs_are_together(const char *path);

/* Opens the files that these words name: one each, of argument K, or else of the one behind that of
 * the word before; or one for all, in which each argument's array is found by the arguments' names
 * if all have one and all are there, else by order. The message of a failure lists both sides. To
 * be closed even after a failure. */
bool inputs_open(const tessera_entry *entry, const char *const *words, int32_t num_words,
                 inputs *inputs, message *message);

/* Reads argument `index` and checks it: element type, rank and static sizes must be the
 * parameter's. */
bool inputs_read(inputs *inputs, const tessera_entry *entry, int32_t index, message *message);

/* "arguments by name: x = x, w = w": which array is which argument, in `message`. */
void inputs_describe(const inputs *inputs, const tessera_entry *entry, message *message);

/* Safe on a cleared one. */
void inputs_close(inputs *inputs);

#endif /* TESSERA_TOOLS_COMMON_INPUTS_H */
