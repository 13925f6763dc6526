/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Neutral elements of reductions, by element type.
 * It must not know layouts or ranks. */
#ifndef TESSERA_RUNTIME_PROGRAM_NEUTRAL_H
#define TESSERA_RUNTIME_PROGRAM_NEUTRAL_H

#include <stdbool.h>

#include "tessera/runtime.h"

/* Writes the element e with e op x = x for all x into `element` (tessera_dtype_size bytes). False
 * if the reduction has none for the type (an average, the maximum of complex numbers, ...). */
bool tr_neutral_element(tessera_dtype type, tessera_reduction reduction, void *element);

#endif /* TESSERA_RUNTIME_PROGRAM_NEUTRAL_H */
