/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The stages as pipeline texts, for the compiler and for the command line that it prints. Knows
 * pass names and options. */
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "lowering/pipelines.h"
#include "support/arena.h"

const char ts_pipeline_import[] = "tessera-import-mesh";

/* Appends the options given for `pass` as "name=value", after those in `first`. */
static const char *pass_options(ts_arena *arena, const tessera_compile_options *options,
                                const char *pass, const char *first) {
  const char *text = first;
  size_t length = strlen(pass);
  for (int i = 0; i < options->num_extra; i++) {
    const char *extra = options->extra[i];
    if (strncmp(extra, pass, length) == 0 && extra[length] == '.')
      text = ts_arena_format(arena, "%s%s%s", text, *text ? " " : "", extra + length + 1);
  }
  return *text ? ts_arena_format(arena, "%s{%s}", pass, text) : pass;
}

bool ts_stages_check_option(const char *option) {
  static const char *const passes[] = {"tessera-propagate", "tessera-partition", "tessera-lower"};
  for (size_t i = 0; i < sizeof passes / sizeof passes[0]; i++) {
    size_t length = strlen(passes[i]);
    if (strncmp(option, passes[i], length) == 0 && option[length] == '.' &&
        strchr(option + length, '='))
      return true;
  }
  return ts_driver_error(NULL,
                         "--pass-option=%s: expected PASS.NAME=VALUE with tessera-propagate, "
                         "tessera-partition or tessera-lower for the pass",
                         option);
}

/* Passes take a value with blanks in quotes. */
static const char *quoted(ts_arena *arena, const char *value) {
  if (!strpbrk(value, " \t\n{}'\""))
    return value;
  char quote = strchr(value, '"') ? '\'' : '"';
  return ts_arena_format(arena, "%c%s%c", quote, value, quote);
}

static const char *lower_options(ts_arena *arena, const tessera_compile_options *options) {
  const char *text = options->oracle ? "oracle=true" : "";
  if (options->entry)
    text = ts_arena_format(arena, "%s%sentry=%s", text, *text ? " " : "",
                           quoted(arena, options->entry));
  return text;
}

static const char *stage_text(ts_arena *arena, const tessera_compile_options *options,
                              ts_emit_stage stage) {
  switch (stage) {
  case TS_EMIT_PROPAGATED:
    return options->oracle ? NULL : pass_options(arena, options, "tessera-propagate", "");
  case TS_EMIT_PARTITIONED:
    return options->oracle ? NULL : pass_options(arena, options, "tessera-partition", "");
  case TS_EMIT_LOWERED:
    return pass_options(arena, options, "tessera-lower", lower_options(arena, options));
  case TS_EMIT_LLVM:
    return ts_pipeline_llvm;
  default:
    return NULL;
  }
}

char *ts_stages_pipeline(const tessera_compile_options *options, ts_emit_stage stage) {
  ts_arena arena = {0};
  const char *text = stage_text(&arena, options, stage);
  char *copy = text ? strdup(text) : NULL;
  ts_arena_free(&arena);
  return copy;
}
