/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera-run's command line as data.
 * It must not know programs or ranks. */
#ifndef TESSERA_TOOLS_RUN_OPTIONS_H
#define TESSERA_TOOLS_RUN_OPTIONS_H

#include "common/values.h"

typedef enum run_mode { RUN_PROGRAM, RUN_HELP, RUN_VERSION } run_mode;

/* Strings belong to argv; the lists are slices of one array that options_destroy frees. */
typedef struct run_options {
  run_mode mode;
  const char *program;
  const char *entry; /* NULL: the only one, or main */
  const char **inputs;
  const char **outputs;
  int32_t num_inputs;
  int32_t num_outputs;
  int64_t ranks; /* 0: not given */
  int64_t output_rank;
  int64_t repeat; /* 0: one call, not timed */
  bool traffic;
  bool progress; /* also where standard error is no terminal */
  bool verbose;
} run_options;

bool options_parse(int argc, char **argv, run_options *options, message *message);
void options_destroy(run_options *options);

extern const char options_help[];

#endif /* TESSERA_TOOLS_RUN_OPTIONS_H */
