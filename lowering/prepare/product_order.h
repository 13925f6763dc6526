/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The order of a product's dimensions in memory. It knows linalg.contract and maps; it must not
 * know how a product is computed. */
#ifndef TESSERA_LOWERING_PREPARE_PRODUCT_ORDER_H
#define TESSERA_LOWERING_PREPARE_PRODUCT_ORDER_H

#include "mlir-c/IR.h"

/* Products of static shape that start from a fill, and that one loop nest alone reads, come out in
 * the order in which that goes through them: strides of the result say for nothing what a transpose
 * afterwards would take another pass over memory for. */
void ts_products_order(MlirOperation module);

#endif /* TESSERA_LOWERING_PREPARE_PRODUCT_ORDER_H */
