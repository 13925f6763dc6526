/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Annotations whose results nothing uses, over passes that would delete them. It knows who sees
 * values; it must not know layouts. */
#ifndef TESSERA_PLUGIN_PROPAGATE_UNUSED_ANNOTATIONS_H
#define TESSERA_PLUGIN_PROPAGATE_UNUSED_ANNOTATIONS_H

#include "mlir-c/IR.h"
#include "support/arena.h"

/* An annotation that is in no block until it is put back. */
typedef struct ts_unused_annotation {
  MlirOperation op;
  MlirBlock own; /* has a copy of its sharding and of what the numbers in that are computed from;
                    null: the sharding stays where it is */
} ts_unused_annotation;

typedef struct ts_unused_annotations {
  ts_unused_annotation *annotations;
  int num, max;
  ts_arena *arena;
} ts_unused_annotations;

/* Lets everybody after `annotated`, the result of an annotation beside the definition of `handle`,
 * take it instead; what comes before asks for the shape alone. */
void ts_use_annotated(ts_arena *arena, MlirValue handle, MlirValue annotated);

/* Has later users of annotated values take the annotations' results, and takes annotations of
 * arguments out that nothing uses even so. */
ts_unused_annotations ts_keep_unused_annotations(ts_arena *arena, MlirOperation module);
/* False after a located error: what made an annotation's sharding is gone. */
bool ts_put_unused_annotations_back(const ts_unused_annotations *kept);

#endif /* TESSERA_PLUGIN_PROPAGATE_UNUSED_ANNOTATIONS_H */
