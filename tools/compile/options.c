/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The options of one compilation: those of every version of the caller, and their mistakes. It
 * knows what each may be; it must not know what it does. */
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "driver.h"

const char *const ts_emit_names[TS_NUM_STAGES] = {"propagated", "partitioned", "lowered", "llvm",
                                                  "kernels",    "obj",         "so"};

/* Would writing `output` destroy `input`? */
static bool is_same_file(const char *input, const char *output) {
  struct stat in, out;
  return stat(input, &in) == 0 && stat(output, &out) == 0 && S_ISREG(in.st_mode) &&
         in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

bool ts_options_copy(const tessera_compile_options *given, tessera_compile_options *options) {
  const size_t first_version = offsetof(tessera_compile_options, tool);
  size_t size = given ? given->struct_size : 0;
  memset(options, 0, sizeof(*options));
  if (size < first_version)
    return ts_driver_error(NULL, "tessera_compile: struct_size is %zu: expected at least %zu", size,
                           first_version);
  memcpy(options, given, size < sizeof(*options) ? size : sizeof(*options));
  ts_driver_set_tool(options->tool);
  return true;
}

const ts_target *ts_options_target(const tessera_compile_options *options) {
  return ts_target_named(options->target);
}

bool ts_options_check(const tessera_compile_options *options, ts_emit_stage *stage) {
  if (!options->input || !options->output)
    return ts_driver_error(NULL, "tessera_compile: input and output must be set");
  if (options->opt_level < 0 || options->opt_level > 3)
    return ts_driver_error(NULL, "optimisation level %d: expected 0 to 3", options->opt_level);
  if (is_same_file(options->input, options->output))
    return ts_driver_error(NULL, "%s is the input: it would be overwritten", options->output);
  char known[256];
  if (!ts_options_target(options))
    return ts_driver_error(NULL, "--target=%s: expected one of %s", options->target,
                           ts_target_names(known, sizeof(known)));
  if (options->chip && !ts_options_target(options)->write_kernels)
    return ts_driver_error(NULL, "--chip=%s: code for %s has no chip: expected --target=cuda",
                           options->chip, ts_options_target(options)->name);
  for (int i = 0; i < options->num_extra; i++)
    if (!ts_stages_check_option(options->extra[i]))
      return false;
  if (options->print_after &&
      !ts_stages_check_names(ts_options_target(options), options->print_after))
    return false;
  const char *emit = options->emit ? options->emit : "so";
  for (int s = 0; s < TS_NUM_STAGES; s++)
    if (strcmp(emit, ts_emit_names[s]) == 0) {
      *stage = (ts_emit_stage)s;
      if (*stage == TS_EMIT_KERNELS && !ts_options_target(options)->write_kernels)
        return ts_driver_error(NULL,
                               "--emit=kernels: kernels for %s are part of its code, which "
                               "--emit=llvm prints; expected --target=cuda",
                               ts_options_target(options)->name);
      return *stage < TS_EMIT_OBJ || strcmp(options->output, "-") != 0 ||
             ts_driver_error(NULL, "--emit=%s cannot be written to standard output", emit);
    }
  return ts_driver_error(NULL,
                         "--emit=%s: expected propagated, partitioned, lowered, llvm, kernels, "
                         "obj or so",
                         emit);
}
