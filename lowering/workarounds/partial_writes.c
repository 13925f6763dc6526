/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around upstream's passes on tensors, which take a destination that a body does not read for
 * bare memory, though maps may write a part of it alone. Can go when they ask what is written. It
 * knows bodies of linalg.generic; it must not know what they compute. */
#include "lowering/workarounds/partial_writes.h"

#include "capi/capi.h"
#include "ir/build.h"
#include "ir/linalg_covers.h"
#include "mlir-c/BuiltinAttributes.h"

/* Takes the value and the destination's element, and stands for the value. */
static const char mark_name[] = "builtin.unrealized_conversion_cast";
static const char mark_attribute[] = "tessera.writes_part";

static void mark(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "linalg.generic") || mlirOperationGetNumResults(op) == 0)
    return;
  MlirBlock body = ts_linalg_body(op);
  MlirOperation yield = mlirBlockGetTerminator(body);
  ts_maker build = ts_make_before(yield);
  MlirNamedAttribute attribute =
      ts_named(build.context, mark_attribute, mlirUnitAttrGet(build.context));
  for (intptr_t i = 0; i < ts_linalg_num_inits(op); i++) {
    MlirValue operands[] = {mlirOperationGetOperand(yield, i),
                            mlirBlockGetArgument(body, ts_linalg_num_inputs(op) + i)};
    if (!ts_linalg_covers(op, i) && mlirOpOperandIsNull(mlirValueGetFirstUse(operands[1])))
      mlirOperationSetOperand(yield, i,
                              ts_make_value(&build, mark_name, 2, operands,
                                            mlirValueGetType(operands[0]), 1, &attribute));
  }
}

void ts_partial_writes_mark(MlirOperation module) {
  ts_each_op(module, mark, NULL);
}

static void unmark(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, mark_name) || mlirAttributeIsNull(ts_attribute(op, mark_attribute)))
    return;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), mlirOperationGetOperand(op, 0));
  mlirOperationDestroy(op);
}

void ts_partial_writes_unmark(MlirOperation module) {
  ts_each_op(module, unmark, NULL);
}
