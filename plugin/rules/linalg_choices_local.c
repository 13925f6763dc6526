/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The local form of reductions that choose: each device chooses among its own candidates, and all
 * choose among the devices'. It knows which value of a body is whose; it must not know what makes
 * one candidate stay. */
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"

#include "capi/capi.h"
#include "ir/generic.h"
#include "rules/build_loops.h"
#include "rules/linalg.h"

/* The body of the op that chooses among the devices' candidates, in the making. */
typedef struct rebuild {
  MlirBlock body; /* of the op in the source */
  int num, stops; /* results; the one that ts_loop.number_of says, or -1 */
  MlirValue before[TS_MOST_CHOSEN], next[TS_MOST_CHOSEN];         /* in the source */
  MlirValue new_before[TS_MOST_CHOSEN], new_next[TS_MOST_CHOSEN]; /* what they become */
  ts_arena *arena;
  MlirBlock into;
  ts_map made; /* ops of the body -> their clones */
} rebuild;

/* `value` of the body, computed from what the candidates become. */
static MlirValue rebuilt(rebuild *b, MlirValue value) {
  for (int r = 0; r < b->num; r++)
    if (mlirValueEqual(value, b->next[r]))
      return b->new_next[r];
  for (int r = 0; r < b->num; r++)
    if (mlirValueEqual(value, b->before[r]))
      return b->new_before[r];
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || mlirOperationGetBlock(op).ptr != b->body.ptr)
    return value;
  MlirOperation clone = {ts_map_get(&b->made, op.ptr)};
  if (!clone.ptr) {
    clone = mlirOperationClone(op);
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
      mlirOperationSetOperand(clone, i, rebuilt(b, mlirOperationGetOperand(op, i)));
    mlirBlockAppendOwnedOperation(b->into, clone);
    ts_map_set(&b->made, b->arena, op.ptr, clone.ptr);
  }
  return mlirOperationGetResult(clone, mlirOpResultGetResultNumber(value));
}

/* What is yielded as result `r`. What that may become is its own candidate, though another result
 * may become the same value: of zeros that one may have another sign. */
static MlirValue rebuilt_result(rebuild *b, MlirValue value, int r) {
  MlirOperation op = ts_defining_op(value), clone = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    bool is_own = mlirValueEqual(operand, b->next[r]);
    mlirOperationSetOperand(clone, i, is_own ? b->new_next[r] : rebuilt(b, operand));
  }
  mlirBlockAppendOwnedOperation(b->into, clone);
  return mlirOperationGetResult(clone, 0);
}

/* Candidates: the results, and the best number beside one that may be a NaN. */
static int num_stacked(int num, int stops) {
  return num + (stops >= 0);
}

/* The arguments of the new block are candidates, then what was found so far. Unless `place` is -1,
 * the one of both with the lesser index, result `place`, is taken for what was found before. */
static void take_arguments(ts_emit *emit, rebuild *b, int place) {
  enum { LESS = 2 }; /* arith's number, of signed ones */
  ts_maker maker = ts_make_at_end(b->into, emit->location);
  MlirValue turned = {NULL};
  int stacked = num_stacked(b->num, b->stops);
  if (place >= 0)
    turned = ts_make_compare(&maker, "arith.cmpi", LESS, mlirBlockGetArgument(b->into, place),
                             mlirBlockGetArgument(b->into, stacked + place));
  for (int r = 0; r < b->num; r++) {
    MlirValue next = mlirBlockGetArgument(b->into, r);
    MlirValue before = mlirBlockGetArgument(b->into, stacked + r);
    b->new_next[r] = place < 0 ? next : ts_make_select(&maker, turned, before, next);
    b->new_before[r] = place < 0 ? before : ts_make_select(&maker, turned, next, before);
  }
}

