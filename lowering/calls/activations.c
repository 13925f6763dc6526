/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which function of the sum of its inputs the body of a loop nest is, however it is spelled. It
 * knows scalar ops; it must not know memory, nor who computes such functions.
 *
 * Frameworks differ in how they order and group the factors of a gelu. So the body is computed
 * with polynomials in x, the sum, and t, the tanh of the polynomial that a gelu has, and the result
 * is compared. */
#include "lowering/calls/activations.h"

#include <math.h>
#include <stdbool.h>

#include "lowering/calls/polynomials.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/ir.h"

typedef struct body {
  MlirBlock block;
  MlirType result;
  uint32_t all; /* a bit for each input */
  int steps;    /* that may still be taken: no activation has as many */
} body;

enum { MOST_STEPS = 1024 };

/* ---- values ---------------------------------------------------------------------------------- */

static MlirValue operand_of(MlirValue value, intptr_t i) {
  return mlirOperationGetOperand(mlirOpResultGetOwner(value), i);
}

/* What is rounded to less than the result has, is meant to be. */
static bool is_precise(const body *b, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeEqual(type, b->result) || mlirTypeIsAF32(type) || mlirTypeIsAF64(type);
}

/* `value` behind conversions between floats. */
static MlirValue skip_conversions(const body *b, MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  while (op.ptr && (ts_op_is(op, "arith.extf") || ts_op_is(op, "arith.truncf")) &&
         is_precise(b, value) && is_precise(b, mlirOperationGetOperand(op, 0))) {
    value = mlirOperationGetOperand(op, 0);
    op = ts_defining_op(value);
  }
  return value;
}

/* `value` adds up arguments of the block, each once; `seen` are those so far. */
static bool adds_arguments(body *b, MlirValue value, uint32_t *seen) {
  value = skip_conversions(b, value);
  if (b->steps-- <= 0)
    return false;
  if (mlirValueIsABlockArgument(value)) {
    uint32_t bit = (uint32_t)1 << mlirBlockArgumentGetArgNumber(value);
    bool once = mlirBlockEqual(mlirBlockArgumentGetOwner(value), b->block) && !(*seen & bit);
    *seen |= bit;
    return once;
  }
  return ts_op_is(mlirOpResultGetOwner(value), "arith.addf") &&
         adds_arguments(b, operand_of(value, 0), seen) &&
         adds_arguments(b, operand_of(value, 1), seen);
}

/* `value` adds up just all inputs. */
static bool is_sum(body *b, MlirValue value) {
  uint32_t seen = 0;
  return adds_arguments(b, value, &seen) && seen == b->all;
}

/* A constant, and half of the distance to its neighbours. */
static bool read_number(MlirValue value, double *number, double *doubt) {
  MlirOperation op = ts_defining_op(value);
  MlirType type = mlirValueGetType(value);
  int fraction;
  if (!op.ptr || !ts_op_is(op, "arith.constant") ||
      !mlirAttributeIsAFloat(ts_attribute(op, "value")))
    return false;
  *number = mlirFloatAttrGetValueDouble(ts_attribute(op, "value"));
  /* Those of f32 and f64 are often written with 8 digits. */
  double unit = mlirTypeIsABF16(type) ? 0x1p-8 : mlirTypeIsAF16(type) ? 0x1p-11 : 0x1p-23;
  double few_bits = ldexp(frexp(*number, &fraction), 4);
  *doubt = few_bits == rint(few_bits) ? 0 : fabs(*number) * unit; /* 0.5, 3: meant so */
  return isfinite(*number);
}

static bool is_zero(const body *b, MlirValue value) {
  double number, doubt;
  return read_number(skip_conversions(b, value), &number, &doubt) && number == 0;
}

/* ---- relu ------------------------------------------------------------------------------------ */

/* What a comparison with zero says of positive and negative x, by arith.cmpf's number of the
 * predicate. Equal ones are zeros, however they are chosen; what it says of a NaN is lost. */
