/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Numbers that are a loop's index in every trip, however they are written. It knows scalar code; it
 * must not know what the numbers are for. */
#include "model/trip_index.h"

#include "mlir-c/BuiltinTypes.h"

#include "support/ir.h"

enum { MOST_DEEP = 12 };

typedef struct trips {
  MlirValue index;
  int64_t last;
} trips;

static bool is_index(const trips *t, MlirValue value, int deep);

/* Types narrower than the last index would lose some of it. */
static bool has_room(const trips *t, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsAIndex(type))
    return true;
  unsigned width = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
  return width >= 64 || (width > 1 && t->last < INT64_C(1) << (width - 1));
}

/* One operand is the index, the other a number: `*number`, and in `*at` which one is the index. */
static bool with_number(const trips *t, MlirOperation op, int deep, int *at, int64_t *number) {
  for (*at = 0; *at < 2; ++*at)
    if (ts_constant_integer(mlirOperationGetOperand(op, 1 - *at), number) &&
        is_index(t, mlirOperationGetOperand(op, *at), deep))
      return true;
  return false;
}

/* `a` compared with `b` by arith's number for it; of numbers that are not negative unsigned is as
 * signed. */
static bool compares(int64_t predicate, int64_t a, int64_t b) {
  const bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b, a<b, a <= b, a> b, a >= b};
  return results[predicate];
}

/* Whether the condition is the same in all trips, which it then is as `*holds`: an order holds at
 * both ends, or at neither, and so between them. */
static bool is_settled(const trips *t, MlirValue condition, int deep, bool *holds) {
  enum { FIRST_ORDER = 2, FIRST_UNSIGNED = 6 };
  MlirOperation op = ts_defining_op(condition);
  int at;
  int64_t number;
  if (!op.ptr || !ts_op_is(op, "arith.cmpi"))
    return false;
  int64_t predicate = ts_op_int(op, "predicate", 0);
  if (predicate < FIRST_ORDER || !with_number(t, op, deep, &at, &number) ||
      (predicate >= FIRST_UNSIGNED && number < 0))
    return false;
  bool first = at == 0 ? compares(predicate, 0, number) : compares(predicate, number, 0);
  bool last = at == 0 ? compares(predicate, t->last, number) : compares(predicate, number, t->last);
  *holds = first;
  return first == last;
}

static bool is_chosen(const trips *t, MlirOperation op, int deep) {
  bool holds;
  return is_settled(t, mlirOperationGetOperand(op, 0), deep, &holds) &&
         is_index(t, mlirOperationGetOperand(op, holds ? 1 : 2), deep);
}

static bool is_index(const trips *t, MlirValue value, int deep) {
  static const char *const conversions[] = {"arith.index_cast", "arith.index_castui", "arith.extsi",
                                            "arith.extui",      "arith.trunci",       NULL};
  if (mlirValueEqual(value, t->index))
    return has_room(t, value);
  MlirOperation op = ts_defining_op(value);
  int at;
  int64_t number;
  if (!op.ptr || deep == 0 || !has_room(t, value))
    return false;
  if (ts_op_is_any(op, conversions))
    return is_index(t, mlirOperationGetOperand(op, 0), deep - 1);
  if (ts_op_is(op, "arith.maxsi"))
    return with_number(t, op, deep - 1, &at, &number) && number <= 0;
  if (ts_op_is(op, "arith.minsi"))
    return with_number(t, op, deep - 1, &at, &number) && number >= t->last;
  if (ts_op_is(op, "arith.addi"))
    return with_number(t, op, deep - 1, &at, &number) && number == 0;
  return ts_op_is(op, "arith.select") && is_chosen(t, op, deep - 1);
}

bool ts_is_trip_index(MlirValue value, MlirValue index, int64_t last) {
  const trips t = {index, last};
  return is_index(&t, value, MOST_DEEP);
}
