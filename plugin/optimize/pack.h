/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Several collectives as one on packed tensors. It must not know why they may be one. */
#ifndef TESSERA_PLUGIN_OPTIMIZE_PACK_H
#define TESSERA_PLUGIN_OPTIMIZE_PACK_H

#include "mlir-c/IR.h"

#include "support/arena.h"

/* Does the `num` collectives `ops`, which are alike but for their static tensors, as one before
 * `before`, in the way that their row says; they are erased. */
void ts_pack(ts_arena *arena, MlirOperation before, int num, const MlirOperation *ops);

#endif /* TESSERA_PLUGIN_OPTIMIZE_PACK_H */
