/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The scalar code of a structured op: how results are reduced and how they depend on operands. It
 * knows blocks of scalar ops; it must not know indexing maps. */
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "ir/element_types.h"
#include "rules/build_loops.h"
#include "rules/linalg.h"
#include "rules/linear_terms.h"
#include "support/map.h"

typedef struct body {
  ts_arena *arena;
  MlirBlock block;
  MlirOperation yield;
  intptr_t num_inputs, num_arguments;
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
  intptr_t n = b->num_arguments;
  return (ts_poly){.depends = n >= 32 ? UINT32_MAX : (UINT32_C(1) << n) - 1};
}

static void read_values(body *b) {
  for (intptr_t i = 0; i < b->num_arguments; i++)
    bind(b, mlirBlockGetArgument(b->block, i), ts_poly_input((int)i));
  for (MlirOperation op = mlirBlockGetFirstOperation(b->block); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    ts_poly poly =
        mlirOperationGetNumRegions(op) ? of_anything(b) : ts_poly_of_op(op, operand_polys(b, op));
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

/* Follows the value reduced so far from its block argument through combiners of one kind to the
 * yield of result `r`. Adds what they contribute to `terms`. NONE if it does not get there. */
static ts_reduction follow_accumulator(const body *b, intptr_t r, ts_poly *terms) {
  MlirValue value = mlirBlockGetArgument(b->block, b->num_inputs + r);
  ts_reduction kind = TS_REDUCTION_NONE;
  if (!is_reducible(mlirValueGetType(value)))
    return kind;
  for (;;) {
    MlirOpOperand use = only_use(value);
    if (mlirOpOperandIsNull(use))
      return TS_REDUCTION_NONE;
    MlirOperation user = mlirOpOperandGetOwner(use);
    intptr_t position = (intptr_t)mlirOpOperandGetOperandNumber(use);
    if (mlirOperationEqual(user, b->yield))
      return position == r ? kind : TS_REDUCTION_NONE;
    ts_reduction step = ts_combiner_of(user, position);
    if (!step || (kind && step != kind) || mlirOperationGetBlock(user).ptr != b->block.ptr)
      return TS_REDUCTION_NONE;
    ts_poly contribution = ts_combiner_contribution(position, operand_polys(b, user));
    *terms = ts_poly_combine(step, terms, &contribution);
    kind = step;
    value = mlirOperationGetResult(user, 0);
  }
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
