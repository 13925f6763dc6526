/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Annotations whose results nothing uses, over passes that would delete them. It knows who sees
 * values; it must not know layouts. */
#ifndef TESSERA_PLUGIN_PROPAGATE_UNUSED_ANNOTATIONS_H
#define TESSERA_PLUGIN_PROPAGATE_UNUSED_ANNOTATIONS_H

#include "mlir-c/IR.h"
#include "support/arena.h"

/* Ops that use annotations which nothing else uses. */
typedef struct ts_unused_annotations {
  MlirOperation *uses;
  int num, max;
  ts_arena *arena;
} ts_unused_annotations;

/* Lets everybody after `annotated`, the result of an annotation beside the definition of `handle`,
 * take it instead; what comes before asks for the shape alone. */
void ts_use_annotated(ts_arena *arena, MlirValue handle, MlirValue annotated);

/* Has later users of annotated values take the annotations' results, and gives those a use that
 * nothing uses even so: no pass deletes them, or what their shardings are computed from. */
ts_unused_annotations ts_keep_unused_annotations(ts_arena *arena, MlirOperation module);
/* Takes these uses away. */
void ts_let_unused_annotations_go(const ts_unused_annotations *kept);

#endif /* TESSERA_PLUGIN_PROPAGATE_UNUSED_ANNOTATIONS_H */
