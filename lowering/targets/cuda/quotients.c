/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Many quotients with one divisor: its reciprocal once, and a few products for each, where a
 * division takes several times as long (after Markstein, Computation of elementary functions on the
 * IBM RISC System/6000 processor, 1990). It knows arith's ops; it must not know kernels. */
#include "lowering/targets/cuda/quotients.h"

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/blocks.h"

enum {
  GREATER = 4,   /* of arith.cmpi */
  EQUAL = 0,     /* of arith.cmpi */
  ONE = 6,       /* of arith.cmpf: ordered and not equal */
  MANTISSA = 23, /* bits */
  MOST = 255,    /* exponent of infinities and NaN */
  BIAS = 127,
  LARGEST = 127, /* exponents of normal numbers */
  LEAST = -126,
  SUBNORMAL = 24, /* by which subnormal numbers are shifted up */
};

static MlirValue number(const ts_maker *build, int64_t value) {
  return ts_make_constant(build, ts_int_attribute(mlirIntegerTypeGet(build->context, 32), value));
}

static MlirValue real(const ts_maker *build, double value) {
  return ts_make_constant(
      build, mlirFloatAttrDoubleGet(build->context, mlirF32TypeGet(build->context), value));
}

static MlirValue binary(const ts_maker *build, const char *name, MlirValue a, MlirValue b) {
  return ts_make_binary(build, name, a, b);
}

static MlirValue cast(const ts_maker *build, MlirValue value, bool to_float) {
  MlirType type =
      to_float ? mlirF32TypeGet(build->context) : mlirIntegerTypeGet(build->context, 32);
  return ts_make_value(build, "arith.bitcast", 1, &value, type, 0, NULL);
}

static MlirValue exponent_of(const ts_maker *build, MlirValue bits) {
  return binary(build, "arith.andi", binary(build, "arith.shrui", bits, number(build, MANTISSA)),
                number(build, MOST));
}

static MlirValue is_equal(const ts_maker *build, MlirValue a, int64_t b) {
  return ts_make_compare(build, "arith.cmpi", EQUAL, a, number(build, b));
}

/* 2^n, n from -126 to 127. */
static MlirValue power(const ts_maker *build, MlirValue n) {
  MlirValue exponent = binary(build, "arith.addi", n, number(build, BIAS));
  return cast(build, binary(build, "arith.shli", exponent, number(build, MANTISSA)), true);
}

ts_quotients ts_quotients_prepare(const ts_maker *build, MlirValue divisor) {
  MlirValue is_small = is_equal(build, exponent_of(build, cast(build, divisor, false)), 0);
  MlirValue normal = ts_make_select(
      build, is_small, binary(build, "arith.mulf", divisor, real(build, 1 << SUBNORMAL)), divisor);
  MlirValue bits = cast(build, normal, false), exponent = exponent_of(build, bits);
  MlirValue is_special =
      binary(build, "arith.ori", is_equal(build, exponent, 0), is_equal(build, exponent, MOST));
  MlirValue in_1_to_2 =
      binary(build, "arith.ori", binary(build, "arith.andi", bits, number(build, 0x807fffff)),
             number(build, (int64_t)BIAS << MANTISSA));
  MlirValue mantissa = ts_make_select(build, is_special, normal, cast(build, in_1_to_2, true));
  MlirValue up = ts_make_select(build, is_small, number(build, SUBNORMAL), number(build, 0));
  MlirValue shift =
      binary(build, "arith.addi", up, binary(build, "arith.subi", number(build, BIAS), exponent));
  shift = ts_make_select(build, is_special, number(build, 0), shift);
  /* What is scaled up is so first, all but once: nothing then is rounded as a subnormal number that
   * comes to be none, or overflows that comes back. */
  MlirValue up_first =
      binary(build, "arith.minsi", binary(build, "arith.subi", shift, number(build, 1)),
             number(build, LARGEST));
  MlirValue down_first =
      binary(build, "arith.minsi", binary(build, "arith.subi", shift, number(build, LEAST)),
             number(build, 0));
  MlirValue is_up = ts_make_compare(build, "arith.cmpi", GREATER, shift, number(build, 0));
  MlirValue first = ts_make_select(build, is_up, up_first, down_first);
  ts_quotients made = {
      .divisor = divisor,
      .negated = binary(build, "arith.subf", real(build, -0.0), mantissa),
      .reciprocal = binary(build, "arith.divf", real(build, 1), mantissa),
      .before = power(build, first),
  };
  made.after = power(build, binary(build, "arith.subi", shift, first));
  return made;
}

static MlirValue fused(const ts_maker *build, MlirValue a, MlirValue b, MlirValue c) {
  MlirValue operands[] = {a, b, c};
  return ts_make_value(build, "math.fma", 3, operands, mlirValueGetType(a), 0, NULL);
}

/* What is no number yet, or 0, needs no second step, and has its sign from the first one. */
static void replace(const ts_quotients *q, MlirOperation op) {
  ts_maker build = ts_make_before(op);
  MlirValue x = binary(&build, "arith.mulf", mlirOperationGetOperand(op, 0), q->before);
  MlirValue near = binary(&build, "arith.mulf", x, q->reciprocal);
  MlirValue rest = fused(&build, near, q->negated, x);
  MlirValue nearer = fused(&build, rest, q->reciprocal, near);
  MlirValue is_nearer = ts_make_compare(&build, "arith.cmpf", ONE, nearer, real(&build, 0));
  MlirValue result = ts_make_select(&build, is_nearer, nearer, near);
  result = binary(&build, "arith.mulf", result, q->after);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), result);
  mlirOperationDestroy(op);
}

/* Behind what was prepared last. */
static bool is_behind(const ts_quotients *q, MlirOperation op) {
  MlirOperation last = mlirOpResultGetOwner(q->after);
  MlirOperation place = ts_ancestor_in(mlirOperationGetBlock(last), op);
  return place.ptr && mlirOperationIsBeforeInBlock(last, place);
}

/* A division by the divisor that is left; null: none. */
static MlirOperation find_division(const ts_quotients *q) {
  for (MlirOpOperand use = mlirValueGetFirstUse(q->divisor); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOpOperandGetOperandNumber(use) == 1 && ts_op_is(user, "arith.divf") &&
        is_behind(q, user))
      return user;
  }
  return (MlirOperation){NULL};
}

void ts_quotients_replace(const ts_quotients *quotients) {
  for (MlirOperation op = find_division(quotients); op.ptr; op = find_division(quotients))
    replace(quotients, op);
}
