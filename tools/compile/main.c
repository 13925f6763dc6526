/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tesserac: the command line of tessera_compile. It knows options; it must not know how to compile.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "common/command_line.h"
#include "tessera/compile.h"

static const char usage[] =
    "usage: tesserac IN.mlir -o OUT [options]\n"
    "\n"
    "Compiles annotated MLIR (linalg on tensors, shard.shard) to a program for tessera-run.\n"
    "\n"
    "  -o FILE            where to write; - is standard output (texts only)\n"
    "  --entry NAME       entry function, or several with commas; default: every public one\n"
    "  --grid 2x4         another shape for the module's shard.grid; 1s are added at the end\n"
    "  --grid @name=2x4   the same for the grid of that name (may be repeated)\n"
    "  --emit=STAGE       propagated, partitioned, lowered, llvm, kernels, obj or\n"
    "                     so (default)\n"
    "  --oracle           compile the unpartitioned program: annotations are dropped\n"
    "  -O0 ... -O3        optimisation level (default 3)\n"
    "  --target=NAME      what to compile for: cpu (default) or cuda\n"
    "  --chip=CHIP        GPU to compile kernels for, with --target=cuda (default: sm_90)\n"
    "  --march=CPU        CPU to compile for (default: native, this one)\n"
    "  --pass-option=PASS.NAME=VALUE\n"
    "                     option of a pass, e.g. tessera-lower.reassociate=false\n"
    "  --print-pipeline   print the equivalent mlir-opt command line instead\n"
    "  --list-stages      print the names of all stages, and what each does\n"
    "  --print-after=STAGE\n"
    "                     print the module to stderr after a stage (may be repeated)\n"
    "  --no-cache         compile even what was compiled before, and do not keep it\n"
    "  --verbose          remarks, and the time of each stage\n"
    "  --help, --version\n";

enum { MAX_EXTRA = 64 };

typedef enum action {
  ACTION_COMPILE,
  ACTION_PRINT_PIPELINE,
  ACTION_LIST_STAGES,
  ACTION_HELP,
  ACTION_VERSION
} action;

typedef struct parser {
  command_line line;
  tessera_compile_options options;
  const char *extra[MAX_EXTRA];
  char grids[1024], print_after[1024];
  action action;
} parser;

static bool take_text(parser *parser, const command_word *word, const char **text) {
  *text = command_line_value(&parser->line, word);
  return *text != NULL;
}

/* Values of several options count as one list. */
static bool take_listed(parser *parser, const command_word *word, char list[1024],
                        const char **option) {
  const char *value = command_line_value(&parser->line, word);
  size_t used = strlen(list), room = 1024 - used;
  if (!value)
    return false;
  if (strlen(value) + 2 > room)
    return fail(parser->line.message, "the values of %s are too long", word->name);
  snprintf(list + used, room, "%s%s", used ? "," : "", value);
  *option = list;
  return true;
}

static bool take_extra(parser *parser, const command_word *word) {
  if (parser->options.num_extra == MAX_EXTRA)
    return fail(parser->line.message, "more than %d %s", MAX_EXTRA, word->name);
  return take_text(parser, word, &parser->extra[parser->options.num_extra++]);
}

static bool parse_flag(parser *parser, const command_word *word) {
  tessera_compile_options *options = &parser->options;
  const char *name = word->attached ? "" : word->name;
  if (strcmp(name, "--oracle") == 0)
    options->oracle = 1;
  else if (strcmp(name, "--verbose") == 0)
    options->verbose = 1;
  else if (strcmp(name, "--no-cache") == 0)
    options->no_cache = 1;
  else if (strcmp(name, "--print-pipeline") == 0)
    parser->action = ACTION_PRINT_PIPELINE;
  else if (strcmp(name, "--list-stages") == 0)
    parser->action = ACTION_LIST_STAGES;
  else if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
    parser->action = ACTION_HELP;
  else if (strcmp(name, "--version") == 0)
    parser->action = ACTION_VERSION;
  else if (!command_word_level(word, &options->opt_level))
    return command_line_unknown(&parser->line, word);
  return true;
}

static bool parse_option(parser *parser, const command_word *word) {
  tessera_compile_options *options = &parser->options;
  if (strcmp(word->name, "-o") == 0)
    return take_text(parser, word, &options->output);
  if (strcmp(word->name, "--entry") == 0)
    return take_text(parser, word, &options->entry);
  if (strcmp(word->name, "--emit") == 0)
    return take_text(parser, word, &options->emit);
  if (strcmp(word->name, "--target") == 0)
    return take_text(parser, word, &options->target);
  if (strcmp(word->name, "--chip") == 0)
    return take_text(parser, word, &options->chip);
  if (strcmp(word->name, "--march") == 0)
    return take_text(parser, word, &options->march);
  if (strcmp(word->name, "--grid") == 0)
    return take_listed(parser, word, parser->grids, &options->grid);
  if (strcmp(word->name, "--print-after") == 0)
    return take_listed(parser, word, parser->print_after, &options->print_after);
  if (strcmp(word->name, "--pass-option") == 0)
    return take_extra(parser, word);
  return parse_flag(parser, word);
}

static bool parse_word(parser *parser) {
  command_word word;
  if (!command_line_take(&parser->line, &word))
    return false;
  if (!word.plain)
    return parse_option(parser, &word);
  if (parser->options.input)
    return fail(parser->line.message, "unexpected argument '%s'", word.plain);
  parser->options.input = word.plain;
  return true;
}

/* Does the action need no file? Then what follows it on the command line does not count. */
static bool stands_alone(action action) {
  return action == ACTION_HELP || action == ACTION_VERSION || action == ACTION_LIST_STAGES;
}

static bool parse(parser *parser) {
  command_line *line = &parser->line;
  while (line->next < line->argc && !stands_alone(parser->action))
    if (!parse_word(parser))
      return false;
  if (stands_alone(parser->action))
    return true;
  if (!parser->options.output && parser->action == ACTION_PRINT_PIPELINE)
    parser->options.output = "OUT";
  if (!parser->options.input)
    return fail(line->message, "no input file given (see --help)");
  if (!parser->options.output)
    return fail(line->message, "no output file given, -o OUT (see --help)");
  return true;
}

int main(int argc, char **argv) {
  message message;
  parser parser = {.line = {argc, argv, 1, &message},
                   .options = {.struct_size = sizeof(parser.options), .opt_level = 3}};
  parser.options.extra = parser.extra;
  signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of the write */
  if (!parse(&parser)) {
    fprintf(stderr, "tesserac: error: %s\n", message.text);
    return 1;
  }
  switch (parser.action) {
  case ACTION_HELP:
    return fputs(usage, stdout) == EOF;
  case ACTION_VERSION:
    return puts("tesserac " TESSERA_VERSION) == EOF;
  case ACTION_PRINT_PIPELINE:
    return tessera_compile_print_pipeline(&parser.options);
  case ACTION_LIST_STAGES:
    return tessera_compile_list_stages();
  case ACTION_COMPILE:
    break;
  }
  return tessera_compile(&parser.options);
}
