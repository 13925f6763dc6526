/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Solutions of one module that are compared as wholes. It knows what there is to try; it must not
 * know how layouts are chosen. */
#ifndef TESSERA_PLUGIN_PROPAGATE_TRIALS_H
#define TESSERA_PLUGIN_PROPAGATE_TRIALS_H

#include "model/model.h"

/* `model` is one of `module` read by layouts, and not solved. Solves the module in the ways that
 * could be better than the plain one: on a grid whose axes are cut for reshapes, if `refines`
 * (finer_grids.h), with prices for what only moves elements in ranges
 * (ts_model.prices_ranges), and with loops that carry less (ts_model.carries_less). Of these stays
 * what costs fewer bytes and no more work: in `module` the grid, in `model`, which is then read
 * anew in `arena`, how it is to be solved. Modules that nothing of this is about are read once.
 * False after located errors. */
bool ts_try_solutions(ts_model *model, ts_arena *arena, MlirOperation module, bool refines);

#endif /* TESSERA_PLUGIN_PROPAGATE_TRIALS_H */
