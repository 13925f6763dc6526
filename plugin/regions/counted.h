/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Loops with a condition that count: from a constant, in constant steps, to a constant. It must not
 * know what else they do. */
#ifndef TESSERA_PLUGIN_REGIONS_COUNTED_H
#define TESSERA_PLUGIN_REGIONS_COUNTED_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* How often the second region of the scf.while `op` runs each time that `op` does, as far as it
 * counts nothing that wraps. False if more than a counter decides, or it never ends. */
bool ts_counted_trips(MlirOperation op, double *trips);

#endif /* TESSERA_PLUGIN_REGIONS_COUNTED_H */
