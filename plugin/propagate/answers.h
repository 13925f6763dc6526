/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Questions about annotations, answered before propagation. Knows ops, not shardings. */
#ifndef TESSERA_PROPAGATE_ANSWERS_H
#define TESSERA_PROPAGATE_ANSWERS_H

#include "mlir-c/IR.h"

/* Replaces each shard.get_sharding of an annotated value by the annotation's sharding. */
void ts_answer_get_sharding(MlirOperation module);

#endif
