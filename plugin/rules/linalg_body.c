/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The scalar code of a structured op: how results are reduced and how they depend on operands. It
 * knows blocks of scalar ops; it must not know indexing maps. */
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "ir/element_types.h"
#include "ir/linalg_covers.h"
#include "rules/build_loops.h"
#include "rules/linalg.h"
#include "rules/linear_terms.h"
#include "support/map.h"

typedef struct body {
  ts_arena *arena;
  MlirBlock block;
  MlirOperation yield;
  intptr_t num_inputs, num_arguments;
  ts_captured captured;
  ts_map values; /* values of the block -> ts_poly */
} body;

/* ---- polynomials of all values --------------------------------------------------------------- */

static void bind(body *b, MlirValue value, ts_poly poly) {
  ts_map_set(&b->values, b->arena, value.ptr, ts_arena_copy(b->arena, &poly, sizeof(poly)));
}

static ts_poly poly_of(const body *b, MlirValue value) {
  const ts_poly *found = ts_map_get(&b->values, value.ptr);
  return found ? *found : ts_poly_of_constant(value);
}

static ts_poly *operand_polys(const body *b, MlirOperation op) {
  intptr_t num = mlirOperationGetNumOperands(op);
  ts_poly *polys = TS_NEW(b->arena, ts_poly, num);
  for (intptr_t i = 0; i < num; i++)
    polys[i] = poly_of(b, mlirOperationGetOperand(op, i));
  return polys;
}

/* An op with regions may read whatever is in scope. */
static ts_poly of_anything(const body *b) {
  intptr_t n = b->num_arguments + b->captured.num;
  return (ts_poly){.depends = n >= 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1};
}

/* An element of a captured tensor, which is an input behind the arguments; NULL if `op` reads none.
 */
static const ts_captured_use *extracted_by(const body *b, MlirOperation op) {
  for (int u = 0; u < b->captured.num_uses; u++)
    if (mlirOperationEqual(b->captured.uses[u].user, op))
      return &b->captured.uses[u];
  return NULL;
}

/* Where it is read has to be the same on every device. */
static ts_poly of_extract(const body *b, const ts_captured_use *use) {
  ts_poly poly = ts_poly_input((int)b->num_arguments + use->value);
  const ts_poly *operands = operand_polys(b, use->user);
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(use->user); i++) {
    poly.must_be_complete |= operands[i].depends;
    poly.depends |= operands[i].depends;
  }
  return poly;
}

static ts_poly of_op(const body *b, MlirOperation op) {
  if (mlirOperationGetNumRegions(op))
    return of_anything(b);
  const ts_captured_use *use = extracted_by(b, op);
  return use ? of_extract(b, use) : ts_poly_of_op(op, operand_polys(b, op));
}

static void read_values(body *b) {
  for (intptr_t i = 0; i < b->num_arguments; i++)
    bind(b, mlirBlockGetArgument(b->block, i), ts_poly_input((int)i));
  for (MlirOperation op = mlirBlockGetFirstOperation(b->block); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    ts_poly poly = of_op(b, op);
    for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++) {
      MlirValue result = mlirOperationGetResult(op, r);
      if (poly.is_linear && !poly.depends)
        poly = ts_poly_of_constant(result);
      bind(b, result, poly);
    }
  }
}

/* ---- combiners ------------------------------------------------------------------------------- */

/* The one use of `value`; null if there is another number of uses. */
static MlirOpOperand only_use(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return (MlirOpOperand){NULL};
  return use;
}

/* Whether collectives reduce elements of this type, by sum if by any; others they only move. */
static bool is_reducible(MlirType type) {
  return ts_reduction_has_meaning(TS_SUM, ts_dtype(type));
}

/* What one step of a reduction adds, and the value behind it. */
typedef struct step {
  ts_reduction kind;
  ts_poly contribution;
  MlirValue next;
} step;

/* `select(c, combined, before)`, or the other way round: what is added only where `c` holds, which
 * does not depend on what was reduced so far. */
static bool read_condition(const body *b, MlirOperation select, MlirValue combined,
                           MlirValue before, step *s) {
  if (!ts_op_is(select, "arith.select"))
    return false;
  MlirValue a = mlirOperationGetOperand(select, 1), c = mlirOperationGetOperand(select, 2);
  bool picks = (mlirValueEqual(a, combined) && mlirValueEqual(c, before)) ||
               (mlirValueEqual(a, before) && mlirValueEqual(c, combined));
  if (!picks)
    return false;
  s->contribution.must_be_complete |= poly_of(b, mlirOperationGetOperand(select, 0)).depends;
  s->next = mlirOperationGetResult(select, 0);
  return true;
}

static step read_combiner(const body *b, MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  intptr_t position = (intptr_t)mlirOpOperandGetOperandNumber(use);
  step s = {.kind = ts_combiner_of(op, position), .next = {NULL}};
  if (!s.kind || mlirOperationGetBlock(op).ptr != b->block.ptr)
    return (step){.kind = TS_REDUCTION_NONE};
  s.contribution = ts_combiner_contribution(position, operand_polys(b, op));
  s.next = mlirOperationGetResult(op, 0);
  return s;
}