static MlirRegion choosing_body(ts_emit *emit, MlirOperation op, int num, int place, int stops) {
  MlirType types[2 * TS_MOST_CHOSEN + 1];
  MlirLocation locations[2 * TS_MOST_CHOSEN + 1];
  MlirValue yields[TS_MOST_CHOSEN];
  rebuild b = {.body = ts_linalg_body(op), .num = num, .stops = stops, .arena = emit->arena};
  int stacked = num_stacked(num, stops);
  for (int r = 0; r < num; r++) {
    b.before[r] = ts_choice_before(op, r);
    b.next[r] = ts_choice_next(op, r);
    types[r] = types[stacked + r] = mlirValueGetType(b.before[r]);
    locations[r] = locations[stacked + r] = emit->location;
  }
  if (stops >= 0) {
    types[num] = types[stops];
    locations[num] = emit->location;
  }
  b.into = mlirBlockCreate(stacked + num, types, locations);
  take_arguments(emit, &b, place);
  MlirOperation yield = mlirBlockGetTerminator(b.body);
  MlirValue best = stops >= 0 ? b.new_next[stops] : (MlirValue){NULL};
  if (stops >= 0)
    b.new_next[stops] = mlirBlockGetArgument(b.into, num);
  for (int r = 0; r < num; r++)
    if (r != stops)
      yields[r] = rebuilt_result(&b, mlirOperationGetOperand(yield, r), r);
  /* Last, and of what may be a NaN: of this nothing is rebuilt yet, for all conditions compare what
   * is before and next alone. */
  if (stops >= 0) {
    b.new_next[stops] = best;
    yields[stops] = rebuilt_result(&b, mlirOperationGetOperand(yield, stops), stops);
  }
  return ts_end_body(b.into, emit->location, num, yields);
}

/* All axes of the dimension, as if one factor were split over them. */
static ts_factor all_axes_of(const ts_dim *dim) {
  ts_factor all = dim->factors[0];
  for (int f = 1; f < dim->num_factors; f++)
    for (int i = 0; i < dim->factors[f].num_axes; i++)
      all.axes[all.num_axes++] = dim->factors[f].axes[i];
  return all;
}

/* Maps of the stacked candidates and of the results, over the devices and the op's parallel loops.
 */
static void choosing_maps(ts_emit *emit, MlirOperation op, int num, int stops,
                          MlirAttribute *maps) {
  MlirContext context = emit->context;
  intptr_t num_loops = ts_linalg_num_loops(op), num_inputs = ts_linalg_num_inputs(op);
  MlirAffineExpr *loops = TS_NEW(emit->arena, MlirAffineExpr, num_loops);
  MlirAffineExpr *dims = TS_NEW(emit->arena, MlirAffineExpr, num_loops);
  for (intptr_t l = 0, next = 1; l < num_loops; l++)
    if (ts_linalg_iterator(op, l) == 0)
      loops[l] = mlirAffineDimExprGet(context, next++);
  dims[0] = mlirAffineDimExprGet(context, 0);
  for (int r = 0; r < num; r++) {
    MlirAffineMap map = ts_linalg_map(op, num_inputs + r);
    for (intptr_t d = 0; d < num_loops - 1; d++)
      dims[1 + d] = loops[mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, d))];
    maps[r] = mlirAffineMapAttrGet(mlirAffineMapGet(context, num_loops, 0, num_loops, dims));
    maps[num_stacked(num, stops) + r] =
        mlirAffineMapAttrGet(mlirAffineMapGet(context, num_loops, 0, num_loops - 1, dims + 1));
  }
  if (stops >= 0)
    maps[num] = maps[stops];
}

/* ---- numbers before a NaN -------------------------------------------------------------------- */

/* Lets the local op, of which result `stops` has this value of the next candidate, give the best
 * number before a NaN as well, as its last result: that is what the others were chosen by. */
