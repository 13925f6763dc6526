/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a call of a function without annotations does to layouts: the function is solved for
 * those that the call passes and wants, once for all calls that pass the same. It knows
 * functions and layouts; it must not know what becomes of the calls. */
#ifndef TESSERA_PLUGIN_SOLVE_SUMMARY_H
#define TESSERA_PLUGIN_SOLVE_SUMMARY_H

#include "model/model.h"

/* One function solved for layouts of its arguments and results. Entries are NULL where there is no
 * ranked tensor. */
typedef struct ts_summary {
  ts_function *callee;
  const ts_grid *grid;
  const ts_sharding **asked;   /* what it was solved for: of arguments, then of results */
  const ts_sharding **grown;   /* of arguments, with what the function itself wants of them */
  const ts_sharding **taken;   /* of arguments, as all that use one in the function want it */
  const ts_sharding **results; /* as the function makes them */
  bool is_whole;               /* nothing that it takes or gives is split */
  ts_model model;              /* of this solution alone */
  ts_function function;
  bool failed;
  MlirOperation
      made; /* the function of these layouts in the module; null as long as there is none */
  struct ts_summary *next; /* of the same function */
} ts_summary;

/* That of `op`, of kind TS_OP_CALL, for the layouts that its values have now. NULL after a located
 * error. */
ts_summary *ts_summary_of_call(ts_model *model, const ts_grid *grid, const ts_op *op);

#endif /* TESSERA_PLUGIN_SOLVE_SUMMARY_H */
