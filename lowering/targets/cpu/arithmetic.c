/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What compiled arithmetic may do for speed on a CPU. It knows bodies of linalg ops, and which of
 * upstream's polynomials are precise. */
#include "lowering/targets/cpu/arithmetic.h"

#include "capi/capi.h"
#include "ir/build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

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

void ts_arithmetic_reassociate(MlirOperation module) {
  ts_each_op(module, relax, NULL);
}

/* What is no number becomes some integer by that: upstream's exp makes one of NaN, and multiplies
 * NaN by what that gives. As it stands it is poison, of which LLVM makes what it likes where it
 * sees the NaN. */
static void freeze(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "arith.fptosi") ||
      !mlirTypeIsAInteger(mlirValueGetType(mlirOperationGetResult(op, 0))))
    return;
  MlirValue result = mlirOperationGetResult(op, 0);
  ts_maker build = ts_make_before(op);
  build.before = mlirOperationGetNextInBlock(op);
  MlirOperation frozen =
      ts_make_op(&build, &(ts_new_op){.name = "llvm.freeze",
                                      .num_operands = 1,
                                      .operands = &result,
                                      .num_results = 1,
                                      .results = (MlirType[]){mlirValueGetType(result)}});
  mlirValueReplaceAllUsesExcept(result, mlirOperationGetResult(frozen, 0), 1, &frozen);
}

/* Not sin and cos, whose argument is reduced too coarsely to be right above a few hundred; atan, 40
 * units off at 0.66; cbrt, which makes NaN of infinity; atan2, which is wrong at zeros. */
bool ts_arithmetic_approximate(MlirOperation module) {
  static const char *const names[] = {"math.acos", "math.asin", "math.erf",   "math.erfc",
                                      "math.exp",  "math.log",  "math.log1p", "math.expm1",
                                      "math.log2", "math.tanh"};
  if (!ts_apply_math_approximations(module, sizeof(names) / sizeof(names[0]), names))
    return false;
  ts_each_op(module, freeze, NULL);
  return true;
}
