/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which destinations structured ops write in full. It knows indexing maps and extents; it must not
 * know bodies. */
#ifndef TESSERA_PLUGIN_IR_LINALG_COVERS_H
#define TESSERA_PLUGIN_IR_LINALG_COVERS_H

#include <stdbool.h>
#include <stdint.h>

#include "mlir-c/IR.h"

/* Whether `op` surely writes every element of its destination number `init`. What it leaves out
 * stays as it was: such a destination counts although the body does not read it. */
bool ts_linalg_covers(MlirOperation op, intptr_t init);

#endif /* TESSERA_PLUGIN_IR_LINALG_COVERS_H */
