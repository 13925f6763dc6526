/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which integer divisions and powers may have no result. It knows divisors; it must not know what
 * is done about it. */
#include "numbers/divisions.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/ir.h"

typedef struct division {
  const char *name;
  ts_division_failure failure;
} division;

static const division divisions[] = {
    {"arith.divsi", TS_DIVISION_BY_ZERO_OR_TOO_LARGE},
    {"arith.ceildivsi", TS_DIVISION_BY_ZERO_OR_TOO_LARGE},
    {"arith.floordivsi", TS_DIVISION_BY_ZERO_OR_TOO_LARGE},
    {"arith.remsi", TS_DIVISION_BY_ZERO_ELSE_SMALL},
    {"arith.divui", TS_DIVISION_BY_ZERO},
    {"arith.remui", TS_DIVISION_BY_ZERO},
    {"arith.ceildivui", TS_DIVISION_BY_ZERO},
    {"index.divs", TS_DIVISION_BY_ZERO_OR_TOO_LARGE},
    {"index.ceildivs", TS_DIVISION_BY_ZERO_OR_TOO_LARGE},
    {"index.floordivs", TS_DIVISION_BY_ZERO_OR_TOO_LARGE},
    {"index.rems", TS_DIVISION_BY_ZERO_ELSE_SMALL},
    {"index.divu", TS_DIVISION_BY_ZERO},
    {"index.remu", TS_DIVISION_BY_ZERO},
    {"index.ceildivu", TS_DIVISION_BY_ZERO},
    {"math.ipowi", TS_DIVISION_ZERO_TO_NEGATIVE},
};

/* True for a constant by which everything can be divided, or to whose power everything raised: not
 * 0, and -1 or less only where that is not looked at. Wider constants than 64 bits are not looked
 * at. */
static bool is_harmless(ts_division_failure failure, MlirValue divisor) {
  if (!mlirValueIsAOpResult(divisor))
    return false;
  MlirOperation op = mlirOpResultGetOwner(divisor);
  if (!ts_op_is(op, "arith.constant") && !ts_op_is(op, "index.constant"))
    return false;
  MlirAttribute value = ts_attribute(op, "value");
  MlirType type = mlirValueGetType(divisor);
  if (!mlirAttributeIsAInteger(value) ||
      (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 64))
    return false;
  int64_t number = mlirIntegerAttrGetValueInt(value);
  if (failure == TS_DIVISION_ZERO_TO_NEGATIVE)
    return number >= 0;
  return number != 0 && (failure == TS_DIVISION_BY_ZERO || number != -1);
}

ts_division_failure ts_division_failure_of(MlirOperation op) {
  for (size_t i = 0; i < sizeof(divisions) / sizeof(divisions[0]); i++)
    if (ts_op_is(op, divisions[i].name))
      return is_harmless(divisions[i].failure, mlirOperationGetOperand(op, 1))
                 ? TS_DIVISION_SUCCEEDS
                 : divisions[i].failure;
  return TS_DIVISION_SUCCEEDS;
}

bool ts_division_may_fail(MlirOperation op) {
  return ts_division_failure_of(op) != TS_DIVISION_SUCCEEDS;
}
