/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A step before a module is read: annotations that canonicalization deleted. It knows where
 * numbers are kept; it must not know what they are for. */
#ifndef TESSERA_PLUGIN_MODEL_RESTORE_H
#define TESSERA_PLUGIN_MODEL_RESTORE_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* Annotates the arguments that lost their annotation, because nothing used it, though
 * tessera.layout has numbers that only the launch knows: tessera.resolve names what computes them.
 * False after a located error. */
bool ts_restore_annotations(MlirOperation module);

#endif /* TESSERA_PLUGIN_MODEL_RESTORE_H */
