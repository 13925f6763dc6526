/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tesserac: the command line of tessera_compile. Knows options and nothing of compiling. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    "  --emit=STAGE       propagated, partitioned, lowered, llvm, obj or so (default)\n"
    "  --oracle           compile the unpartitioned program: annotations are dropped\n"
    "  -O0 ... -O3        optimisation level (default 3)\n"
    "  --march=CPU        CPU to compile for (default: native, this one)\n"
    "  --pass-option=PASS.NAME=VALUE\n"
    "                     option of a pass, e.g. tessera-lower.reassociate=false\n"
    "  --print-pipeline   print the equivalent mlir-opt command line instead\n"
    "  --verbose          remarks, and the time of each stage\n"
    "  --help, --version\n";

enum { MAX_EXTRA = 64 };

typedef enum action { ACTION_COMPILE, ACTION_PRINT_PIPELINE, ACTION_HELP, ACTION_VERSION } action;

typedef struct command_line {
  tessera_compile_options options;
  const char *extra[MAX_EXTRA];
  char grids[1024];
  action action;
} command_line;

static bool complain(const char *format, const char *what) {
  fputs("tesserac: ", stderr);
  fprintf(stderr, format, what);
  fputs("; see tesserac --help\n", stderr);
  return false;
}

/* The value of option `name` at position *i, as "--name=value" or "--name value"; NULL if it is
 * another option. A missing value gives "". */
static const char *value_of(const char *name, int argc, char **argv, int *i) {
  size_t length = strlen(name);
  if (strncmp(argv[*i], name, length) != 0)
    return NULL;
  if (argv[*i][length] == '=')
    return argv[*i] + length + 1;
  if (argv[*i][length] != '\0')
    return NULL;
  return *i + 1 < argc ? argv[++*i] : "";
}

/* Options that take a value. 1: taken, 0: not one of them, -1: after a message. */
static int take_value(command_line *line, int argc, char **argv, int *i) {
  const char *value;
  const char *name = argv[*i];
  tessera_compile_options *options = &line->options;
  if ((value = value_of("-o", argc, argv, i)))
    options->output = value;
  else if ((value = value_of("--entry", argc, argv, i)))
    options->entry = value;
  else if ((value = value_of("--emit", argc, argv, i)))
    options->emit = value;
  else if ((value = value_of("--march", argc, argv, i)))
    options->march = value;
  else if ((value = value_of("--grid", argc, argv, i))) {
    size_t used = strlen(line->grids);
    if (used + strlen(value) + 2 > sizeof line->grids)
      return complain("%s is too long", name) ? 1 : -1;
    snprintf(line->grids + used, sizeof line->grids - used, "%s%s", used ? "," : "", value);
    options->grid = line->grids;
  } else if ((value = value_of("--pass-option", argc, argv, i))) {
    if (options->num_extra == MAX_EXTRA)
      return complain("more than 64 %s", "--pass-option") ? 1 : -1;
    line->extra[options->num_extra++] = value;
  } else
    return 0;
  return *value ? 1 : (complain("option %s needs a value", name) ? 1 : -1);
}

static bool take_flag(command_line *line, const char *argument) {
  tessera_compile_options *options = &line->options;
  if (strcmp(argument, "--oracle") == 0)
    options->oracle = 1;
  else if (strcmp(argument, "--verbose") == 0)
    options->verbose = 1;
  else if (strcmp(argument, "--print-pipeline") == 0)
    line->action = ACTION_PRINT_PIPELINE;
  else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)
    line->action = ACTION_HELP;
  else if (strcmp(argument, "--version") == 0)
    line->action = ACTION_VERSION;
  else if (strncmp(argument, "-O", 2) == 0 && argument[2] >= '0' && argument[2] <= '3' &&
           argument[3] == '\0')
    options->opt_level = argument[2] - '0';
  else if (argument[0] == '-' && argument[1] != '\0')
    return complain("unknown option %s", argument);
  else if (options->input)
    return complain("a second input, %s", argument);
  else
    options->input = argument;
  return true;
}

static bool read_arguments(command_line *line, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    int taken = take_value(line, argc, argv, &i);
    if (taken < 0 || (taken == 0 && !take_flag(line, argv[i])))
      return false;
  }
  if (line->action == ACTION_HELP || line->action == ACTION_VERSION)
    return true;
  if (!line->options.input)
    return complain("%s", "no input file");
  if (!line->options.output && line->action == ACTION_PRINT_PIPELINE)
    line->options.output = "OUT";
  if (!line->options.output)
    return complain("%s", "no output file, -o OUT");
  return true;
}

int main(int argc, char **argv) {
  command_line line = {.options = {.struct_size = sizeof line.options, .opt_level = 3}};
  line.options.extra = line.extra;
  if (!read_arguments(&line, argc, argv))
    return 1;
  switch (line.action) {
  case ACTION_HELP:
    fputs(usage, stdout);
    return 0;
  case ACTION_VERSION:
    puts("tesserac " TESSERA_VERSION);
    return 0;
  case ACTION_PRINT_PIPELINE:
    return tessera_compile_print_pipeline(&line.options);
  default:
    return tessera_compile(&line.options);
  }
}
