/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The rows: how operands, block arguments, what ends blocks, and results are tied, op by op. To add
 * an op: write its ties and add its row. It knows ops; it must not know what is tied for. */
#include "regions/regions.h"

#include "support/ir.h"

/* ---- scf.for --------------------------------------------------------------------------------- */

/* What is carried is an operand, an argument of the body, what the body yields, and a result. */
static void tie_for(ts_arena *arena, MlirOperation op, int i, ts_tie *out) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  int first = (int)(mlirOperationGetNumOperands(op) - mlirOperationGetNumResults(op));
  const MlirValue values[2] = {mlirBlockGetArgument(body, i + 1), mlirOperationGetResult(op, i)};
  const ts_tie_source sources[2] = {{op, first + i}, {mlirBlockGetTerminator(body), i}};
  *out = (ts_tie){.num_values = 2,
                  .values = ts_arena_copy(arena, values, sizeof(values)),
                  .num_sources = 2,
                  .sources = ts_arena_copy(arena, sources, sizeof(sources))};
}

/* ---- the table ------------------------------------------------------------------------------- */

/* As many ties as the op has results, which `tie` makes one by one. */
typedef struct region_row {
  const char *op;
  void (*tie)(ts_arena *arena, MlirOperation op, int i, ts_tie *out);
} region_row;

static const region_row rows[] = {
    {"scf.for", tie_for},
};

const ts_ties *ts_region_ties(ts_arena *arena, MlirOperation op) {
  if (mlirOperationGetNumRegions(op) == 0)
    return NULL;
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
    if (!ts_op_is(op, rows[i].op))
      continue;
    int num = (int)mlirOperationGetNumResults(op);
    ts_tie *all = TS_NEW(arena, ts_tie, num);
    for (int k = 0; k < num; k++)
      rows[i].tie(arena, op, k, &all[k]);
    const ts_ties ties = {num, all};
    return ts_arena_copy(arena, &ties, sizeof(ties));
  }
  return NULL;
}
