/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Words of a command line.
 * It must not know which options there are. */
#include "command_line.h"

#include <string.h>

bool command_line_take(command_line *line, command_word *word) {
  char *text = line->argv[line->next++];
  memset(word, 0, sizeof(*word));
  if (text[0] != '-' || !text[1]) {
    word->plain = text;
    return true;
  }
  size_t length = strcspn(text, "=");
  if (length >= sizeof(word->name))
    return fail(line->message, "unknown option '%s' (see --help)", text);
  memcpy(word->name, text, length);
  word->attached = text[length] ? text + length + 1 : NULL;
  return true;
}

const char *command_line_value(command_line *line, const command_word *word) {
  const char *value = word->attached;
  if (!value && line->next < line->argc)
    value = line->argv[line->next++];
  if (value && *value)
    return value;
  fail(line->message, "option %s needs a value", word->name);
  return NULL;
}

bool command_word_level(const command_word *word, int *level) {
  const char *name = word->name;
  if (strncmp(name, "-O", 2) != 0 || name[2] < '0' || name[2] > '3' || name[3] || word->attached)
    return false;
  *level = name[2] - '0';
  return true;
}

bool command_line_unknown(command_line *line, const command_word *word) {
  return fail(line->message, "unknown option '%s%s%s' (see --help)", word->name,
              word->attached ? "=" : "", word->attached ? word->attached : "");
}
