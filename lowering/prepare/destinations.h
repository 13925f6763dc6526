/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Tensors that are materialized in a destination. It knows values; it must not know memory. */
#ifndef TESSERA_LOWERING_PREPARE_DESTINATIONS_H
#define TESSERA_LOWERING_PREPARE_DESTINATIONS_H

#include "mlir-c/IR.h"

/* Replaces the tensor form of bufferization.materialize_in_destination by its source. A destination
 * is an argument or made from one, which an entry's caller keeps as it is: the result is a fresh
 * tensor that holds the same. */
void ts_destinations_drop(MlirOperation module);

#endif /* TESSERA_LOWERING_PREPARE_DESTINATIONS_H */
