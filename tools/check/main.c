/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera-check: compares a partitioned model with the program of one device. Its command line
 * is all that this file knows. It must not know what a check does. */
#include <stdio.h>

#include "check.h"
#include "common/trap.h"

static const char tool[] = "tessera-check";

static int run(const check_options *options) {
  switch (options->mode) {
  case CHECK_HELP:
    return fputs(options_help, stdout) == EOF;
  case CHECK_VERSION:
    return printf("%s %s\n", tool, TESSERA_VERSION) < 0;
  case CHECK_WORKER:
    return run_worker(options);
  case CHECK_MODEL:
    break;
  }
  return check_model(options);
}

int main(int argc, char **argv) {
  check_options options;
  message message;
  int status = 1;
  trap_install(check_remove_files);
  if (options_parse(argc, argv, &options, &message))
    status = run(&options);
  else
    fprintf(stderr, "%s: error: %s\n", tool, message.text);
  options_destroy(&options);
  return status;
}
