/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Who calls whom, and what follows for functions. It knows what a function contains; it must not
 * know what its ops mean. */
#ifndef TESSERA_PLUGIN_MODEL_CALL_GRAPH_H
#define TESSERA_PLUGIN_MODEL_CALL_GRAPH_H

#include "model/model.h"

/* Finds the functions in which annotations may be, and what those that they may call do. False
 * after located errors. */
bool ts_find_active(ts_model *model, int num, ts_function *const *functions);
/* Puts the module's functions into model->order, once their calls are known. False after located
 * errors. */
bool ts_order_calls(ts_model *model, int num, ts_function *const *functions);

#endif /* TESSERA_PLUGIN_MODEL_CALL_GRAPH_H */