enum { POSITIVE = 1, NEGATIVE = 2 };
static const int holds_for[16] = {[2] = POSITIVE,  [3] = POSITIVE, [4] = NEGATIVE,
                                  [5] = NEGATIVE,  [9] = POSITIVE, [10] = POSITIVE,
                                  [11] = NEGATIVE, [12] = NEGATIVE};

/* select(x > 0, x, 0), select(x < 0, 0, x), and with the comparison turned around. */
static ts_activation selection_of(body *b, MlirOperation select) {
  MlirOperation compare = ts_defining_op(mlirOperationGetOperand(select, 0));
  MlirValue then = mlirOperationGetOperand(select, 1),
            otherwise = mlirOperationGetOperand(select, 2);
  if (!compare.ptr || !ts_op_is(compare, "arith.cmpf"))
    return TS_OTHER_FUNCTION;
  MlirValue left = mlirOperationGetOperand(compare, 0), right = mlirOperationGetOperand(compare, 1);
  int64_t predicate = ts_op_int(compare, "predicate", 0);
  bool turned = is_zero(b, left), takes_then = is_zero(b, otherwise);
  int holds = predicate >= 0 && predicate < 16 ? holds_for[predicate] : 0;
  bool positive = holds & (turned ? NEGATIVE : POSITIVE);
  bool negative = holds & (turned ? POSITIVE : NEGATIVE);
  if (!is_zero(b, turned ? left : right) || !is_zero(b, takes_then ? otherwise : then) ||
      !is_sum(b, turned ? right : left) || !is_sum(b, takes_then ? then : otherwise) ||
      !(takes_then ? positive : negative))
    return TS_OTHER_FUNCTION;
  return TS_RELU;
}

static ts_activation relu_of(body *b, MlirValue value) {
  MlirOperation op = ts_defining_op(skip_conversions(b, value));
  if (!op.ptr)
    return TS_OTHER_FUNCTION;
  if (ts_op_is(op, "arith.select"))
    return selection_of(b, op);
  if (!ts_op_is(op, "arith.maximumf") && !ts_op_is(op, "arith.maxnumf"))
    return TS_OTHER_FUNCTION;
  MlirValue left = mlirOperationGetOperand(op, 0), right = mlirOperationGetOperand(op, 1);
  bool first = is_zero(b, left);
  if (!is_zero(b, first ? left : right) || !is_sum(b, first ? right : left))
    return TS_OTHER_FUNCTION;
  return TS_RELU;
}

/* ---- gelu ------------------------------------------------------------------------------------ */

static bool compute(body *b, MlirValue value, ts_polynomial *result);

/* tanh(u) is t where u is what a gelu has there, and -t of -u. */
static bool compute_tanh(const ts_polynomial *argument, ts_polynomial *result) {
  const double scale = 0.79788456080286535588; /* sqrt(2/pi) */
  for (int sign = -1; sign <= 1; sign += 2) {
    ts_polynomial linear = ts_polynomial_term(sign * scale, 1, 0);
    ts_polynomial cubic = ts_polynomial_term(sign * scale * 0.044715, 3, 0);
    ts_polynomial meant = ts_polynomial_add(&linear, 1, &cubic);
    *result = ts_polynomial_term(sign, 0, 1);
    if (ts_polynomial_may_be(argument, &meant))
      return true;
  }
  return false;
}

/* Whole powers of anything, and any of numbers. */
static bool compute_power(const ts_polynomial *base, double exponent, ts_polynomial *result) {
  double value, doubt;
  if (ts_polynomial_is_number(base, &value, &doubt) && value > 0) {
    double power = pow(value, exponent);
    *result = ts_polynomial_number(power, fabs(power * exponent) * doubt / value);
    return isfinite(power);
  }
  if (exponent != 1 && exponent != 2 && exponent != 3)
    return false;
  *result = *base;
  for (int i = 1; i < exponent; i++) {
    ts_polynomial lower = *result;
    if (!ts_polynomial_multiply(&lower, base, result))
      return false;
  }
  return true;
}

static bool compute_quotient(const ts_polynomial *a, const ts_polynomial *b,
                             ts_polynomial *result) {
  double value, doubt;
  if (!ts_polynomial_is_number(b, &value, &doubt) || value == 0)
    return false;
  ts_polynomial inverse = ts_polynomial_number(1 / value, doubt / (value * value));
  return ts_polynomial_multiply(a, &inverse, result);
}

