/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Integer divisions that may have no result. Knows divisors, not what is done with quotients. */
#include "lowering/calls/divisions.h"

#include "lowering/calls/asserts.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct division {
  const char *name;
  bool is_signed;
} division;

static const division divisions[] = {
    {"arith.divsi", true},      {"arith.remsi", true},  {"arith.ceildivsi", true},
    {"arith.floordivsi", true}, {"arith.divui", false}, {"arith.remui", false},
    {"arith.ceildivui", false},
};

static const division *division_of(MlirOperation op) {
  for (size_t i = 0; i < sizeof(divisions) / sizeof(divisions[0]); i++)
    if (ts_op_is(op, divisions[i].name))
      return &divisions[i];
  return NULL;
}

/* ---- divisors that are known --------------------------------------------------------------------
 */

/* True for a constant by which everything can be divided: anything but 0, and of signed divisions
 * -1. Wider constants than 64 bits are not looked at. */
static bool is_harmless(const division *division, MlirValue divisor) {
  if (!mlirValueIsAOpResult(divisor))
    return false;
  MlirOperation op = mlirOpResultGetOwner(divisor);
  if (!ts_op_is(op, "arith.constant"))
    return false;
  MlirAttribute value = ts_attribute(op, "value");
  MlirType type = mlirValueGetType(divisor);
  if (!mlirAttributeIsAInteger(value) ||
      (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 64))
    return false;
  int64_t number = mlirIntegerAttrGetValueInt(value);
  return number != 0 && (!division->is_signed || number != -1);
}

/* ---- checks ------------------------------------------------------------------------------------
 */

static MlirValue constant(const ts_maker *build, MlirType type, int64_t value) {
  MlirNamedAttribute attribute = ts_named(build->context, "value", ts_int_attribute(type, value));
  return ts_make_value(build, "arith.constant", 0, NULL, type, 1, &attribute);
}

static MlirValue equal(const ts_maker *build, MlirValue a, MlirValue b) {
  enum { EQUAL = 0 }; /* arith's number */
  MlirValue operands[] = {a, b};
  MlirNamedAttribute attribute =
      ts_named(build->context, "predicate", ts_int_attribute(ts_i64_type(build->context), EQUAL));
  return ts_make_value(build, "arith.cmpi", 2, operands, mlirIntegerTypeGet(build->context, 1), 1,
                       &attribute);
}

/* The least number divided by -1 is one more than the greatest. */
static MlirValue is_too_large(const ts_maker *build, MlirValue dividend, MlirValue divisor) {
  MlirType type = mlirValueGetType(dividend);
  int64_t width = mlirTypeIsAIndex(type) ? 64 : (int64_t)mlirIntegerTypeGetWidth(type);
  MlirValue least = ts_make_binary(build, "arith.shli", constant(build, type, 1),
                                   constant(build, type, width - 1));
  return ts_make_binary(build, "arith.andi", equal(build, dividend, least),
                        equal(build, divisor, constant(build, type, -1)));
}

typedef struct division_walk {
  ts_sites *sites;
  ts_wrappers *wrappers;
} division_walk;

static void check_division(MlirOperation op, void *user) {
  const division_walk *walk = user;
  const division *division = division_of(op);
  if (!division)
    return;
  MlirValue dividend = mlirOperationGetOperand(op, 0), divisor = mlirOperationGetOperand(op, 1);
  MlirType type = mlirValueGetType(divisor);
  if ((!mlirTypeIsAInteger(type) && !mlirTypeIsAIndex(type)) || is_harmless(division, divisor))
    return;
  ts_maker build = ts_make_before(op);
  MlirValue fails = equal(&build, divisor, constant(&build, type, 0));
  if (division->is_signed)
    fails = ts_make_binary(&build, "arith.ori", fails, is_too_large(&build, dividend, divisor));
  ts_asserts_fail_if(walk->sites, walk->wrappers, op, fails,
                     mlirStringRefCreateFromCString(
                         division->is_signed
                             ? "an integer division by zero, or one whose result is too large"
                             : "an integer division by zero"));
}

void ts_divisions_check(ts_sites *sites, ts_wrappers *wrappers) {
  division_walk walk = {sites, wrappers};
  ts_each_op(sites->records->module, check_division, &walk);
}
