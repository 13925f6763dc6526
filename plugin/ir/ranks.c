/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How many dimensions tensors may have. It must not know what is done with them. */
#include "ir/ranks.h"

#include "ir/build.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/diagnostics.h"
#include "support/ir.h"

static bool check_type(MlirOperation op, MlirType type) {
  if (!mlirTypeIsAShaped(type) || !mlirShapedTypeHasRank(type) ||
      mlirShapedTypeGetRank(type) <= TS_MAX_RANK)
    return true;
  return ts_error_at(mlirOperationGetLocation(op),
                     "'%s' on a tensor of %lld dimensions: expected %d at most", ts_op_name(op),
                     (long long)mlirShapedTypeGetRank(type), TS_MAX_RANK);
}

static void check_op(MlirOperation op, void *user) {
  bool *good = user, fits = true;
  for (intptr_t i = 0; fits && i < mlirOperationGetNumOperands(op); i++)
    fits = check_type(op, mlirValueGetType(mlirOperationGetOperand(op, i)));
  for (intptr_t i = 0; fits && i < mlirOperationGetNumResults(op); i++)
    fits = check_type(op, mlirValueGetType(mlirOperationGetResult(op, i)));
  *good = *good && fits;
}

bool ts_check_ranks(MlirOperation module) {
  bool good = true;
  ts_each_op(module, check_op, &good);
  return good;
}
