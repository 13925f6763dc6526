/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How scalar code depends on its inputs, op by op from one table. Knows op names and arithmetic,
 * not loops, tensors or devices. */
#include "rules/linear_terms.h"

#include <stdlib.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "rules/build_loops.h"

/* ---- arithmetic on polynomials ----------------------------------------------------------------
 */

ts_poly ts_poly_input(int number) {
  if (number >= TS_MAX_TERM_OPERANDS)
    return (ts_poly){.is_linear = false, .depends = 0};
  uint32_t set = UINT32_C(1) << number;
  return (ts_poly){.is_linear = true, .num_terms = 1, .sets = {set}, .depends = set};
}

ts_poly ts_poly_constant(void) {
  return (ts_poly){.is_linear = true, .num_terms = 1};
}

static ts_poly nonlinear(uint32_t depends) {
  return (ts_poly){.depends = depends};
}

static bool is_constant(const ts_poly *poly) {
  return poly->is_linear && !poly->depends;
}

bool ts_is_idempotent(ts_reduction kind) {
  return kind != TS_REDUCTION_NONE && kind != TS_SUM && kind != TS_PRODUCT && kind != TS_AVERAGE &&
         kind != TS_XOR;
}

/* Whether `poly` is a combination by `kind`: copies and constants are one by any. */
static bool fits(const ts_poly *poly, ts_reduction kind) {
  return poly->is_linear && (poly->kind == kind || poly->kind == TS_REDUCTION_NONE);
}

static bool add_term(ts_poly *poly, uint32_t set) {
  for (int t = 0; t < poly->num_terms; ++t)
    if (poly->sets[t] == set)
      return true;
  if (poly->num_terms == TS_MAX_TERMS)
    return false;
  poly->sets[poly->num_terms++] = set;
  return true;
}

/* The terms of `from` as part of a combination by `kind`. */
static bool add_terms(ts_poly *poly, const ts_poly *from, ts_reduction kind) {
  if (!from->num_terms && kind != TS_SUM && !ts_is_idempotent(kind))
    return add_term(poly, 0); /* zero is a constant like any other */
  for (int t = 0; t < from->num_terms; ++t)
    if (!(from->sets[t] == 0 && ts_is_idempotent(kind)) && !add_term(poly, from->sets[t]))
      return false;
  return true;
}

ts_poly ts_poly_combine(ts_reduction kind, const ts_poly *a, const ts_poly *b) {
  uint32_t depends = a->depends | b->depends;
  if (is_constant(a) && is_constant(b))
    return ts_poly_constant();
  if (!fits(a, kind) || !fits(b, kind))
    return nonlinear(depends);
  ts_poly result = {.is_linear = true,
                    .kind = kind,
                    .must_be_complete = a->must_be_complete | b->must_be_complete,
                    .depends = depends};
  if (!add_terms(&result, a, kind) || !add_terms(&result, b, kind))
    return nonlinear(depends);
  return result;
}

/* `poly` times something that is the same on every device. */
static ts_poly scale(const ts_poly *poly) {
  if (!fits(poly, TS_SUM))
    return nonlinear(poly->depends);
  ts_poly result = *poly;
  result.kind = is_constant(poly) ? TS_REDUCTION_NONE : TS_SUM;
  return result;
}

ts_poly ts_poly_multiply(const ts_poly *a, const ts_poly *b) {
  uint32_t depends = a->depends | b->depends;
  if (is_constant(a) && is_constant(b))
    return a->num_terms ? *b : *a;
  if (!fits(a, TS_SUM) || !fits(b, TS_SUM))
    return nonlinear(depends);
  ts_poly result = {.is_linear = true,
                    .kind = TS_SUM,
                    .must_be_complete = a->must_be_complete | b->must_be_complete,
                    .depends = depends};
  for (int s = 0; s < a->num_terms; ++s)
    for (int t = 0; t < b->num_terms; ++t)
      if ((a->sets[s] & b->sets[t]) || !add_term(&result, a->sets[s] | b->sets[t]))
        return nonlinear(depends);
  return result;
}

