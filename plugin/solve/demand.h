/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which parts of each value its uses ask for, once layouts are known: windows, slices and joins
 * of split dimensions. It knows loops, layouts and ranges; it must not know how pieces are
 * built. */
#ifndef TESSERA_PLUGIN_SOLVE_DEMAND_H
#define TESSERA_PLUGIN_SOLVE_DEMAND_H

#include "model/model.h"

/* Notes what is asked of each value of a solved function, from uses to definitions: an op that
 * reads through windows requires ranges; a value that only moves data becomes a view; what is
 * computed and asked for in other pieces of the same sizes is computed in those. What ops before
 * will ask for is not known then, but for what is expected (solve/rehearsal.h, which is what others
 * call). */
void ts_demand_once(ts_model *model, ts_function *function);

/* The layout whose piece serves `ask` and what else is asked of the value, where that moves no more
 * than they do alone; that of `ask` itself if there is none. */
const ts_sharding *ts_demanded(ts_model *model, ts_value *value, ts_ask ask);

#endif /* TESSERA_PLUGIN_SOLVE_DEMAND_H */
