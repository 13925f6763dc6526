/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Solving: layouts for all values of a module, and loop shardings for its ops. It knows models;
 * it must not know who reads or writes IR. */
#ifndef TESSERA_PLUGIN_SOLVE_SOLVE_H
#define TESSERA_PLUGIN_SOLVE_SOLVE_H

#include "model/model.h"

/* Solves every active function, callees first: layouts, loop shardings, required and natural
 * layouts. Changes nothing else of the model, and no IR. False after located errors. */
bool ts_model_solve(ts_model *model);

#endif /* TESSERA_PLUGIN_SOLVE_SOLVE_H */
