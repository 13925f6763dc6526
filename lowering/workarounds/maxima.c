/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around LLVM 22, which vectorizes loops of the maxnum and minnum intrinsics wrongly where a
 * loop carries several, and has no code for maximum and minimum of more than 64 bits. Can go when
 * both are mended there. It knows single ops of arith. */
#include "lowering/workarounds/maxima.h"

#include "ir/build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { CMPF_OGT = 2, CMPF_OLT = 4, CMPF_UEQ = 8, CMPF_UNO = 14 }; /* arith's numbers */

static MlirValue compare(const ts_maker *build, int predicate, MlirValue a, MlirValue b) {
  return ts_make_compare(build, "arith.cmpf", predicate, a, b);
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
  MlirValue result = ts_make_select(&build, takes_a, a, b);
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
  MlirValue none = ts_make_constant(&build, mlirFloatAttrDoubleGet(build.context, type, 0.0));
  MlirValue adds[] = {compare(&build, CMPF_UEQ, a, none), compare(&build, CMPF_UNO, b, b)};
  MlirType truth = mlirIntegerTypeGet(build.context, 1);
  MlirValue sums = ts_make_value(&build, "arith.ori", 2, adds, truth, 0, NULL);
  MlirValue last = ts_make_select(&build, sums, sum(&build, maximum, a, b), a);
  MlirValue loses = compare(&build, maximum ? CMPF_OLT : CMPF_OGT, a, b);
  MlirValue second = ts_make_select(&build, loses, b, last);
  MlirValue wins = compare(&build, maximum ? CMPF_OGT : CMPF_OLT, a, b);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                ts_make_select(&build, wins, a, second));
  mlirOperationDestroy(op);
}

void ts_maxima_spell(MlirOperation module) {
  ts_each_op(module, spell_maxnum, NULL);
  ts_each_op(module, spell_wide_maximum, NULL);
}