static bool compute_unary(MlirOperation op, const ts_polynomial *a, ts_polynomial *result) {
  ts_polynomial zero = ts_polynomial_number(0, 0);
  int64_t exponent;
  if (ts_op_is(op, "math.tanh"))
    return compute_tanh(a, result);
  if (ts_op_is(op, "math.sqrt"))
    return compute_power(a, 0.5, result);
  if (ts_op_is(op, "math.fpowi"))
    return ts_constant_integer(mlirOperationGetOperand(op, 1), &exponent) &&
           compute_power(a, (double)exponent, result);
  *result = ts_polynomial_add(&zero, -1, a);
  return ts_op_is(op, "arith.negf");
}

static bool compute_binary(MlirOperation op, const ts_polynomial *a, const ts_polynomial *b,
                           ts_polynomial *result) {
  double exponent, doubt;
  if (ts_op_is(op, "arith.mulf"))
    return ts_polynomial_multiply(a, b, result);
  if (ts_op_is(op, "arith.divf"))
    return compute_quotient(a, b, result);
  if (ts_op_is(op, "math.powf"))
    return ts_polynomial_is_number(b, &exponent, &doubt) && doubt == 0 &&
           compute_power(a, exponent, result);
  bool adds = ts_op_is(op, "arith.addf");
  *result = ts_polynomial_add(a, adds ? 1 : -1, b);
  return adds || ts_op_is(op, "arith.subf");
}

static bool compute(body *b, MlirValue value, ts_polynomial *result) {
  double number, doubt;
  value = skip_conversions(b, value);
  if (b->steps-- <= 0)
    return false;
  *result = ts_polynomial_term(1, 1, 0);
  if (is_sum(b, value))
    return true;
  if (read_number(value, &number, &doubt)) {
    *result = ts_polynomial_number(number, doubt);
    return true;
  }
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr)
    return false;
  ts_polynomial operands[3];
  intptr_t num = ts_op_is(op, "math.fpowi") ? 1 : mlirOperationGetNumOperands(op);
  if (num < 1 || num > 3)
    return false;
  for (intptr_t i = 0; i < num; i++)
    if (!compute(b, mlirOperationGetOperand(op, i), &operands[i]))
      return false;
  if (num == 1)
    return compute_unary(op, &operands[0], result);
  if (num == 2)
    return compute_binary(op, &operands[0], &operands[1], result);
  ts_polynomial product;
  if (!ts_op_is(op, "math.fma") || !ts_polynomial_multiply(&operands[0], &operands[1], &product))
    return false;
  *result = ts_polynomial_add(&product, 1, &operands[2]);
  return true;
}

static bool is_gelu(body *b, MlirValue value) {
  ts_polynomial linear = ts_polynomial_term(0.5, 1, 0), mixed = ts_polynomial_term(0.5, 1, 1);
  ts_polynomial meant = ts_polynomial_add(&linear, 1, &mixed), found;
  return compute(b, value, &found) && ts_polynomial_may_be(&found, &meant);
}

/* ---- the body -------------------------------------------------------------------------------- */

ts_activation ts_activation_of(MlirOperation nest, intptr_t num_inputs) {
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(nest, 0));
  MlirOperation yield = mlirBlockGetTerminator(block);
  if (num_inputs < 1 || num_inputs >= 32 || mlirOperationGetNumOperands(yield) != 1)
    return TS_OTHER_FUNCTION;
  MlirValue value = mlirOperationGetOperand(yield, 0);
  body b = {.block = block,
            .result = mlirValueGetType(value),
            .all = ((uint32_t)1 << num_inputs) - 1,
            .steps = MOST_STEPS};
  if (is_sum(&b, value))
    return TS_NO_ACTIVATION;
  ts_activation relu = relu_of(&b, value);
  if (relu != TS_OTHER_FUNCTION)
    return relu;
  return is_gelu(&b, value) ? TS_GELU : TS_OTHER_FUNCTION;
}