/* `a` scaled by something that depends on `b` in whatever way. */
static ts_poly divide(const ts_poly *a, const ts_poly *b) {
  if (is_constant(a) && !is_constant(b))
    return nonlinear(b->depends);
  ts_poly result = scale(a);
  result.must_be_complete |= b->depends;
  return result;
}

static ts_poly multiply_add(const ts_poly *a, const ts_poly *b, const ts_poly *c) {
  ts_poly product = ts_poly_multiply(a, b);
  return ts_poly_combine(TS_SUM, &product, c);
}

/* The kind by which two branches can be united without looking at the condition. */
static ts_reduction branch_kind(const ts_poly *a, const ts_poly *b) {
  if (a->kind != TS_REDUCTION_NONE)
    return a->kind;
  return b->kind != TS_REDUCTION_NONE ? b->kind : TS_SUM;
}

static bool same_copy(const ts_poly *a, const ts_poly *b) {
  return a->is_linear && b->is_linear && !a->kind && !b->kind && a->num_terms == 1 &&
         b->num_terms == 1 && a->sets[0] == b->sets[0];
}

/* Whichever branch an element takes, it takes it on every device: the terms of both together. */
static ts_poly choose(const ts_poly *condition, const ts_poly *a, const ts_poly *b) {
  if (is_constant(a) && is_constant(b))
    return is_constant(condition) ? ts_poly_constant() : nonlinear(condition->depends);
  ts_poly result = same_copy(a, b) ? *a : ts_poly_combine(branch_kind(a, b), a, b);
  result.must_be_complete |= condition->depends;
  return result;
}

/* ---- ops --------------------------------------------------------------------------------------
 */

typedef enum form {
  FORM_COMBINE,  /* operands 0 and 1, by the row's kind */
  FORM_SUBTRACT, /* operand 0 minus operand 1 */
  FORM_MULTIPLY,
  FORM_NEGATE,
  FORM_DIVIDE,       /* operand 0 scaled by operand 1, which must be complete */
  FORM_MULTIPLY_ADD, /* 0 times 1, plus 2 */
  FORM_CHOOSE,       /* 0 ? 1 : 2 */
  FORM_WIDEN,        /* exact and monotone on floats: passes sums, maxima and minima */
  FORM_WRAP          /* additive, because integers wrap */
} form;

typedef struct row {
  const char *op;
  form form;
  ts_reduction kind;
} row;

