/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What is asked of each value, as far as that depends on what ops before ask for. It knows asks and
 * totals; it must not know what ops compute, nor how pieces are built. */
#ifndef TESSERA_PLUGIN_SOLVE_REHEARSAL_H
#define TESSERA_PLUGIN_SOLVE_REHEARSAL_H

#include "model/model.h"

/* As ts_demand_once (solve/demand.h). Where an op could be run for the pieces that are asked for,
 * and is not, it is rehearsed as well that such ops are, with what was asked the first time
 * expected of each value; that stays if it moves fewer bytes in all. */
void ts_demand(ts_model *model, ts_function *function);

#endif /* TESSERA_PLUGIN_SOLVE_REHEARSAL_H */
