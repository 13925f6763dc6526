/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reading what is in an annotated function. For read_module.c. It must not know other functions'
 * bodies. */
#ifndef TESSERA_PLUGIN_MODEL_READ_FUNCTION_H
#define TESSERA_PLUGIN_MODEL_READ_FUNCTION_H

#include "model/model.h"

/* Makes the values that are a function's arguments and results, for itself and its callers. */
void ts_declare_function(ts_model *model, ts_function *function);
/* Reads its body. False after located errors. */
bool ts_read_function(ts_model *model, ts_function *function);

#endif /* TESSERA_PLUGIN_MODEL_READ_FUNCTION_H */
