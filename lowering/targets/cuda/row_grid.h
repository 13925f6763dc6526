/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which kernels keep the rows that they go through in registers, and how many threads a row has.
 * It knows nests; it writes no code. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_ROW_GRID_H
#define TESSERA_LOWERING_TARGETS_CUDA_ROW_GRID_H

#include "lowering/targets/cuda/grid.h"

/* Where the teams of `grid` may keep rows in registers it becomes TS_GRID_ROWS, with the teams for
 * that. */
void ts_row_grid_choose(const ts_kernel *kernel, ts_arena *arena, ts_launch_grid *grid);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_ROW_GRID_H */
