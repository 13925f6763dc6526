/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Functions of layers that tests emit. Uses only the public header. */
#ifndef TESSERA_TEST_LAYERS_CASES_H
#define TESSERA_TEST_LAYERS_CASES_H

#include "tessera/layers.h"

/* Writes a function into `module`; false after a diagnostic. */
typedef bool emit_case(MlirModule module, const char *name, const tessera_layers_options *options);

typedef struct layer_case {
  const char *name;
  emit_case *emit;
} layer_case;

extern const layer_case layer_cases[];
extern const int num_layer_cases;

/* Tries what is to be refused; the number of things that were not. */
int try_refused(MlirModule module);

#endif /* TESSERA_TEST_LAYERS_CASES_H */
