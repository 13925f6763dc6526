/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Integer divisions and powers that may have no result. It knows when that is; it must not know
 * what is done with quotients. */
#include "lowering/calls/divisions.h"

#include "lowering/calls/asserts.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "numbers/divisions.h"

static const char *const messages[] = {
    [TS_DIVISION_BY_ZERO] = "an integer division by zero",
    [TS_DIVISION_BY_ZERO_OR_TOO_LARGE] =
        "an integer division by zero, or one whose result is too large",
    [TS_DIVISION_BY_ZERO_ELSE_SMALL] = "an integer division by zero",
    [TS_DIVISION_ZERO_TO_NEGATIVE] = "zero to a negative power",
};

/* ---- checks ---------------------------------------------------------------------------------- */

/* arith's numbers of predicates */
enum { EQUAL = 0, LESS = 2 };

static MlirValue constant(const ts_maker *build, MlirType type, int64_t value) {
  return ts_make_constant(build, ts_int_attribute(type, value));
}

static MlirValue equal(const ts_maker *build, MlirValue a, MlirValue b) {
  return ts_make_compare(build, "arith.cmpi", EQUAL, a, b);
}

/* Attributes of more than 64 bits are made of unsigned numbers. */
static MlirValue minus_one(const ts_maker *build, MlirType type) {
  return ts_make_binary(build, "arith.subi", constant(build, type, 0), constant(build, type, 1));
}

static MlirValue is_zero(const ts_maker *build, MlirValue value) {
  return equal(build, value, constant(build, mlirValueGetType(value), 0));
}

/* The least number divided by -1 is one more than the greatest. */
static MlirValue is_too_large(const ts_maker *build, MlirValue dividend, MlirValue divisor) {
  MlirType type = mlirValueGetType(dividend);
  int64_t width = mlirTypeIsAIndex(type) ? 64 : (int64_t)mlirIntegerTypeGetWidth(type);
  MlirValue least = ts_make_binary(build, "arith.shli", constant(build, type, 1),
                                   constant(build, type, width - 1));
  return ts_make_binary(build, "arith.andi", equal(build, dividend, least),
                        equal(build, divisor, minus_one(build, type)));
}

static MlirValue is_zero_to_negative(const ts_maker *build, MlirValue base, MlirValue exponent) {
  MlirValue zero = constant(build, mlirValueGetType(exponent), 0);
  return ts_make_binary(build, "arith.andi", is_zero(build, base),
                        ts_make_compare(build, "arith.cmpi", LESS, exponent, zero));
}

static MlirValue has_no_result(const ts_maker *build, ts_division_failure failure, MlirValue a,
                               MlirValue b) {
  if (failure == TS_DIVISION_ZERO_TO_NEGATIVE)
    return is_zero_to_negative(build, a, b);
  MlirValue fails = is_zero(build, b);
  if (failure != TS_DIVISION_BY_ZERO_OR_TOO_LARGE)
    return fails;
  return ts_make_binary(build, "arith.ori", fails, is_too_large(build, a, b));
}

/* Remainders by -1 and by 1 are both 0; processors compute the quotient with the first. */
static void divide_by_one(const ts_maker *build, MlirOperation op, MlirValue divisor) {
  MlirType type = mlirValueGetType(divisor);
  MlirValue is_minus_one = equal(build, divisor, minus_one(build, type));
  mlirOperationSetOperand(op, 1,
                          ts_make_select(build, is_minus_one, constant(build, type, 1), divisor));
}

typedef struct division_walk {
  ts_sites *sites;
  ts_wrappers *wrappers;
} division_walk;

static void check_division(MlirOperation op, void *user) {
  const division_walk *walk = user;
  ts_division_failure failure = ts_division_failure_of(op);
  if (failure == TS_DIVISION_SUCCEEDS)
    return;
  MlirValue dividend = mlirOperationGetOperand(op, 0), divisor = mlirOperationGetOperand(op, 1);
  MlirType type = mlirValueGetType(divisor);
  if (!mlirTypeIsAInteger(type) && !mlirTypeIsAIndex(type))
    return;
  ts_maker build = ts_make_before(op);
  MlirValue fails = has_no_result(&build, failure, dividend, divisor);
  ts_asserts_fail_if(walk->sites, walk->wrappers, &build, op, fails,
                     mlirStringRefCreateFromCString(messages[failure]));
  if (failure == TS_DIVISION_BY_ZERO_ELSE_SMALL)
    divide_by_one(&build, op, divisor);
}

void ts_divisions_check(ts_sites *sites, ts_wrappers *wrappers) {
  division_walk walk = {sites, wrappers};
  ts_each_op(sites->records->module, check_division, &walk);
}
