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
  int num;
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

/* The arguments of the new block are candidates, then what was found so far. Unless `place` is -1,
 * the one of both with the lesser index, result `place`, is taken for what was found before. */
static void take_arguments(ts_emit *emit, rebuild *b, int place) {
  enum { LESS = 2 }; /* arith's number, of signed ones */
  ts_maker maker = ts_make_at_end(b->into, emit->location);
  MlirValue turned = {NULL};
  if (place >= 0)
    turned = ts_make_compare(&maker, "arith.cmpi", LESS, mlirBlockGetArgument(b->into, place),
                             mlirBlockGetArgument(b->into, b->num + place));
  for (int r = 0; r < b->num; r++) {
    MlirValue next = mlirBlockGetArgument(b->into, r);
    MlirValue before = mlirBlockGetArgument(b->into, b->num + r);
    b->new_next[r] = place < 0 ? next : ts_make_select(&maker, turned, before, next);
    b->new_before[r] = place < 0 ? before : ts_make_select(&maker, turned, next, before);
  }
}

static MlirRegion choosing_body(ts_emit *emit, MlirOperation op, int num, int place) {
  MlirType types[2 * TS_MOST_CHOSEN];
  MlirLocation locations[2 * TS_MOST_CHOSEN];
  MlirValue yields[TS_MOST_CHOSEN];
  rebuild b = {.body = ts_linalg_body(op), .num = num, .arena = emit->arena};
  for (int r = 0; r < num; r++) {
    b.before[r] = ts_choice_before(op, r);
    b.next[r] = ts_choice_next(op, r);
    types[r] = types[num + r] = mlirValueGetType(b.before[r]);
    locations[r] = locations[num + r] = emit->location;
  }
  b.into = mlirBlockCreate(2 * num, types, locations);
  take_arguments(emit, &b, place);
  MlirOperation yield = mlirBlockGetTerminator(b.body);
  for (int r = 0; r < num; r++)
    yields[r] = rebuilt(&b, mlirOperationGetOperand(yield, r));
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
static void choosing_maps(ts_emit *emit, MlirOperation op, int num, MlirAttribute *maps) {
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
    maps[num + r] =
        mlirAffineMapAttrGet(mlirAffineMapGet(context, num_loops, 0, num_loops - 1, dims + 1));
  }
}

bool ts_choice_localize(const ts_localize *context, int loop, MlirValue *results) {
  ts_emit *emit = context->emit;
  int num = (int)ts_linalg_num_inits(context->op);
  intptr_t num_loops = ts_linalg_num_loops(context->op);
  ts_localize own = *context;
  own.op = ts_clone_here(emit, context->op);
  MlirValue operands[2 * TS_MOST_CHOSEN], found[TS_MOST_CHOSEN];
  for (int r = 0; r < num; r++)
    found[r] = mlirOperationGetResult(own.op, r);
  if (!ts_linalg_localize_plain(&own, found))
    return false;
  const ts_dim *split = &context->loop_sharding->loops[loop];
  /* Pieces of several factors lie between each other: the devices' order is not that of places. */
  int place = split->num_factors > 1 ? ts_choice_place(context->op) : -1;
  ts_factor devices = all_axes_of(split);
  for (int r = 0; r < num; r++) {
    operands[r] = ts_emit_stack(emit, found[r], context->loop_sharding->grid, &devices);
    operands[num + r] = context->operands[ts_linalg_num_inputs(context->op) + r];
  }
  MlirAttribute maps[2 * TS_MOST_CHOSEN];
  MlirAttribute *iterators = TS_NEW(emit->arena, MlirAttribute, num_loops);
  choosing_maps(emit, context->op, num, maps);
  ts_parallel_iterators(emit->context, num_loops, iterators);
  iterators[0] = ts_reduction_iterator(emit->context);
  ts_maker maker = ts_emit_place(emit);
  MlirRegion body = choosing_body(emit, context->op, num, place);
  MlirOperation chosen = ts_make_generic(&maker, &(ts_new_generic){.num_inputs = num,
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
