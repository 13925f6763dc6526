/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Parses tessera-check's command line.
 * It must not know programs or ranks. */
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command_line.h"
#include "common/inputs.h"

const char options_help[] =
    "Usage: tessera-check MODEL.mlir [options]\n"
    "\n"
    "Compiles a model twice, partitioned and as the program of one device, runs both on the\n"
    "same random inputs, and compares what every rank holds, replicas included, with the\n"
    "single device's results.\n"
    "\n"
    "  --entry NAME         the function to check (default: the only one, or main)\n"
    "  --target NAME        what to compile the partitioned program for (default: cpu)\n"
    "  --seed N             seed of the random inputs (default: 1)\n"
    "  --grid G[,G...]      check with these grids instead of the model's: 4, 2x2, @name=2x4\n"
    "  --ranks N[,N...]     numbers of ranks for grids whose size comes from the launch\n"
    "  --shape K=3x64       the shape of argument K where it is dynamic\n"
    "  --input FILE...      .npy files of arguments instead of random values, in order or as\n"
    "                       K=FILE, global shapes; or a folder of .npy files, or an .npz file\n"
    "  --range K=LO:HI      random values of argument K between LO and HI (excluded)\n"
    "  --rtol X, --atol X   tolerance; relative to the largest magnitude of the result\n"
    "                       (default: f64 1e-10, f32 1e-4, f16 and bf16 2e-2, integers exact;\n"
    "                       of integers --atol alone counts)\n"
    "  -O0 ... -O3          optimisation level of both (default 3)\n"
    "  --mpi                run on MPI ranks that mpirun starts, not on threads\n"
    "  --verbose            say what is being done\n"
    "  --help, --version\n"
    "\n"
    "Random floats are standard normal, integers in [-100, 100), booleans fair. Exit status:\n"
    "0 if all results agree, 1 after a message.\n";

/* Which of the words behind an --input are inputs, too. */
typedef enum input_list { NO_INPUTS, NUMBERED_INPUTS, ALL_INPUTS } input_list;

typedef struct parser {
  command_line line;
  input_list list;
  check_options *options;
} parser;

/* ---- lists ----------------------------------------------------------------------------------- */

static bool add_item(text_list *list, const char *start, size_t length) {
  char **items = realloc(list->items, sizeof(char *) * ((size_t)list->count + 1));
  if (!items)
    return false;
  list->items = items;
  items[list->count] = strndup(start, length);
  return items[list->count++] != NULL;
}

static bool take_list(parser *parser, const command_word *word, text_list *list) {
  const char *at = command_line_value(&parser->line, word);
  if (!at)
    return false;
  for (;;) {
    size_t length = strcspn(at, ",");
    if (length == 0)
      return fail(parser->line.message, "option %s: an item of the list is empty", word->name);
    if (!add_item(list, at, length))
      return fail(parser->line.message, "no memory");
    if (!at[length])
      return true;
    at += length + 1;
  }
}

/* True if `variant` ("@a=2x4,@b=8") sets the grid that `item` ("@b=8") names. */
static bool names_grid(const char *variant, const char *item) {
  size_t length = strcspn(item, "=");
  for (; variant; variant = strchr(variant, ',')) {
    variant += *variant == ',';
    if (strncmp(variant, item, length) == 0 && variant[length] == '=')
      return true;
  }
  return false;
}

/* Named grids that follow each other belong to one variant, up to the first name that comes again:
 * "@a=2,@b=2,@a=4,@b=4" is two variants of two grids. */
static bool join_named_grids(text_list *list) {
  int32_t used = 0;
  for (int32_t i = 0; i < list->count; i++) {
    char *item = list->items[i];
    char *last = used ? list->items[used - 1] : NULL;
    if (!last || item[0] != '@' || last[0] != '@' || names_grid(last, item)) {
      list->items[used++] = item;
      continue;
    }
    char *joined = NULL;
    if (asprintf(&joined, "%s,%s", last, item) < 0)
      joined = NULL;
    free(item);
    list->items[i] = NULL;
    if (!joined) {
      list->count = used;
      return false;
    }
    free(last);
    list->items[used - 1] = joined;
  }
  list->count = used;
  return true;
}

static void destroy_list(text_list *list) {
  for (int32_t i = 0; i < list->count; i++)
    free(list->items[i]);
  free(list->items);
}

/* ---- options about one argument -------------------------------------------------------------- */

