/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Parses tessera-run's command line.
 * It must not know programs or ranks. */
#include "options.h"

#include <stdlib.h>
#include <string.h>

const char options_help[] =
    "Usage: tessera-run PROGRAM.so [options]\n"
    "       mpirun -n N tessera-run PROGRAM.so [options]\n"
    "\n"
    "Runs an entry of a compiled program on every rank: cuts the global inputs into the\n"
    "pieces of each rank, calls the entry, puts the results together and writes them.\n"
    "Without a launcher the ranks are threads of this process.\n"
    "\n"
    "  --entry NAME        the function to call (default: the only one, or main)\n"
    "  --input FILE...     .npy files of the arguments, in order, global shapes\n"
    "  --output FILE...    .npy files for the results, in order\n"
    "  --ranks N           run N ranks as threads (not under a launcher; default: what the\n"
    "                      program's grid needs, else 1)\n"
    "  --output-rank R     the rank that writes the results (default: 0)\n"
    "  --repeat N          after one untimed call, time N calls and print minimum and median\n"
    "  --traffic           print the collectives of one call and the bytes that each moves\n"
    "  --help, --version\n"
    "\n"
    "Bytes are what the busiest device receives over the network. Exit status: 0, or 1 after\n"
    "a message.\n";

/* Where words that are no options go. */
typedef enum word_list { LIST_PROGRAM, LIST_INPUTS, LIST_OUTPUTS } word_list;

typedef struct parser {
  int argc;
  char **argv;
  int next;
  word_list list;
  run_options *options;
  message *message;
} parser;

/* The value of option `name`: behind '=' in the same word, or the next word. */
static const char *take_value(parser *parser, const char *name, const char *attached) {
  if (attached)
    return attached;
  if (parser->next < parser->argc)
    return parser->argv[parser->next++];
  fail(parser->message, "option %s needs a value", name);
  return NULL;
}

static bool take_number(parser *parser, const char *name, const char *attached, int64_t lowest,
                        int64_t *value) {
  const char *text = take_value(parser, name, attached);
  if (!text)
    return false;
  return parse_int64(text, lowest, INT32_MAX, value) ||
         fail(parser->message, "option %s: '%s' is not a number from %d on", name, text,
              (int)lowest);
}

static bool add_word(parser *parser, const char *word) {
  run_options *options = parser->options;
  switch (parser->list) {
  case LIST_INPUTS:
    options->inputs[options->num_inputs++] = word;
    return true;
  case LIST_OUTPUTS:
    options->outputs[options->num_outputs++] = word;
    return true;
  case LIST_PROGRAM:
    break;
  }
  if (options->program)
    return fail(parser->message, "unexpected argument '%s'", word);
  options->program = word;
  return true;
}

/* Words behind --input and --output are files until the next option. */
static bool start_list(parser *parser, word_list list, const char *name, const char *attached) {
  const char *first = take_value(parser, name, attached);
  parser->list = list;
  return first && add_word(parser, first);
}

static bool parse_option(parser *parser, const char *name, const char *attached) {
  run_options *options = parser->options;
  parser->list = LIST_PROGRAM;
  if (strcmp(name, "--input") == 0)
    return start_list(parser, LIST_INPUTS, name, attached);
  if (strcmp(name, "--output") == 0)
    return start_list(parser, LIST_OUTPUTS, name, attached);
  if (strcmp(name, "--entry") == 0)
    return (options->entry = take_value(parser, name, attached)) != NULL;
  if (strcmp(name, "--ranks") == 0)
    return take_number(parser, name, attached, 1, &options->ranks);
  if (strcmp(name, "--output-rank") == 0)
    return take_number(parser, name, attached, 0, &options->output_rank);
  if (strcmp(name, "--repeat") == 0)
    return take_number(parser, name, attached, 1, &options->repeat);
  if (attached)
    return fail(parser->message, "unknown option '%s=%s' (see --help)", name, attached);
  if (strcmp(name, "--traffic") == 0)
    return options->traffic = true;
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
    options->mode = RUN_HELP;
    return true;
  }
  if (strcmp(name, "--version") == 0) {
    options->mode = RUN_VERSION;
    return true;
  }
  return fail(parser->message, "unknown option '%s' (see --help)", name);
}

static bool parse_word(parser *parser) {
  char *word = parser->argv[parser->next++];
  if (word[0] != '-' || !word[1])
    return add_word(parser, word);
  char *equals = strchr(word, '=');
  if (!equals)
    return parse_option(parser, word, NULL);
  char name[64];
  size_t length = (size_t)(equals - word);
  if (length >= sizeof(name))
    return fail(parser->message, "unknown option '%s' (see --help)", word);
  memcpy(name, word, length);
  name[length] = '\0';
  return parse_option(parser, name, equals + 1);
}

bool options_parse(int argc, char **argv, run_options *options, message *message) {
  memset(options, 0, sizeof(*options));
  options->inputs = calloc(2 * (size_t)argc, sizeof(char *));
  if (!options->inputs)
    return fail(message, "no memory");
  options->outputs = options->inputs + argc;
  parser parser = {argc, argv, 1, LIST_PROGRAM, options, message};
  while (parser.next < argc && options->mode == RUN_PROGRAM)
    if (!parse_word(&parser))
      return false;
  if (options->mode == RUN_PROGRAM && !options->program)
    return fail(message, "no program given (see --help)");
  return true;
}

void options_destroy(run_options *options) {
  free(options->inputs);
}