/* Sorted by name. */
static const row rows[] = {
    {"arith.addf", FORM_COMBINE, TS_SUM},
    {"arith.addi", FORM_COMBINE, TS_SUM},
    {"arith.andi", FORM_COMBINE, TS_AND},
    {"arith.divf", FORM_DIVIDE, TS_REDUCTION_NONE},
    {"arith.extf", FORM_WIDEN, TS_REDUCTION_NONE},
    {"arith.maximumf", FORM_COMBINE, TS_MAX},
    {"arith.maxnumf", FORM_COMBINE, TS_MAXNUM},
    {"arith.maxsi", FORM_COMBINE, TS_MAX},
    {"arith.maxui", FORM_COMBINE, TS_UMAX},
    {"arith.minimumf", FORM_COMBINE, TS_MIN},
    {"arith.minnumf", FORM_COMBINE, TS_MINNUM},
    {"arith.minsi", FORM_COMBINE, TS_MIN},
    {"arith.minui", FORM_COMBINE, TS_UMIN},
    {"arith.mulf", FORM_MULTIPLY, TS_REDUCTION_NONE},
    {"arith.muli", FORM_MULTIPLY, TS_REDUCTION_NONE},
    {"arith.negf", FORM_NEGATE, TS_REDUCTION_NONE},
    {"arith.ori", FORM_COMBINE, TS_OR},
    {"arith.select", FORM_CHOOSE, TS_REDUCTION_NONE},
    {"arith.shli", FORM_DIVIDE, TS_REDUCTION_NONE},
    {"arith.subf", FORM_SUBTRACT, TS_SUM},
    {"arith.subi", FORM_SUBTRACT, TS_SUM},
    {"arith.trunci", FORM_WRAP, TS_REDUCTION_NONE},
    {"arith.xori", FORM_COMBINE, TS_XOR},
    {"complex.add", FORM_COMBINE, TS_SUM},
    {"complex.conj", FORM_NEGATE, TS_REDUCTION_NONE},
    {"complex.div", FORM_DIVIDE, TS_REDUCTION_NONE},
    {"complex.mul", FORM_MULTIPLY, TS_REDUCTION_NONE},
    {"complex.neg", FORM_NEGATE, TS_REDUCTION_NONE},
    {"complex.sub", FORM_SUBTRACT, TS_SUM},
    {"math.fma", FORM_MULTIPLY_ADD, TS_SUM},
    {"tosa.add", FORM_COMBINE, TS_SUM},
    {"tosa.bitwise_and", FORM_COMBINE, TS_AND},
    {"tosa.bitwise_or", FORM_COMBINE, TS_OR},
    {"tosa.bitwise_xor", FORM_COMBINE, TS_XOR},
    {"tosa.logical_and", FORM_COMBINE, TS_AND},
    {"tosa.logical_or", FORM_COMBINE, TS_OR},
    {"tosa.logical_xor", FORM_COMBINE, TS_XOR},
    {"tosa.mul", FORM_MULTIPLY, TS_REDUCTION_NONE},
    {"tosa.negate", FORM_NEGATE, TS_REDUCTION_NONE},
    {"tosa.select", FORM_CHOOSE, TS_REDUCTION_NONE},
    {"tosa.sub", FORM_SUBTRACT, TS_SUM},
};

static int compare_rows(const void *name, const void *r) {
  return strcmp(name, ((const row *)r)->op);
}

static const row *find_row(MlirOperation op) {
  const char *name = ts_op_name(op);
  return bsearch(name, rows, sizeof(rows) / sizeof(rows[0]), sizeof(rows[0]), compare_rows);
}

static MlirType element_type(MlirOperation op) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  return mlirTypeIsAShaped(type) ? mlirShapedTypeGetElementType(type) : type;
}

static bool is_i1(MlirType type) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

/* On one bit, addition is exclusive or and multiplication is and. */
static ts_reduction kind_for(ts_reduction kind, MlirType element) {
  if (!is_i1(element))
    return kind;
  return kind == TS_SUM ? TS_XOR : kind == TS_PRODUCT ? TS_AND : kind;
}

/* tosa's integer multiplication shifts and rounds, and its integer negation has zero points. */
static bool is_rounded(MlirOperation op, MlirType element) {
  return !mlirTypeIsAFloat(element) && (ts_op_is(op, "tosa.mul") || ts_op_is(op, "tosa.negate"));
}

static ts_poly apply(const row *r, MlirType element, const ts_poly *x) {
  switch (r->form) {
  case FORM_COMBINE:
  case FORM_SUBTRACT:
    return ts_poly_combine(kind_for(r->kind, element), &x[0], &x[1]);
  case FORM_MULTIPLY:
    return is_i1(element) ? ts_poly_combine(TS_AND, &x[0], &x[1]) : ts_poly_multiply(&x[0], &x[1]);
  case FORM_NEGATE:
    return scale(&x[0]);
  case FORM_DIVIDE:
    return divide(&x[0], &x[1]);
  case FORM_MULTIPLY_ADD:
    return multiply_add(&x[0], &x[1], &x[2]);
  case FORM_CHOOSE:
    return choose(&x[0], &x[1], &x[2]);
  case FORM_WIDEN:
    return x[0].kind == TS_PRODUCT ? nonlinear(x[0].depends) : x[0];
  case FORM_WRAP:
    return scale(&x[0]);
  }
  return nonlinear(0);
}

