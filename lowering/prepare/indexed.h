/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Slices of a tensor at places that another tensor lists. Knows tensor.gather and tensor.scatter.
 */
#ifndef TESSERA_LOWERING_PREPARE_INDEXED_H
#define TESSERA_LOWERING_PREPARE_INDEXED_H

#include "mlir-c/IR.h"

/* Gathers become tensors that are generated element by element, scatters loops over the elements
 * that they insert. */
void ts_indexed_lower(MlirOperation module);

#endif /* TESSERA_LOWERING_PREPARE_INDEXED_H */
