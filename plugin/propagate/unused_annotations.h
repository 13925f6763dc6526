/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Annotations whose results nothing uses, over passes that would delete them. It knows who sees
 * values; it must not know layouts. */
#ifndef TESSERA_PLUGIN_PROPAGATE_UNUSED_ANNOTATIONS_H
#define TESSERA_PLUGIN_PROPAGATE_UNUSED_ANNOTATIONS_H

#include "mlir-c/IR.h"
#include "support/arena.h"

/* Lets everybody after `annotated`, the result of an annotation beside the definition of `handle`,
 * take it instead; what comes before asks for the shape alone. */
void ts_use_annotated(ts_arena *arena, MlirValue handle, MlirValue annotated);

/* Has later users of annotated values take the annotations' results, and gives those a use that
 * nothing uses even so: passes keep them, and what their shardings are computed from. */
void ts_keep_unused_annotations(ts_arena *arena, MlirOperation module);
/* Takes these uses away. */
void ts_let_unused_annotations_go(MlirOperation module);

#endif /* TESSERA_PLUGIN_PROPAGATE_UNUSED_ANNOTATIONS_H */
