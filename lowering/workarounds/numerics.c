/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Float arithmetic in the bodies of linalg ops. Knows single ops. */
#include "numerics.h"

#include "build.h"
#include "capi/capi.h"
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

void ts_numerics_reassociate(MlirOperation module) {
  ts_each_op(module, relax, NULL);
}

enum { CMPF_OGT = 2, CMPF_OLT = 4, CMPF_UEQ = 8, CMPF_UNO = 14 }; /* arith's numbers */

static MlirValue compare(const ts_maker *build, int predicate, MlirValue a, MlirValue b) {
  MlirValue operands[] = {a, b};
  MlirNamedAttribute attribute =
      ts_named(build->context, "predicate",
               ts_int_attribute(mlirIntegerTypeGet(build->context, 64), predicate));
  return ts_make_value(build, "arith.cmpf", 2, operands, mlirIntegerTypeGet(build->context, 1), 1,
                       &attribute);
}

/* max(a, b) = a if a > b or b is NaN, else b: a NaN loses against a number. */
static void spell_maxnum(MlirOperation op, void *user) {
  (void)user;
  bool maximum = ts_op_is(op, "arith.maxnumf");
  if (!maximum && !ts_op_is(op, "arith.minnumf"))
    return;
  MlirValue a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1);
  MlirType type = mlirValueGetType(a);
  if (!mlirTypeIsAFloat(type))
    return;
  ts_maker build = ts_make_before(op);
  MlirValue wins[] = {compare(&build, maximum ? CMPF_OGT : CMPF_OLT, a, b),
                      compare(&build, CMPF_UNO, b, b)};
  MlirValue takes_a =
      ts_make_value(&build, "arith.ori", 2, wins, mlirIntegerTypeGet(build.context, 1), 0, NULL);
  MlirValue choice[] = {takes_a, a, b};
  MlirValue result = ts_make_value(&build, "arith.select", 3, choice, type, 0, NULL);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), result);
  mlirOperationDestroy(op);
}

static MlirValue negated(const ts_maker *build, MlirValue a) {
  return ts_make_value(build, "arith.negf", 1, &a, mlirValueGetType(a), 0, NULL);
}

/* The sum of NaNs and zeros is their maximum; that of what is negated, negated, their minimum. */
static MlirValue sum(const ts_maker *build, bool maximum, MlirValue a, MlirValue b) {
  MlirValue terms[] = {maximum ? a : negated(build, a), maximum ? b : negated(build, b)};
  MlirValue total = ts_make_value(build, "arith.addf", 2, terms, mlirValueGetType(a), 0, NULL);
  return maximum ? total : negated(build, total);
}

/* max(a, b) = a if a > b, b if a < b, else their sum if one is NaN or both are zeros, else a. */
static void spell_wide_maximum(MlirOperation op, void *user) {
  (void)user;
  bool maximum = ts_op_is(op, "arith.maximumf");
  if (!maximum && !ts_op_is(op, "arith.minimumf"))
    return;
  MlirValue a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1);
  MlirType type = mlirValueGetType(a);
  if (!mlirTypeIsAFloat(type) || mlirFloatTypeGetWidth(type) <= 64)
    return;
  ts_maker build = ts_make_before(op);
  MlirNamedAttribute zero =
      ts_named(build.context, "value", mlirFloatAttrDoubleGet(build.context, type, 0.0));
  MlirValue none = ts_make_value(&build, "arith.constant", 0, NULL, type, 1, &zero);
  MlirValue adds[] = {compare(&build, CMPF_UEQ, a, none), compare(&build, CMPF_UNO, b, b)};
  MlirType truth = mlirIntegerTypeGet(build.context, 1);
  MlirValue last[] = {ts_make_value(&build, "arith.ori", 2, adds, truth, 0, NULL),
                      sum(&build, maximum, a, b), a};
  MlirValue second[] = {compare(&build, maximum ? CMPF_OLT : CMPF_OGT, a, b), b,
                        ts_make_value(&build, "arith.select", 3, last, type, 0, NULL)};
  MlirValue first[] = {compare(&build, maximum ? CMPF_OGT : CMPF_OLT, a, b), a,
                       ts_make_value(&build, "arith.select", 3, second, type, 0, NULL)};
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                ts_make_value(&build, "arith.select", 3, first, type, 0, NULL));
  mlirOperationDestroy(op);
}

void ts_numerics_spell_maxima(MlirOperation module) {
  ts_each_op(module, spell_maxnum, NULL);
  ts_each_op(module, spell_wide_maximum, NULL);
}

/* Not sin and cos, whose argument is reduced too coarsely to be right above a few hundred; atan, 40
 * units off at 0.66; cbrt, which makes NaN of infinity; atan2, which is wrong at zeros. */
bool ts_numerics_approximate(MlirOperation module) {
  static const char *const names[] = {"math.acos", "math.asin", "math.erf",   "math.erfc",
                                      "math.exp",  "math.log",  "math.log1p", "math.expm1",
                                      "math.log2", "math.tanh"};
  return ts_apply_math_approximations(module, sizeof names / sizeof names[0], names);
}

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

void ts_numerics_call_expm1(MlirOperation module, ts_wrappers *wrappers) {
  ts_each_op(module, call_expm1, wrappers);
}
