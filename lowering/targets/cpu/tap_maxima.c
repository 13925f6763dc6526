/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Maxima and minima of several floats at once: that a NaN wins, and a zero's sign counts, is looked
 * after for all together, as one of two costs six instructions of vectors on x86, of which five do
 * that. It knows bodies; it must not know loops.
 *
 * The larger of a and b, b if they are equal or not ordered, is one instruction. Of numbers it
 * gives a maximum, of which only the sign may be wrong, where zeros are equal: a maximum is
 * negative if all are, and a minimum if one is, zeros included. And a value that is not ordered
 * with its neighbour is a NaN, or that is. */
#include "lowering/targets/cpu/tap_maxima.h"

#include <math.h>

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { CMPF_OGT = 2, CMPF_OLT = 4, CMPF_UNO = 14 }; /* arith's numbers */

static MlirOperation combining_op(const ts_nest *nest) {
  MlirOperation end = mlirBlockGetTerminator(nest->body);
  return ts_defining_op(mlirOperationGetOperand(end, 0));
}

static bool is_maximum(const ts_nest *nest) {
  return ts_op_is(combining_op(nest), "arith.maximumf");
}

/* The number of an argument of the body; -1: `value` is none. */
static int argument_of(const ts_nest *nest, MlirValue value) {
  if (!mlirValueIsABlockArgument(value) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(value), nest->body))
    return -1;
  return (int)mlirBlockArgumentGetArgNumber(value);
}

int ts_tap_maxima_input(const ts_nest *nest) {
  MlirOperation op = nest->num_outputs == 1 ? combining_op(nest) : (MlirOperation){NULL};
  if (!op.ptr || (!ts_op_is(op, "arith.maximumf") && !ts_op_is(op, "arith.minimumf")))
    return -1;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  int a = argument_of(nest, mlirOperationGetOperand(op, 0));
  int b = argument_of(nest, mlirOperationGetOperand(op, 1));
  if (a < 0 || b < 0 || (!mlirTypeIsAF32(type) && !mlirTypeIsAF64(type)))
    return -1;
  int input = a < b ? a : b;
  return input < nest->num_inputs && (a > b ? a : b) == nest->num_inputs ? input : -1;
}

static MlirValue cast(const ts_maker *build, MlirValue value, MlirType type) {
  return ts_make_value(build, "arith.bitcast", 1, &value, type, 0, NULL);
}

static MlirValue any(const ts_maker *build, MlirValue a, MlirValue b) {
  return mlirValueIsNull(a) ? b : ts_make_binary(build, "arith.ori", a, b);
}

/* Whether one of the values is a NaN. */
static MlirValue has_nan(const ts_maker *build, int num, const MlirValue *values) {
  MlirValue found = {NULL};
  for (int i = 0; i < num; i += 2)
    found = any(
        build, found,
        ts_make_compare(build, "arith.cmpf", CMPF_UNO, values[i], values[i + 1 < num ? i + 1 : i]));
  return found;
}

MlirValue ts_tap_maxima_of(const ts_maker *build, const ts_nest *nest, int num,
                           const MlirValue *values) {
  bool maximum = is_maximum(nest);
  MlirType type = mlirValueGetType(values[0]);
  unsigned width = mlirFloatTypeGetWidth(type);
  MlirType integer = mlirIntegerTypeGet(build->context, width);
  MlirValue most = values[0], signs = cast(build, values[0], integer);
  for (int i = 1; i < num; i++) {
    MlirValue wins =
        ts_make_compare(build, "arith.cmpf", maximum ? CMPF_OGT : CMPF_OLT, most, values[i]);
    most = ts_make_select(build, wins, most, values[i]);
    signs = ts_make_binary(build, maximum ? "arith.andi" : "arith.ori", signs,
                           cast(build, values[i], integer));
  }
  int64_t sign = (int64_t)(UINT64_MAX << (width - 1));
  MlirValue sign_bit = ts_make_constant(build, ts_int_attribute(integer, sign));
  MlirValue others = ts_make_constant(build, ts_int_attribute(integer, ~sign));
  MlirValue bits = ts_make_binary(
      build, "arith.ori", ts_make_binary(build, "arith.andi", cast(build, most, integer), others),
      ts_make_binary(build, "arith.andi", signs, sign_bit));
  MlirValue nan = ts_make_constant(build, mlirFloatAttrDoubleGet(build->context, type, NAN));
  return ts_make_select(build, has_nan(build, num, values), nan, cast(build, bits, type));
}