ts_poly ts_poly_of_op(MlirOperation op, const ts_poly *operands) {
  intptr_t num = mlirOperationGetNumOperands(op);
  uint32_t depends = 0;
  bool constant = mlirOperationGetNumRegions(op) == 0;
  for (intptr_t i = 0; i < num; ++i) {
    depends |= operands[i].depends;
    constant &= is_constant(&operands[i]);
  }
  const row *r = mlirOperationGetNumResults(op) == 1 ? find_row(op) : NULL;
  if (!r)
    return constant ? ts_poly_constant() : nonlinear(depends);
  MlirType element = element_type(op);
  if (is_rounded(op, element))
    return nonlinear(depends);
  ts_poly result = apply(r, element, operands);
  if (result.kind == TS_SUM && is_i1(element))
    return nonlinear(depends); /* one bit has no sum but exclusive or */
  result.depends = depends;
  return result;
}

/* ---- combiners --------------------------------------------------------------------------------
 */

ts_reduction ts_combiner_of(MlirOperation op, intptr_t accumulator) {
  const row *r = mlirOperationGetNumResults(op) == 1 ? find_row(op) : NULL;
  if (!r)
    return TS_REDUCTION_NONE;
  MlirType element = element_type(op);
  if (r->form == FORM_COMBINE && accumulator < 2)
    return kind_for(r->kind, element);
  if (r->form == FORM_SUBTRACT && accumulator == 0)
    return kind_for(r->kind, element);
  if (r->form == FORM_MULTIPLY && accumulator < 2)
    return kind_for(TS_PRODUCT, element);
  if (r->form == FORM_MULTIPLY_ADD && accumulator == 2)
    return r->kind;
  return TS_REDUCTION_NONE;
}

ts_poly ts_combiner_contribution(intptr_t accumulator, const ts_poly *operands) {
  return accumulator == 2 ? ts_poly_multiply(&operands[0], &operands[1])
                          : operands[1 - accumulator];
}

/* ---- ends -------------------------------------------------------------------------------------
 */

/* Whether a constant op's value is zero, of any numeric type. */
static bool is_zero(MlirOperation op) {
  MlirAttribute value = ts_attribute(op, "value");
  if (mlirAttributeIsNull(value))
    value = ts_attribute(op, "values");
  if (mlirAttributeIsNull(value))
    return false;
  if (mlirAttributeIsADenseElements(value) && mlirDenseElementsAttrIsSplat(value) &&
      !mlirTypeIsAComplex(mlirShapedTypeGetElementType(mlirAttributeGetType(value))))
    value = mlirDenseElementsAttrGetSplatValue(value);
  if (mlirAttributeIsAFloat(value))
    return mlirFloatAttrGetValueDouble(value) == 0;
  if (mlirAttributeIsAInteger(value)) {
    MlirType type = mlirAttributeGetType(value);
    MlirAttribute zero = mlirIntegerAttrGet(type, 0);
    return mlirAttributeEqual(value, zero);
  }
  return false;
}

ts_poly ts_poly_of_constant(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  ts_poly constant = ts_poly_constant();
  if (!mlirOperationIsNull(op) && (ts_op_is(op, "arith.constant") || ts_op_is(op, "tosa.const")) &&
      is_zero(op))
    constant.num_terms = 0;
  return constant;
}

ts_terms ts_poly_terms(const ts_poly *poly) {
  ts_terms terms = {.kind = poly->kind, .must_be_complete = poly->must_be_complete};
  if (!poly->is_linear)
    return terms;
  for (int t = 0; t < poly->num_terms; ++t)
    if (poly->sets[t] == 0)
      return terms; /* a constant would be counted once a device */
  terms.num_terms = poly->num_terms;
  for (int t = 0; t < poly->num_terms; ++t)
    terms.sets[t] = poly->sets[t];
  return terms;
}
