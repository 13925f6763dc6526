/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Propagation: layouts flow through ops, links and calls until nothing changes. It knows the
 * order of functions; it must not know costs. */
#ifndef TESSERA_PLUGIN_SOLVE_FIXPOINT_H
#define TESSERA_PLUGIN_SOLVE_FIXPOINT_H

#include "model/model.h"

void ts_fixpoint(ts_model *model, ts_function *function);

#endif /* TESSERA_PLUGIN_SOLVE_FIXPOINT_H */
