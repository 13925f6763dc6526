/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How scalar code depends on its inputs, op by op from the forms in their rows. It knows
 * arithmetic; it must not know op names, loops, tensors or devices. */
#include "rules/linear_terms.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "rules/constant.h"
#include "rules/rows.h"

/* ---- arithmetic on polynomials --------------------------------------------------------------- */

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

/* Whether `poly` is a combination by `kind`: copies and constants are one by any. */
static bool fits(const ts_poly *poly, ts_reduction kind) {
  return poly->is_linear && (poly->kind == kind || poly->kind == TS_REDUCTION_NONE);
}

static bool add_term(ts_poly *poly, uint32_t set) {
  for (int t = 0; t < poly->num_terms; t++)
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
  for (int t = 0; t < from->num_terms; t++)
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
  for (int s = 0; s < a->num_terms; s++)
    for (int t = 0; t < b->num_terms; t++)
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

/* ---- ops ------------------------------------------------------------------------------------- */

/* What is known of an op of one result; its form is UNKNOWN if nothing is. */
static ts_linear linear_of(MlirOperation op) {
  const ts_rule *rule = mlirOperationGetNumResults(op) == 1 ? ts_rule_named(op) : NULL;
  return rule ? rule->linear : (ts_linear){.form = TS_FORM_UNKNOWN};
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

static ts_poly apply(ts_linear linear, MlirType element, const ts_poly *x) {
  switch (linear.form) {
  case TS_FORM_COPY:
    return x[0];
  case TS_FORM_COMBINE:
  case TS_FORM_SUBTRACT:
    return ts_poly_combine(kind_for(linear.kind, element), &x[0], &x[1]);
  case TS_FORM_MULTIPLY:
    return is_i1(element) ? ts_poly_combine(TS_AND, &x[0], &x[1]) : ts_poly_multiply(&x[0], &x[1]);
  case TS_FORM_NEGATE:
    return scale(&x[0]);
  case TS_FORM_DIVIDE:
    return divide(&x[0], &x[1]);
  case TS_FORM_MULTIPLY_ADD:
    return multiply_add(&x[0], &x[1], &x[2]);
  case TS_FORM_CHOOSE:
    return choose(&x[0], &x[1], &x[2]);
  case TS_FORM_WIDEN:
    return x[0].kind == TS_PRODUCT ? nonlinear(x[0].depends) : x[0];
  case TS_FORM_WRAP:
    return scale(&x[0]);
  case TS_FORM_UNKNOWN:
    break;
  }
  return nonlinear(0);
}

ts_poly ts_poly_of_op(MlirOperation op, const ts_poly *operands) {
  intptr_t num = mlirOperationGetNumOperands(op);
  uint32_t depends = 0;
  bool constant = mlirOperationGetNumRegions(op) == 0;
  for (intptr_t i = 0; i < num; i++) {
    depends |= operands[i].depends;
    constant &= is_constant(&operands[i]);
  }
  ts_linear linear = linear_of(op);
  if (linear.form == TS_FORM_UNKNOWN)
    return constant ? ts_poly_constant() : nonlinear(depends);
  MlirType element = element_type(op);
  if (linear.elements == TS_FLOATS_ALONE && !mlirTypeIsAFloat(element))
    return nonlinear(depends);
  ts_poly result = apply(linear, element, operands);
  if (result.kind == TS_SUM && is_i1(element))
    return nonlinear(depends); /* one bit has no sum but exclusive or */
  result.depends = depends;
  return result;
}

/* ---- combiners ------------------------------------------------------------------------------- */

ts_reduction ts_combiner_of(MlirOperation op, intptr_t accumulator) {
  ts_linear linear = linear_of(op);
  switch (linear.form) {
  case TS_FORM_COMBINE:
    return accumulator < 2 ? kind_for(linear.kind, element_type(op)) : TS_REDUCTION_NONE;
  case TS_FORM_SUBTRACT:
    return accumulator == 0 ? kind_for(linear.kind, element_type(op)) : TS_REDUCTION_NONE;
  case TS_FORM_MULTIPLY:
    return accumulator < 2 ? kind_for(TS_PRODUCT, element_type(op)) : TS_REDUCTION_NONE;
  case TS_FORM_MULTIPLY_ADD:
    return accumulator == 2 ? linear.kind : TS_REDUCTION_NONE;
  default:
    return TS_REDUCTION_NONE;
  }
}

ts_poly ts_combiner_contribution(intptr_t accumulator, const ts_poly *operands) {
  return accumulator == 2 ? ts_poly_multiply(&operands[0], &operands[1])
                          : operands[1 - accumulator];
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* Whether a constant op's value is zero, of any numeric type. */
static bool is_zero(MlirOperation op) {
  MlirAttribute value = ts_constant_value(op);
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
  if (!mlirOperationIsNull(op) && ts_is_constant(op) && is_zero(op))
    constant.num_terms = 0;
  return constant;
}

ts_terms ts_poly_terms(const ts_poly *poly) {
  ts_terms terms = {.kind = poly->kind, .must_be_complete = poly->must_be_complete};
  if (!poly->is_linear)
    return terms;
  for (int t = 0; t < poly->num_terms; t++)
    if (poly->sets[t] == 0)
      return terms; /* a constant would be counted once a device */
  terms.num_terms = poly->num_terms;
  for (int t = 0; t < poly->num_terms; t++)
    terms.sets[t] = poly->sets[t];
  return terms;
}
