/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A program outside Tessera's tree that compiles a model, in what C and C++ have in common. */
#include "tessera/compile.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: use-compile MODEL.mlir MODEL.so\n");
    return 1;
  }
  tessera_compile_options options;
  memset(&options, 0, sizeof(options));
  options.struct_size = sizeof(options);
  options.input = argv[1];
  options.output = argv[2];
  options.opt_level = 1;
  return tessera_compile(&options);
}
