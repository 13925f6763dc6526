/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around convert-math-to-llvm, which spells expm1 as exp(x) - 1: no digit of that is right
 * near 0. Can go when upstream calls libm's, as it does for log1p when asked. It knows one op. */
#include "lowering/workarounds/expm1.h"

#include "ir/build.h"
#include "mlir-c/BuiltinTypes.h"

static void call_expm1(MlirOperation op, void *user) {
  if (!ts_op_is(op, "math.expm1"))
    return;
  MlirValue operand = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(operand);
  bool is_double = mlirTypeIsAF64(type);
  if (!is_double && !mlirTypeIsAF32(type))
    return;
  const char *name = is_double ? "expm1" : "expm1f";
  ts_wrappers_declare(user, name, type, 1, &type);
  ts_maker build = ts_make_before(op);
  MlirValue result = ts_make_llvm_call_value(&build, name, 1, &operand, type);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), result);
  mlirOperationDestroy(op);
}

void ts_expm1_call(MlirOperation module, ts_wrappers *wrappers) {
  ts_each_op(module, call_expm1, wrappers);
}
