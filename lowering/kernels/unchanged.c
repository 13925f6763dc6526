/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Whether a body leaves its outputs as they are: by walking up from what it yields. It knows scalar
 * code; it must not know loops. */
#include "lowering/kernels/unchanged.h"

#include "capi/capi.h"
#include "emit/emit.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "rules/rows.h"
#include "support/ir.h"

enum { MOST_VISITS = 512 }; /* values that are used twice are visited twice */

typedef struct question {
  MlirOperation compare;
  int visits; /* left; without any, nothing is known */
} question;

static MlirValue operand(MlirOperation op, intptr_t i) {
  return mlirOperationGetOperand(op, i);
}

/* The op that defines `value`; null if there is none, or after too many questions. */
static MlirOperation definition(question *q, MlirValue value) {
  return q->visits-- > 0 ? ts_defining_op(value) : (MlirOperation){NULL};
}

/* ---- conditions ------------------------------------------------------------------------------ */

typedef enum truth { UNKNOWN, NO, YES } truth;

static truth not_of(truth a) {
  return a == UNKNOWN ? UNKNOWN : a == NO ? YES : NO;
}

static truth truth_of(question *q, MlirValue value);

static truth constant_truth(MlirValue value) {
  int64_t number;
  if (!ts_constant_integer(value, &number))
    return UNKNOWN;
  return number != 0 ? YES : NO;
}

static truth select_truth(question *q, MlirOperation op) {
  truth chosen = truth_of(q, operand(op, 0));
  return chosen == UNKNOWN ? UNKNOWN : truth_of(q, operand(op, chosen == YES ? 1 : 2));
}

static truth truth_of(question *q, MlirValue value) {
  MlirOperation op = definition(q, value);
  MlirType type = mlirValueGetType(value);
  if (!op.ptr || !mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) != 1)
    return UNKNOWN;
  if (mlirOperationEqual(op, q->compare))
    return ts_op_int(op, "predicate", -1) == 0 ? NO : YES;
  if (ts_op_is(op, "arith.select"))
    return select_truth(q, op);
  bool is_and = ts_op_is(op, "arith.andi"), is_or = ts_op_is(op, "arith.ori");
  if (!is_and && !is_or && !ts_op_is(op, "arith.xori"))
    return constant_truth(value);
  truth a = truth_of(q, operand(op, 0)), b = truth_of(q, operand(op, 1));
  if (is_and)
    return a == NO || b == NO ? NO : a == YES ? b : UNKNOWN;
  if (is_or)
    return a == YES || b == YES ? YES : a == NO ? b : UNKNOWN;
  return b == UNKNOWN ? UNKNOWN : b == YES ? not_of(a) : a;
}

/* ---- neutral elements ------------------------------------------------------------------------ */

/* By what `op` combines its operands, and whether it does so with the second one alone: that is not
 * what the first is combined with. NONE: it does something else. */
static ts_reduction combines_by(MlirOperation op, bool *is_ordered) {
  const ts_rule *rule = ts_rule_named(op);
  ts_form form = rule ? rule->linear.form : TS_FORM_UNKNOWN;
  *is_ordered = form == TS_FORM_SUBTRACT;
  if (form == TS_FORM_COMBINE || form == TS_FORM_SUBTRACT)
    return rule->linear.kind;
  return form == TS_FORM_MULTIPLY ? TS_PRODUCT : TS_REDUCTION_NONE;
}

static bool is_neutral_constant(MlirValue value, ts_reduction kind) {
  MlirOperation op = ts_defining_op(value);
  return op.ptr && ts_op_is(op, "arith.constant") &&
         ts_is_neutral_element(kind, ts_attribute(op, "value"), mlirValueGetType(value));
}

/* A conversion to a type that has the number too if it is 0. */
static bool converts_zero(MlirOperation op) {
  static const char *const names[] = {"arith.extui",  "arith.extsi",  "arith.trunci", "arith.extf",
                                      "arith.truncf", "arith.uitofp", "arith.sitofp"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (ts_op_is(op, names[i]))
      return true;
  return false;
}

/* Combined by `kind` with anything, `value` changes nothing. */
static bool is_neutral(question *q, MlirValue value, ts_reduction kind) {
  MlirOperation op = definition(q, value);
  if (!op.ptr)
    return false;
  if (ts_op_is(op, "arith.select")) {
    truth chosen = truth_of(q, operand(op, 0));
    return (chosen == NO || is_neutral(q, operand(op, 1), kind)) &&
           (chosen == YES || is_neutral(q, operand(op, 2), kind));
  }
  bool is_of_zero = kind == TS_SUM || kind == TS_OR || kind == TS_XOR || kind == TS_UMAX;
  if (is_of_zero && converts_zero(op))
    return truth_of(q, operand(op, 0)) == NO || is_neutral(q, operand(op, 0), TS_SUM);
  /* Of floats, 0 times an infinity or a NaN is no 0. */
  if (is_of_zero && ts_op_is(op, "arith.muli"))
    return is_neutral(q, operand(op, 0), TS_SUM) || is_neutral(q, operand(op, 1), TS_SUM);
  return is_neutral_constant(value, kind);
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* `value` is the number `output`, perhaps in a wider float type. */
static bool is_same(question *q, MlirValue value, MlirValue output) {
  if (mlirValueEqual(value, output))
    return true;
  MlirOperation op = definition(q, value);
  if (!op.ptr)
    return false;
  if (ts_op_is(op, "arith.select")) {
    truth chosen = truth_of(q, operand(op, 0));
    return (chosen == NO || is_same(q, operand(op, 1), output)) &&
           (chosen == YES || is_same(q, operand(op, 2), output));
  }
  if (ts_op_is(op, "arith.extf"))
    return is_same(q, operand(op, 0), output);
  if (ts_op_is(op, "arith.truncf"))
    return mlirTypeEqual(mlirValueGetType(value), mlirValueGetType(output)) &&
           is_same(q, operand(op, 0), output);
  bool is_ordered;
  ts_reduction kind = combines_by(op, &is_ordered);
  if (kind == TS_REDUCTION_NONE)
    return false;
  return (is_neutral(q, operand(op, 1), kind) && is_same(q, operand(op, 0), output)) ||
         (!is_ordered && is_neutral(q, operand(op, 0), kind) && is_same(q, operand(op, 1), output));
}

bool ts_unchanged_unless_equal(MlirBlock body, int first, MlirOperation compare) {
  question q = {compare, MOST_VISITS};
  MlirOperation yielded = mlirBlockGetTerminator(body);
  intptr_t num = mlirOperationGetNumOperands(yielded);
  for (intptr_t o = 0; o < num; o++) {
    if (first + o >= mlirBlockGetNumArguments(body) ||
        !is_same(&q, operand(yielded, o), mlirBlockGetArgument(body, first + o)))
      return false;
  }
  return num > 0;
}
