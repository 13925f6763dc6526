/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Grids whose axes are cut because a reshape splits what one is too long for. It knows loops and
 * grids; it must not know whether a cut pays. */
#ifndef TESSERA_PLUGIN_PROPAGATE_FINER_GRIDS_H
#define TESSERA_PLUGIN_PROPAGATE_FINER_GRIDS_H

#include "model/model.h"

/* Of one axis: the devices of its outer parts, each a multiple of the one before. */
typedef struct ts_cuts {
  int num;
  int64_t outer[TS_MAX_AXES];
} ts_cuts;

typedef struct ts_grid_cuts {
  const ts_grid *grid;
  MlirOperation op;
  ts_cuts axes[TS_MAX_AXES];
  MlirOperation finer; /* once it is written */
} ts_grid_cuts;

/* Where a dimension of several (4 heads of 32, merged to 128) meets an axis that the outer of them
 * cannot take whole (8 devices), a part of the axis would do (4 of 8, and 2 for the rest). Whether
 * there is such an axis: of the one grid that all active functions are on, whose extents are known
 * and which names no other, as long as nothing is propagated. */
bool ts_find_cuts(const ts_model *model, ts_grid_cuts *found);

/* Writes the cut grid beside the other, which then names it (`tessera.refined`); takes both back.
 */
void ts_write_finer_grid(const ts_model *model, ts_grid_cuts *found);
void ts_drop_finer_grid(ts_grid_cuts *found);

#endif /* TESSERA_PLUGIN_PROPAGATE_FINER_GRIDS_H */