/* The step from `value`, what was reduced so far, whose uses are the combiner and maybe a choice
 * between before and after it. Kind NONE if it is another. */
static step read_step(const body *b, MlirValue value) {
  MlirOpOperand first = mlirValueGetFirstUse(value);
  MlirOpOperand second = mlirOpOperandGetNextUse(first);
  if (mlirOpOperandIsNull(second))
    return read_combiner(b, first);
  if (!mlirOpOperandIsNull(mlirOpOperandGetNextUse(second)))
    return (step){.kind = TS_REDUCTION_NONE};
  MlirOpOperand uses[2] = {first, second};
  for (int i = 0; i < 2; i++) {
    step s = read_combiner(b, uses[i]);
    MlirOpOperand only = s.kind ? only_use(s.next) : (MlirOpOperand){NULL};
    if (!mlirOpOperandIsNull(only) &&
        mlirOperationEqual(mlirOpOperandGetOwner(only), mlirOpOperandGetOwner(uses[1 - i])) &&
        read_condition(b, mlirOpOperandGetOwner(only), s.next, value, &s))
      return s;
  }
  return (step){.kind = TS_REDUCTION_NONE};
}

/* The number of the result that `value` ends as; -1: it goes on. */
static intptr_t yielded_as(const body *b, MlirValue value) {
  MlirOpOperand use = only_use(value);
  if (mlirOpOperandIsNull(use) || !mlirOperationEqual(mlirOpOperandGetOwner(use), b->yield))
    return -1;
  return (intptr_t)mlirOpOperandGetOperandNumber(use);
}

/* Follows the value reduced so far from its block argument through combiners of one kind to the
 * yield of result `r`. Adds what they contribute to `terms`. NONE if it does not get there. */
static ts_reduction follow_accumulator(const body *b, intptr_t r, ts_poly *terms) {
  MlirValue value = mlirBlockGetArgument(b->block, b->num_inputs + r);
  ts_reduction kind = TS_REDUCTION_NONE;
  if (!is_reducible(mlirValueGetType(value)))
    return kind;
  while (yielded_as(b, value) < 0) {
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(value)))
      return TS_REDUCTION_NONE;
    step s = read_step(b, value);
    if (!s.kind || (kind && s.kind != kind))
      return TS_REDUCTION_NONE;
    *terms = ts_poly_combine(s.kind, terms, &s.contribution);
    kind = s.kind;
    value = s.next;
  }
  return yielded_as(b, value) == r ? kind : TS_REDUCTION_NONE;
}

/* Result `r`, which takes part in no reduction. Where its destination is seen between what is
 * written, it is no combination of partial values: they would be added to what stands there. */
static void read_elementwise(const body *b, ts_op_loops *out, intptr_t r, bool covers) {
  ts_poly poly = poly_of(b, mlirOperationGetOperand(b->yield, r));
  out->result_reduction[r] = TS_REDUCTION_NONE;
  out->terms[r] = covers ? ts_poly_terms(&poly) : (ts_terms){.kind = TS_REDUCTION_NONE};
}

int ts_linalg_read_body(ts_arena *arena, MlirOperation op, ts_body_kind kind, ts_op_loops *out) {
  body b = {.arena = arena, .block = ts_linalg_body(op), .num_inputs = ts_linalg_num_inputs(op)};
  b.num_arguments = mlirBlockGetNumArguments(b.block);
  b.yield = mlirBlockGetTerminator(b.block);
  b.captured = ts_captured_tensors(arena, op);
  read_values(&b);
  int unknown = -1;
  for (int r = 0; r < out->num_results; r++) {
    MlirValue argument = mlirBlockGetArgument(b.block, b.num_inputs + r);
    out->result_init[r] = (int)b.num_inputs + r;
    bool covers = ts_linalg_covers(op, r);
    out->init_is_read[r] = !covers || !mlirOpOperandIsNull(mlirValueGetFirstUse(argument));
    if (kind == TS_BODY_ELEMENTWISE) {
      read_elementwise(&b, out, r, covers);
      continue;
    }
    ts_poly terms = ts_poly_input((int)b.num_inputs + r);
    out->result_reduction[r] = follow_accumulator(&b, r, &terms);
    if (out->result_reduction[r])
      out->terms[r] = ts_poly_terms(&terms);
    else if (unknown < 0)
      unknown = r;
  }
  for (int r = 0; unknown >= 0 && r < out->num_results; r++)
    out->result_reduction[r] = TS_REDUCTION_NONE;
  return unknown;
}

bool ts_linalg_is_copy(MlirOperation op) {
  if (!ts_op_is_linalg(op) || ts_linalg_num_inputs(op) != 1 || ts_linalg_num_inits(op) != 1 ||
      !ts_linalg_covers(op, 0))
    return false;
  for (intptr_t l = 0; l < ts_linalg_num_loops(op); l++)
    if (ts_linalg_iterator(op, l) != 0)
      return false;
  MlirBlock block = ts_linalg_body(op);
  MlirOperation yield = mlirBlockGetTerminator(block);
  return mlirOperationGetNumOperands(yield) == 1 &&
         mlirValueEqual(mlirOperationGetOperand(yield, 0), mlirBlockGetArgument(block, 0));
}
