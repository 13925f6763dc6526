/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A transpose of a product is the product of the transposed operands in the other order. It knows
 * structured ops; it must not know layouts. */
#ifndef TESSERA_PLUGIN_PROPAGATE_TRANSPOSED_PRODUCTS_H
#define TESSERA_PLUGIN_PROPAGATE_TRANSPOSED_PRODUCTS_H

#include "mlir-c/IR.h"

/* Rewrites those whose product nothing else uses, so that layouts of the transposed result are
 * layouts of the product's own: gradients of weights come so. */
void ts_transpose_products(MlirOperation module);

#endif /* TESSERA_PLUGIN_PROPAGATE_TRANSPOSED_PRODUCTS_H */
