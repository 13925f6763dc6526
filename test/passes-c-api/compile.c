/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A tool that compiles, built with a tessera/compile.h of another version: the options are as long
 * as the argument says. Uses only the public header. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/compile.h"

/* What a later version may have added. */
typedef struct later_options {
  tessera_compile_options known;
  const char *unknown;
} later_options;

static uint32_t size_of_version(const char *version) {
  if (strcmp(version, "first") == 0)
    return offsetof(tessera_compile_options, tool);
  if (strcmp(version, "later") == 0)
    return sizeof(later_options);
  return strcmp(version, "none") == 0 ? 8 : sizeof(tessera_compile_options);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: compile-c-api first|this|later|none INPUT STAGE\n");
    return 1;
  }
  later_options options = {.known = {.struct_size = size_of_version(argv[1]),
                                     .input = argv[2],
                                     .output = "-",
                                     .emit = argv[3],
                                     .tool = "a-tool"},
                           .unknown = "value"};
  /* Behind the record that an older caller has, anything may lie. */
  if (strcmp(argv[1], "first") == 0)
    options.known.tool = (const char *)1;
  return tessera_compile(&options.known);
}
