/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Dropping destinations: the value that results is the source. It knows values; it must not know
 * memory. */
#include "lowering/prepare/destinations.h"

#include "ir/build.h"

static void drop(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "bufferization.materialize_in_destination") ||
      mlirOperationGetNumResults(op) != 1)
    return;
  MlirValue source = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(result);
  ts_maker build = ts_make_before(op);
  if (!mlirTypeEqual(mlirValueGetType(source), type))
    source = ts_make_value(&build, "tensor.cast", 1, &source, type, 0, NULL);
  mlirValueReplaceAllUsesOfWith(result, source);
  mlirOperationDestroy(op);
}

void ts_destinations_drop(MlirOperation module) {
  ts_each_op(module, drop, NULL);
}
