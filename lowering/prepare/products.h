/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Sums of products of two inputs, whatever their maps: bodies, element types, sizes. It knows
 * structured ops; it must not know which call computes them. */
#ifndef TESSERA_LOWERING_PREPARE_PRODUCTS_H
#define TESSERA_LOWERING_PREPARE_PRODUCTS_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* A structured op that adds products of its two inputs to its one destination, of element types
 * that the runtime multiplies as its body says. */
bool ts_is_sum_of_products(MlirOperation op);

/* Is a call faster than loops, as far as types tell the sizes? */
bool ts_is_worthwhile(MlirOperation op);

#endif /* TESSERA_LOWERING_PREPARE_PRODUCTS_H */
