/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Parses tessera-run's command line.
 * It must not know programs or ranks. */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "common/command_line.h"

const char options_help[] =
    "Usage: tessera-run PROGRAM.so [options]\n"
    "       mpirun -n N tessera-run PROGRAM.so [options]\n"
    "\n"
    "Runs an entry of a compiled program on every rank: cuts the global inputs into the\n"
    "pieces of each rank, calls the entry, puts the results together and writes them.\n"
    "Without a launcher the ranks are threads of this process.\n"
    "\n"
    "  --entry NAME        the function to call (default: the only one, or main)\n"
    "  --input FILE...     .npy files of the arguments, in order or as K=FILE, global shapes;\n"
    "                      or a folder of .npy files, or an .npz file, by argument name or else\n"
    "                      in order\n"
    "  --output FILE...    .npy files for the results, in order; or a folder (NAME/) or an\n"
    "                      .npz file for all\n"
    "  --ranks N           run N ranks as threads (not under a launcher; default: what the\n"
    "                      program's grid needs, else 1)\n"
    "  --output-rank R     the rank that writes the results (default: 0)\n"
    "  --repeat N          after one untimed call, time N calls and print minimum and median\n"
    "  --traffic           print the collectives of one call and the bytes that each moves\n"
    "  --progress          say every few seconds how far loading, calls and writing are; on a\n"
    "                      terminal that is shown anyway\n"
    "  --verbose           say which array is which argument\n"
    "  --help, --version\n"
    "\n"
    "Bytes are what the busiest device receives over the network. Exit status: 0, or 1 after\n"
    "a message.\n";

/* Where words that are no options go. */
typedef enum word_list { LIST_PROGRAM, LIST_INPUTS, LIST_OUTPUTS } word_list;

typedef struct parser {
  command_line line;
  word_list list;
  run_options *options;
} parser;

static bool take_number(parser *parser, const command_word *word, int64_t lowest, int64_t *value) {
  const char *text = command_line_value(&parser->line, word);
  if (!text)
    return false;
  return parse_int64(text, lowest, INT32_MAX, value) ||
         fail(parser->line.message, "option %s: '%s' is not a number from %d on", word->name, text,
              (int)lowest);
}

static bool add_word(parser *parser, const char *text) {
  run_options *options = parser->options;
  switch (parser->list) {
  case LIST_INPUTS:
    options->inputs[options->num_inputs++] = text;
    return true;
  case LIST_OUTPUTS:
    for (int32_t i = 0; i < options->num_outputs; i++)
      if (strcmp(options->outputs[i], text) == 0)
        return fail(parser->line.message, "two results cannot both be written to %s", text);
    options->outputs[options->num_outputs++] = text;
    return true;
  case LIST_PROGRAM:
    break;
  }
  if (options->program)
    return fail(parser->line.message, "unexpected argument '%s'", text);
  options->program = text;
  return true;
}

/* Words behind --input and --output are files until the next option. */
static bool start_list(parser *parser, word_list list, const command_word *word) {
  const char *first = command_line_value(&parser->line, word);
  parser->list = list;
  return first && add_word(parser, first);
}

static bool parse_flag(parser *parser, const command_word *word) {
  run_options *options = parser->options;
  if (word->attached)
    return command_line_unknown(&parser->line, word);
  if (strcmp(word->name, "--traffic") == 0)
    return options->traffic = true;
  if (strcmp(word->name, "--progress") == 0)
    return options->progress = true;
  if (strcmp(word->name, "--verbose") == 0)
    return options->verbose = true;
  if (strcmp(word->name, "--help") == 0 || strcmp(word->name, "-h") == 0) {
    options->mode = RUN_HELP;
    return true;
  }
  if (strcmp(word->name, "--version") == 0) {
    options->mode = RUN_VERSION;
    return true;
  }
  return command_line_unknown(&parser->line, word);
}

static bool parse_option(parser *parser, const command_word *word) {
  run_options *options = parser->options;
  parser->list = LIST_PROGRAM;
  if (strcmp(word->name, "--input") == 0)
    return start_list(parser, LIST_INPUTS, word);
  if (strcmp(word->name, "--output") == 0)
    return start_list(parser, LIST_OUTPUTS, word);
  if (strcmp(word->name, "--entry") == 0)
    return (options->entry = command_line_value(&parser->line, word)) != NULL;
  if (strcmp(word->name, "--ranks") == 0)
    return take_number(parser, word, 1, &options->ranks);
  if (strcmp(word->name, "--output-rank") == 0)
    return take_number(parser, word, 0, &options->output_rank);
  if (strcmp(word->name, "--repeat") == 0)
    return take_number(parser, word, 1, &options->repeat);
  return parse_flag(parser, word);
}

static bool parse_word(parser *parser) {
  command_word word;
  if (!command_line_take(&parser->line, &word))
    return false;
  return word.plain ? add_word(parser, word.plain) : parse_option(parser, &word);
}

bool options_parse(int argc, char **argv, run_options *options, message *message) {
  memset(options, 0, sizeof(*options));
  options->inputs = calloc(2 * (size_t)argc, sizeof(char *));
  if (!options->inputs)
    return fail(message, "no memory");
  options->outputs = options->inputs + argc;
  parser parser = {{argc, argv, 1, message}, LIST_PROGRAM, options};
  while (parser.line.next < argc && options->mode == RUN_PROGRAM)
    if (!parse_word(&parser))
      return false;
  if (options->mode == RUN_PROGRAM && !options->program)
    return fail(message, "no program given (see --help)");
  return true;
}

void options_destroy(run_options *options) {
  free(options->inputs);
}
