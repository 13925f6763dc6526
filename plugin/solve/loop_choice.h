/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* An op's loop sharding, chosen from the layouts of its ports. It knows loops and costs; it must
 * not know MLIR ops. */
#ifndef TESSERA_PLUGIN_SOLVE_LOOP_CHOICE_H
#define TESSERA_PLUGIN_SOLVE_LOOP_CHOICE_H

#include "model/model.h"

/* The loop sharding for an op from the layouts of its ports; conflicts go by elements moved. In
 * scratch memory. */
ts_loop_sharding ts_choose_loops(ts_model *model, const ts_grid *grid, ts_op *op);

#endif /* TESSERA_PLUGIN_SOLVE_LOOP_CHOICE_H */
