/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The stages by name, and as pipeline texts for the compiler and for the command line that it
 * prints. It knows pass names and options. */
#include <stdlib.h>
#include <string.h>

#include "driver.h"
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
  static const char *const passes[] = {"tessera-propagate", "tessera-partition", "tessera-optimize",
                                       "tessera-lower"};
  for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]); i++) {
    size_t length = strlen(passes[i]);
    if (strncmp(option, passes[i], length) == 0 && option[length] == '.' &&
        strchr(option + length, '='))
      return true;
  }
  return ts_driver_error(NULL,
                         "--pass-option=%s: expected PASS.NAME=VALUE with tessera-propagate, "
                         "tessera-partition, tessera-optimize or tessera-lower for the pass",
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
  if (options->target)
    text = ts_arena_format(arena, "%s%starget=%s", text, *text ? " " : "", options->target);
  if (options->entry)
    text = ts_arena_format(arena, "%s%sentry=%s", text, *text ? " " : "",
                           quoted(arena, options->entry));
  return text;
}

static const char *llvm_passes(ts_arena *arena, const ts_target *target) {
  const char *text = "";
  const ts_stage *stage;
  for (int i = 0; (stage = ts_target_llvm_stage(target, i)); i++)
    text = ts_arena_format(arena, "%s%s%s", text, i > 0 ? "," : "", stage->passes);
  return text;
}

static const char *stage_text(ts_arena *arena, const tessera_compile_options *options,
                              const ts_target *target, ts_emit_stage stage) {
  switch (stage) {
  case TS_EMIT_PROPAGATED:
    return options->oracle ? NULL : pass_options(arena, options, "tessera-propagate", "");
  case TS_EMIT_PARTITIONED:
    return options->oracle ? NULL
                           : ts_arena_format(arena, "%s,%s",
                                             pass_options(arena, options, "tessera-partition", ""),
                                             pass_options(arena, options, "tessera-optimize", ""));
  case TS_EMIT_LOWERED:
    return pass_options(arena, options, "tessera-lower", lower_options(arena, options));
  case TS_EMIT_LLVM:
    return llvm_passes(arena, target);
  default:
    return NULL;
  }
}

char *ts_stages_pipeline(const tessera_compile_options *options, const ts_target *target,
                         ts_emit_stage stage) {
  ts_arena arena = {0};
  const char *text = stage_text(&arena, options, target, stage);
  char *copy = text ? strdup(text) : NULL;
  ts_arena_free(&arena);
  return copy;
}

/* ---- by name --------------------------------------------------------------------------------- */

static const ts_named_stage passes_before[] = {
    {"tessera-import-mesh", "read", "programs in the mesh dialect as programs in shard", TS_PASS},
    {"tessera-propagate", "propagated", "every value gets a sharding", TS_PASS},
    {"tessera-partition", "partitioned", "local shapes and collectives", TS_PASS},
    {"tessera-optimize", "partitioned", "fewer of these, and smaller ones", TS_PASS},
};
enum { NUM_BEFORE = sizeof(passes_before) / sizeof(passes_before[0]) };

/* Stage `i` of a whole compilation; false behind the last one. */
static bool stage_at(const ts_target *target, int i, ts_named_stage *named) {
  if (i < NUM_BEFORE) {
    *named = passes_before[i];
    return true;
  }
  const ts_stage *stage;
  i -= NUM_BEFORE;
  for (int s = 0; (stage = ts_stage_at(target, s)); s++)
    if (stage->part != TS_SITES_ONLY && i-- == 0) {
      *named = (ts_named_stage){stage->name, "lowered", stage->what, TS_STAGE};
      return true;
    }
  if (i == 0) {
    *named = (ts_named_stage){"tessera-lower", "lowered", "all of these", TS_PASS};
    return true;
  }
  stage = ts_target_llvm_stage(target, i - 1);
  if (!stage)
    return false;
  *named = (ts_named_stage){stage->name, "llvm", stage->what, TS_STAGE};
  return true;
}

int ts_stages_before(const ts_target *target, const char *name, int *total) {
  ts_named_stage stage;
  int before = -1, i = 0;
  for (; stage_at(target, i, &stage); i++)
    if (before < 0 && strcmp(stage.name, name) == 0)
      before = i;
  *total = i;
  return before < 0 ? i : before;
}

bool ts_stages_find(const ts_target *target, const char *name, ts_named_stage *stage) {
  for (int i = 0; stage_at(target, i, stage); i++)
    if (strcmp(stage->name, name) == 0)
      return true;
  return false;
}

bool ts_stages_check_names(const ts_target *target, const char *names) {
  ts_arena arena = {0};
  bool good = true;
  for (const char *at = names; good && at; at = strchr(at, ',')) {
    at += *at == ',';
    ts_named_stage stage;
    const char *name = ts_arena_format(&arena, "%.*s", (int)strcspn(at, ","), at);
    good = ts_stages_find(target, name, &stage) ||
           ts_driver_error(NULL,
                           "--print-after=%s: no stage has this name; tesserac --list-stages "
                           "prints those that there are",
                           name);
  }
  ts_arena_free(&arena);
  return good;
}

int tessera_compile_list_stages(void) {
  ts_named_stage stage;
  for (int i = 0; stage_at(ts_target_named(NULL), i, &stage); i++)
    printf("%-12s %-22s %s\n", stage.emit, stage.name, stage.what);
  return fflush(stdout) == 0 ? 0 : 1;
}