static bool parse_shape(const char *at, argument_option *option) {
  for (option->rank = 0; option->rank < 32; at++) {
    char *end;
    long long extent = strtoll(at, &end, 10);
    if (end == at || extent < 0)
      return false;
    option->shape[option->rank++] = extent;
    at = end;
    if (*at != 'x')
      return !*at;
  }
  return false;
}

static bool parse_range(const char *at, argument_option *option) {
  char low[64];
  const char *colon = strchr(at, ':');
  size_t length = colon ? (size_t)(colon - at) : sizeof(low);
  if (length >= sizeof(low))
    return false;
  memcpy(low, at, length);
  low[length] = '\0';
  return parse_double(low, &option->range[0]) && parse_double(colon + 1, &option->range[1]) &&
         option->range[0] < option->range[1];
}

typedef bool (*argument_parser)(const char *text, argument_option *option);

/* One more in the list, of zeros; NULL after a message. */
static argument_option *append(parser *parser, argument_option **list, int32_t *count) {
  argument_option *grown = realloc(*list, sizeof(**list) * ((size_t)*count + 1));
  if (!grown) {
    fail(parser->line.message, "no memory");
    return NULL;
  }
  *list = grown;
  return memset(&grown[(*count)++], 0, sizeof(**list));
}

static bool not_understood(parser *parser, const char *name, const char *text) {
  return fail(parser->line.message, "option %s: '%s' is not understood (see --help)", name, text);
}

/* `K=value`, parsed by `parse`, appended to a list. */
static bool take_argument_option(parser *parser, const command_word *word, argument_parser parse,
                                 argument_option **list, int32_t *count) {
  const char *text = command_line_value(&parser->line, word);
  argument_option *option = text ? append(parser, list, count) : NULL;
  if (!option)
    return false;
  const char *value = inputs_number(text, &option->argument);
  return (value != text && parse(value, option)) || not_understood(parser, word->name, text);
}

/* `K=FILE`, a file of the argument behind that of the input before, or a path for all arguments. */
static bool add_input(parser *parser, const char *text) {
  check_options *options = parser->options;
  int32_t argument =
      options->num_inputs ? options->inputs[options->num_inputs - 1].argument + 1 : 0;
  const char *path = inputs_number(text, &argument);
  if (!*path)
    return not_understood(parser, "--input", text);
  if (path == text && inputs_are_together(path)) {
    if (options->together)
      return fail(parser->line.message, "option --input: %s and %s each have all arguments",
                  options->together, text);
    options->together = text;
    return true;
  }
  argument_option *option = append(parser, &options->inputs, &options->num_inputs);
  if (!option)
    return false;
  option->argument = argument;
  option->path = path;
  return true;
}

/* A numbered word leaves the model its place behind it. */
static bool take_input(parser *parser, const command_word *word) {
  int32_t argument;
  const char *text = command_line_value(&parser->line, word);
  if (!text)
    return false;
  bool is_numbered = inputs_number(text, &argument) != text;
  parser->list = is_numbered || inputs_are_together(text) ? NUMBERED_INPUTS : ALL_INPUTS;
  return add_input(parser, text);
}

static bool is_input(const parser *parser, const char *word) {
  int32_t argument;
  return parser->list == ALL_INPUTS ||
         (parser->list == NUMBERED_INPUTS && inputs_number(word, &argument) != word);
}

/* ---- all options ----------------------------------------------------------------------------- */

static bool take_double(parser *parser, const command_word *word, double *value) {
  const char *text = command_line_value(&parser->line, word);
  if (!text)
    return false;
  return (parse_double(text, value) && *value >= 0) ||
         fail(parser->line.message, "option %s: '%s' is not a number from 0 on", word->name, text);
}

static bool take_seed(parser *parser, const command_word *word) {
  const char *text = command_line_value(&parser->line, word);
  if (!text)
    return false;
  return parse_int64(text, INT64_MIN, INT64_MAX, &parser->options->seed) ||
         fail(parser->line.message, "option %s: '%s' is not a whole number", word->name, text);
}

static bool take_text(parser *parser, const command_word *word, const char **text) {
  *text = command_line_value(&parser->line, word);
  return *text != NULL;
}

