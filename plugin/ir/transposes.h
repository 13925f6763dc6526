/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Structured ops that give their input out with its dimensions in another order, however they are
 * spelt. It knows maps and bodies; it must not know why anybody asks. */
#ifndef TESSERA_PLUGIN_IR_TRANSPOSES_H
#define TESSERA_PLUGIN_IR_TRANSPOSES_H

#include "ir/build.h"
#include "mlir-c/AffineMap.h"

/* The rank of a transpose, and for each dimension of its result the one of its input; -1 if `op`
 * is null or anything else. */
int ts_transpose_read(MlirOperation op, int source[TS_MAX_RANK]);

/* The value that `operand` is a transpose of, and the map that reads it in the operand's place. */
MlirValue ts_without_transposes(MlirValue operand, MlirAffineMap *map);

#endif /* TESSERA_PLUGIN_IR_TRANSPOSES_H */
