/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Bounds that are known, of loops. It must not know who asks. */
#include "optimize/trips.h"

#include "emit/emit.h"
#include "support/ir.h"

bool ts_surely_runs(MlirOperation loop, intptr_t region) {
  if (ts_op_is(loop, "scf.while"))
    return region == 0;
  int64_t lower = ts_index_value(mlirOperationGetOperand(loop, 0));
  int64_t upper = ts_index_value(mlirOperationGetOperand(loop, 1));
  return lower != TS_DYNAMIC && upper != TS_DYNAMIC && lower < upper;
}