static MlirOperation with_number(ts_emit *emit, MlirOperation op, int stops, MlirValue next) {
  enum { ORDERED = 7 }; /* arith's number */
  intptr_t num_inputs = ts_linalg_num_inputs(op), num = ts_linalg_num_inits(op);
  intptr_t own = num_inputs + num;
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, own + 1), yields[TS_MOST_CHOSEN + 1];
  MlirAttribute *maps = TS_NEW(emit->arena, MlirAttribute, own + 1);
  MlirType types[TS_MOST_CHOSEN + 1];
  for (intptr_t i = 0; i <= own; i++) {
    intptr_t from = i < own ? i : num_inputs + stops;
    operands[i] = mlirOperationGetOperand(op, from);
    maps[i] = mlirAffineMapAttrGet(ts_linalg_map(op, from));
  }
  MlirAttribute listed = ts_attribute(op, "iterator_types");
  intptr_t num_loops = ts_linalg_num_loops(op);
  MlirAttribute *iterators = TS_NEW(emit->arena, MlirAttribute, num_loops);
  for (intptr_t l = 0; l < num_loops; l++)
    iterators[l] = mlirArrayAttrGetElement(listed, l);
  MlirBlock body = ts_linalg_body(op);
  MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t r = 0; r < num; r++) {
    types[r] = mlirValueGetType(mlirOperationGetResult(op, r));
    yields[r] = mlirOperationGetOperand(yield, r);
  }
  types[num] = types[stops];
  MlirValue before = mlirBlockGetArgument(body, num_inputs + stops);
  MlirValue number = mlirBlockAddArgument(body, mlirValueGetType(before), emit->location);
  ts_maker maker = ts_make_before(yield);
  MlirValue both = ts_make_compare(&maker, "arith.cmpf", ORDERED, before, next);
  yields[num] = ts_make_select(&maker, both, yields[stops], number);
  mlirOperationDestroy(yield);
  mlirBlockDetach(body);
  maker = ts_make_before(op);
  MlirOperation wider = ts_make_generic(
      &maker, &(ts_new_generic){.num_inputs = num_inputs,
                                .num_outputs = num + 1,
                                .operands = operands,
                                .maps = maps,
                                .num_loops = num_loops,
                                .iterators = iterators,
                                .results = types,
                                .body = ts_end_body(body, emit->location, num + 1, yields)});
  mlirOperationDestroy(op);
  return wider;
}

/* ---- the rule -------------------------------------------------------------------------------- */

bool ts_choice_localize(const ts_localize *context, int loop, MlirValue *results) {
  ts_emit *emit = context->emit;
  int num = (int)ts_linalg_num_inits(context->op);
  intptr_t num_loops = ts_linalg_num_loops(context->op);
  ts_localize own = *context;
  own.op = ts_clone_here(emit, context->op);
  int stops = context->loops->loops[loop].number_of - 1, stacked = num_stacked(num, stops);
  MlirValue operands[2 * TS_MOST_CHOSEN + 1], found[TS_MOST_CHOSEN + 1];
  for (int r = 0; r < num; r++)
    found[r] = mlirOperationGetResult(own.op, r);
  MlirValue next = stops < 0 ? (MlirValue){NULL} : ts_choice_next(own.op, stops);
  if (!ts_linalg_localize_plain(&own, found))
    return false;
  if (stops >= 0)
    own.op = with_number(emit, own.op, stops, next);
  for (int r = 0; r < stacked; r++)
    found[r] = mlirOperationGetResult(own.op, r);
  const ts_dim *split = &context->loop_sharding->loops[loop];
  /* Pieces of several factors lie between each other: the devices' order is not that of places. */
  int place = split->num_factors > 1 ? ts_choice_place(context->op) : -1;
  ts_factor devices = all_axes_of(split);
  for (int r = 0; r < stacked; r++)
    operands[r] = ts_emit_stack(emit, found[r], context->loop_sharding->grid, &devices);
  for (int r = 0; r < num; r++)
    operands[stacked + r] = context->operands[ts_linalg_num_inputs(context->op) + r];
  MlirAttribute maps[2 * TS_MOST_CHOSEN + 1];
  MlirAttribute *iterators = TS_NEW(emit->arena, MlirAttribute, num_loops);
  choosing_maps(emit, context->op, num, stops, maps);
  ts_parallel_iterators(emit->context, num_loops, iterators);
  iterators[0] = ts_reduction_iterator(emit->context);
  ts_maker maker = ts_emit_place(emit);
  MlirRegion body = choosing_body(emit, context->op, num, place, stops);
  MlirOperation chosen = ts_make_generic(&maker, &(ts_new_generic){.num_inputs = stacked,
                                                                   .num_outputs = num,
                                                                   .operands = operands,
                                                                   .maps = maps,
                                                                   .num_loops = num_loops,
                                                                   .iterators = iterators,
                                                                   .results = context->result_types,
                                                                   .body = body});
  for (int r = 0; r < num; r++)
    results[r] = mlirOperationGetResult(chosen, r);
  return true;
}
