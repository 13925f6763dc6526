/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Bounds that are known, of loops. It must not know who asks. */
#include "optimize/loop_runs.h"

#include "support/ir.h"

bool ts_surely_runs(MlirOperation loop, intptr_t region) {
  if (ts_op_is(loop, "scf.while"))
    return region == 0;
  int64_t lower, upper;
  return mlirAttributeIsNull(ts_attribute(loop, "unsignedCmp")) &&
         ts_constant_integer(mlirOperationGetOperand(loop, 0), &lower) &&
         ts_constant_integer(mlirOperationGetOperand(loop, 1), &upper) && lower < upper;
}
