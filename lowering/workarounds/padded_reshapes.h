/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Pads that are reshaped: upstream would reshape before they pad, where extents are not known yet.
 * It knows bodies of tensor.pad. */
#ifndef TESSERA_LOWERING_WORKAROUNDS_PADDED_RESHAPES_H
#define TESSERA_LOWERING_WORKAROUNDS_PADDED_RESHAPES_H

#include "mlir-c/IR.h"

/* Lets fusion take what pads of run-time extents add for more than a number. */
void ts_padded_reshapes_keep(MlirOperation module);
/* Undoes that. */
void ts_padded_reshapes_free(MlirOperation module);

#endif /* TESSERA_LOWERING_WORKAROUNDS_PADDED_RESHAPES_H */
