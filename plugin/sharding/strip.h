/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Programs without their annotations. It knows the notation; it must not know what a sharding says.
 */
#ifndef TESSERA_PLUGIN_SHARDING_STRIP_H
#define TESSERA_PLUGIN_SHARDING_STRIP_H

#include "mlir-c/IR.h"

/* Under `op`, and of itself: every annotation becomes the tensor that it annotates, functions
 * forget tessera.layout, and shardings that nothing uses any more go. */
void ts_strip_annotations(MlirOperation op);

#endif /* TESSERA_PLUGIN_SHARDING_STRIP_H */
