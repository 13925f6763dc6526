/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* An op's loop sharding, chosen from the layouts of its ports. It knows loops and costs; it must
 * not know MLIR ops. */
#ifndef TESSERA_PLUGIN_SOLVE_LOOP_CHOICE_H
#define TESSERA_PLUGIN_SOLVE_LOOP_CHOICE_H

#include "model/model.h"

/* The loop sharding for an op from the layouts of its ports; conflicts go by elements moved. In
 * scratch memory. `takes_as_annotated`: what annotated operands are partial over, the op passes on.
 */
ts_loop_sharding ts_choose_loops(ts_model *model, const ts_grid *grid, ts_op *op,
                                 bool takes_as_annotated);
/* Whether data says which places of its tensors the op needs: what is chosen for it then depends on
 * what uses its results and on what others ask of its operands, and few bytes of indices may stand
 * for many of rows. */
bool ts_goes_by_data(const ts_op *op);
/* The layout that the op, whose loops are chosen, wishes for a result. In scratch memory. */
const ts_sharding *ts_wish_for_result(ts_model *model, const ts_grid *grid, ts_op *op, int r);

#endif /* TESSERA_PLUGIN_SOLVE_LOOP_CHOICE_H */
