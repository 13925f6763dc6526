/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Extents that tensor.expand_shape lists as numbers. It must not know what they are for. */
#ifndef TESSERA_PLUGIN_WORKAROUNDS_EXPANDED_TYPES_H
#define TESSERA_PLUGIN_WORKAROUNDS_EXPANDED_TYPES_H

#include "mlir-c/IR.h"

/* Lets the types of all tensor.expand_shape say what they list, and casts these to the types that
 * were asked for. */
void ts_expanded_types_say(MlirOperation module);

#endif /* TESSERA_PLUGIN_WORKAROUNDS_EXPANDED_TYPES_H */
