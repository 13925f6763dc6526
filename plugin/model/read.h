/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reading: from a module to its model. Writes no IR. */
#ifndef TESSERA_PLUGIN_MODEL_READ_H
#define TESSERA_PLUGIN_MODEL_READ_H

#include "model/model.h"

/* Reads the module. Annotations whose sharding a shard.get_sharding still asks for are open: they
 * say nothing. False after located errors. */
bool ts_model_read(ts_model *model, ts_arena *arena, MlirOperation module);

/* False after a located error at each open annotation. */
bool ts_refuse_open(ts_model *model);

#endif /* TESSERA_PLUGIN_MODEL_READ_H */
