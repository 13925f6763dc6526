/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Grids that are refined because a reshape splits what an axis is too long for. It knows what the
 * solver found; it must not know how. */
#ifndef TESSERA_PLUGIN_PROPAGATE_FINER_GRIDS_H
#define TESSERA_PLUGIN_PROPAGATE_FINER_GRIDS_H

#include "model/model.h"

/* Where a dimension of several (4 heads of 32, merged to 128) meets an axis that the outer of them
 * cannot take whole (8 devices), a part of the axis would do (4 of 8, and 2 for the rest). So a
 * module of one grid is solved on that and on a finer one, and where this costs fewer bytes and no
 * work, the finer grid stays in it, named by the other (`tessera.refined`). `model` is one of
 * `module` read by layouts; it is read anew, in `arena`, which is emptied. False after located
 * errors. */
bool ts_refine_grids(ts_model *model, ts_arena *arena, MlirOperation module);

#endif /* TESSERA_PLUGIN_PROPAGATE_FINER_GRIDS_H */
