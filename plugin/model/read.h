/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reading: from a module to its model. Writes no IR. It must not know how layouts are chosen. */
#ifndef TESSERA_PLUGIN_MODEL_READ_H
#define TESSERA_PLUGIN_MODEL_READ_H

#include "model/model.h"

/* Reads the module. Annotations whose sharding a shard.get_sharding still asks for are open: they
 * say nothing. Calls of functions without annotations are ops that run whole, or each function is
 * solved for what calls pass: such a model can be solved, and is not for printing or applying.
 * False after located errors. */
bool ts_model_read(ts_model *model, ts_arena *arena, MlirOperation module,
                   ts_plain_calls plain_calls);

/* False after a located error at each open annotation. */
bool ts_refuse_open(ts_model *model);

#endif /* TESSERA_PLUGIN_MODEL_READ_H */
