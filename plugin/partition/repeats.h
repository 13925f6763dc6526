/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A step before a module is read: annotations that say again what is said. It knows the ops; it
 * must not know the layouts. */
#ifndef TESSERA_PLUGIN_PARTITION_REPEATS_H
#define TESSERA_PLUGIN_PARTITION_REPEATS_H

#include "mlir-c/IR.h"

/* Erases the annotations of annotated tensors that say what the annotation before says. Most
 * annotations of uses that propagation writes are such, and the model is half as large without. */
void ts_drop_repeats(MlirOperation module);

#endif /* TESSERA_PLUGIN_PARTITION_REPEATS_H */
