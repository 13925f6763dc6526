/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What compiled arithmetic may do for speed: the order of float sums. Knows bodies of linalg ops.
 */
#include "numerics.h"

#include "build.h"
#include "capi/capi.h"

static bool is_accumulator(MlirValue value, MlirBlock body, intptr_t num_inputs) {
  return mlirValueIsABlockArgument(value) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(value), body) &&
         mlirBlockArgumentGetArgNumber(value) >= num_inputs;
}

static void relax(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is_linalg(op))
    return;
  MlirBlock body = ts_linalg_body(op);
  intptr_t num_inputs = ts_linalg_num_inputs(op);
  MlirAttribute reassociate = mlirAttributeParseGet(
      mlirOperationGetContext(op), mlirStringRefCreateFromCString("#arith.fastmath<reassoc>"));
  for (MlirOperation inner = mlirBlockGetFirstOperation(body); inner.ptr;
       inner = mlirOperationGetNextInBlock(inner))
    if (ts_op_is(inner, "arith.addf") &&
        (is_accumulator(mlirOperationGetOperand(inner, 0), body, num_inputs) ||
         is_accumulator(mlirOperationGetOperand(inner, 1), body, num_inputs)))
      mlirOperationSetAttributeByName(inner, mlirStringRefCreateFromCString("fastmath"),
                                      reassociate);
}

void ts_numerics_reassociate(MlirOperation module) {
  ts_each_op(module, relax, NULL);
}
