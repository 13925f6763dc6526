/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* shard.get_sharding: questions about the sharding of a value, answered before propagation. It
 * knows what the solver found; it must not know how. */
#ifndef TESSERA_PLUGIN_PROPAGATE_ANSWERS_H
#define TESSERA_PLUGIN_PROPAGATE_ANSWERS_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* Replaces every shard.get_sharding by the sharding that it asks for: of an annotated value its
 * annotation's; of another the one that propagation gives it as long as what waits for the answer
 * says nothing, and an annotation then holds it to that. Questions inside ops that run whole stay.
 * False after located errors. */
bool ts_answer_get_sharding(MlirOperation module);

#endif /* TESSERA_PLUGIN_PROPAGATE_ANSWERS_H */
