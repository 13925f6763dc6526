/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Pieces that begin elsewhere than where those of what an op reads do. It knows loops and layouts;
 * it must not know prices. */
#ifndef TESSERA_PLUGIN_SOLVE_BORDERS_H
#define TESSERA_PLUGIN_SOLVE_BORDERS_H

#include "model/model.h"

/* Whether some dimension of what the op reads or gives follows several of its loops. */
bool ts_reshapes(const ts_op *op);

/* Whether some op of a solved model is not split as something that it reads or gives is, and could
 * be if borders of pieces moved for it (ts_model.moves_borders). */
bool ts_may_move_borders(ts_model *model);

#endif /* TESSERA_PLUGIN_SOLVE_BORDERS_H */
