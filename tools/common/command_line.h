/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A command line word by word: options with their values, and other words.
 * It must not know which options there are. */
#ifndef TESSERA_TOOLS_COMMON_COMMAND_LINE_H
#define TESSERA_TOOLS_COMMON_COMMAND_LINE_H

#include "common/message.h"

/* `next` is the first word that is not read yet. */
typedef struct command_line {
  int argc;
  char **argv;
  int next;
  message *message;
} command_line;

/* What one word says: "plain", "--name" or "--name=attached". */
typedef struct command_word {
  const char *plain;    /* NULL: an option */
  char name[64];        /* of an option */
  const char *attached; /* NULL: nothing behind '=' */
} command_word;

/* The next word. False if it is the name of no option, because it is longer than any. */
bool command_line_take(command_line *line, command_word *word);

/* The value of the option `word`: what is attached, or the next word. NULL after a message. */
const char *command_line_value(command_line *line, const command_word *word);

/* Whether `word` is -O0 to -O3, and if so which. */
bool command_word_level(const command_word *word, int *level);

/* A message for an option that the tool does not have; returns false. */
bool command_line_unknown(command_line *line, const command_word *word);

#endif /* TESSERA_TOOLS_COMMON_COMMAND_LINE_H */
