/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Stand-ins as casts of two values to one of them, which nothing folds. */
#include "lowering/workarounds/stand_ins.h"

#include "mlir-c/BuiltinAttributes.h"

static const char op_name[] = "builtin.unrealized_conversion_cast";

MlirValue ts_stand_in(const ts_maker *build, MlirValue value, MlirValue other, const char *mark) {
  MlirNamedAttribute attribute = ts_named(build->context, mark, mlirUnitAttrGet(build->context));
  MlirValue operands[] = {value, other};
  return ts_make_value(build, op_name, 2, operands, mlirValueGetType(value), 1, &attribute);
}

static void drop(MlirOperation op, void *user) {
  const char *mark = user;
  if (!ts_op_is(op, op_name) || mlirAttributeIsNull(ts_attribute(op, mark)))
    return;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), mlirOperationGetOperand(op, 0));
  mlirOperationDestroy(op);
}

void ts_stand_ins_drop(MlirOperation module, const char *mark) {
  ts_each_op(module, drop, (void *)mark);
}
