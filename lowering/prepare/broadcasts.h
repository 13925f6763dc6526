/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Values that stand in for smaller ones. It knows linalg.generic. */
#ifndef TESSERA_LOWERING_PREPARE_BROADCASTS_H
#define TESSERA_LOWERING_PREPARE_BROADCASTS_H

#include "mlir-c/IR.h"

/* Gives each linalg.generic that reads a broadcast value a broadcast of its own, which fusion then
 * takes in: it fuses producers of one use alone, and would write the large value to memory for
 * several. */
void ts_broadcasts_split(MlirOperation module);

#endif /* TESSERA_LOWERING_PREPARE_BROADCASTS_H */
