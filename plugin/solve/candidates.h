/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Other ways in which an op could split its loops. It knows loops and factors; it must not know
 * prices. */
#ifndef TESSERA_PLUGIN_SOLVE_CANDIDATES_H
#define TESSERA_PLUGIN_SOLVE_CANDIDATES_H

#include "model/model.h"

enum { TS_MAX_CANDIDATES = 32 };

typedef struct ts_candidates {
  int num;
  const ts_loop_sharding *list[TS_MAX_CANDIDATES]; /* each once, none of them what the op has */
} ts_candidates;

/* Loop shardings that differ from the op's by one axis, which splits another loop or none. In
 * scratch memory. */
void ts_candidates_by_axis(ts_model *model, const ts_grid *grid, const ts_op *op,
                           ts_candidates *out);

/* Adds those that follow from `layout` at a port (operands, then results): alone, and with what the
 * loops already have beyond it. In scratch memory. */
void ts_candidates_from(ts_model *model, const ts_grid *grid, const ts_op *op, int port,
                        const ts_sharding *layout, ts_candidates *out);

#endif /* TESSERA_PLUGIN_SOLVE_CANDIDATES_H */