static bool parse_flag(parser *parser, const command_word *word) {
  check_options *options = parser->options;
  if (word->attached)
    return command_line_unknown(&parser->line, word);
  if (strcmp(word->name, "--mpi") == 0)
    return options->mpi = true;
  if (command_word_level(word, &options->opt_level))
    return true;
  if (strcmp(word->name, "--verbose") == 0)
    return options->verbose = true;
  if (strcmp(word->name, "--help") == 0 || strcmp(word->name, "-h") == 0) {
    options->mode = CHECK_HELP;
    return true;
  }
  if (strcmp(word->name, "--version") == 0) {
    options->mode = CHECK_VERSION;
    return true;
  }
  return command_line_unknown(&parser->line, word);
}

/* What the job that --mpi starts passes to its ranks; not for users. */
static bool parse_worker_option(parser *parser, const command_word *word, bool *known) {
  check_options *options = parser->options;
  if (strcmp(word->name, "--worker") == 0) {
    options->mode = CHECK_WORKER;
    return take_text(parser, word, &options->worker);
  }
  if (strcmp(word->name, "--program") == 0)
    return take_text(parser, word, &options->program);
  if (strcmp(word->name, "--label") == 0)
    return take_text(parser, word, &options->label);
  *known = false;
  return false;
}

static bool parse_option(parser *parser, const command_word *word) {
  check_options *options = parser->options;
  parser->list = NO_INPUTS;
  if (strcmp(word->name, "--entry") == 0)
    return take_text(parser, word, &options->entry);
  if (strcmp(word->name, "--target") == 0)
    return take_text(parser, word, &options->target);
  if (strcmp(word->name, "--seed") == 0)
    return take_seed(parser, word);
  if (strcmp(word->name, "--grid") == 0)
    return take_list(parser, word, &options->grids) &&
           (join_named_grids(&options->grids) || fail(parser->line.message, "no memory"));
  if (strcmp(word->name, "--ranks") == 0)
    return take_list(parser, word, &options->ranks);
  if (strcmp(word->name, "--shape") == 0)
    return take_argument_option(parser, word, parse_shape, &options->shapes, &options->num_shapes);
  if (strcmp(word->name, "--input") == 0)
    return take_input(parser, word);
  if (strcmp(word->name, "--range") == 0)
    return take_argument_option(parser, word, parse_range, &options->ranges, &options->num_ranges);
  if (strcmp(word->name, "--rtol") == 0)
    return take_double(parser, word, &options->tolerance.relative);
  if (strcmp(word->name, "--atol") == 0)
    return take_double(parser, word, &options->tolerance.absolute);
  bool known = true;
  bool taken = parse_worker_option(parser, word, &known);
  return known ? taken : parse_flag(parser, word);
}

static bool parse_word(parser *parser) {
  command_word word;
  if (!command_line_take(&parser->line, &word))
    return false;
  if (!word.plain)
    return parse_option(parser, &word);
  if (is_input(parser, word.plain))
    return add_input(parser, word.plain);
  if (parser->options->model)
    return fail(parser->line.message, "unexpected argument '%s'", word.plain);
  parser->options->model = word.plain;
  return true;
}

static bool check_ranks(const check_options *options, message *message) {
  int64_t ranks;
  for (int32_t i = 0; i < options->ranks.count; i++)
    if (!parse_int64(options->ranks.items[i], 1, INT32_MAX, &ranks))
      return fail(message, "option --ranks: '%s' is not a number from 1 on",
                  options->ranks.items[i]);
  return true;
}

bool options_parse(int argc, char **argv, check_options *options, message *message) {
  memset(options, 0, sizeof(*options));
  options->seed = 1;
  options->opt_level = 3; /* as tesserac has it */
  options->tolerance = (tolerance){-1, -1};
  parser parser = {{argc, argv, 1, message}, NO_INPUTS, options};
  while (parser.line.next < argc && options->mode != CHECK_HELP && options->mode != CHECK_VERSION)
    if (!parse_word(&parser))
      return false;
  if (options->mode == CHECK_MODEL && !options->model)
    return fail(message, "no model given (see --help)");
  if (options->mode == CHECK_WORKER &&
      !(options->model && options->program && options->label && options->ranks.count == 1))
    return fail(message, "a worker needs --program, --label, --ranks and a model");
  return check_ranks(options, message);
}

void options_destroy(check_options *options) {
  destroy_list(&options->grids);
  destroy_list(&options->ranks);
  free(options->shapes);
  free(options->inputs);
  free(options->ranges);
}
