/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The local form of reductions that choose or merge: each device does among its own candidates, and
 * all do among the devices'. It knows which value of a body is whose; it must not know what makes
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
  MlirValue before[TS_MOST_CHOSEN], next[TS_MOST_CHOSEN];
  ts_arena *arena;
  MlirBlock into;
  ts_map made; /* ops of the body -> their clones */
} rebuild;

/* `value` of the body, computed from the arguments of the new block: candidates, then what was
 * found so far. */
static MlirValue rebuilt(rebuild *b, MlirValue value) {
  for (int r = 0; r < b->num; r++)
    if (mlirValueEqual(value, b->next[r]))
      return mlirBlockGetArgument(b->into, r);
  for (int r = 0; r < b->num; r++)
    if (mlirValueEqual(value, b->before[r]))
      return mlirBlockGetArgument(b->into, b->num + r);
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

static MlirRegion choosing_body(ts_emit *emit, MlirOperation op, int num, bool merges) {
  MlirType types[2 * TS_MOST_CHOSEN];
  MlirLocation locations[2 * TS_MOST_CHOSEN];
  MlirValue yields[TS_MOST_CHOSEN];
  rebuild b = {.body = ts_linalg_body(op), .num = num, .arena = emit->arena};
  for (int r = 0; r < num; r++) {
    b.before[r] = ts_choice_before(op, r);
    b.next[r] = merges ? mlirBlockGetArgument(b.body, r) : ts_choice_next(op, r);
    types[r] = types[num + r] = mlirValueGetType(b.before[r]);
    locations[r] = locations[num + r] = emit->location;
  }
  b.into = mlirBlockCreate(2 * num, types, locations);
  MlirOperation yield = mlirBlockGetTerminator(b.body);
  for (int r = 0; r < num; r++)
    yields[r] = rebuilt(&b, mlirOperationGetOperand(yield, r));
  return ts_end_body(b.into, emit->location, num, yields);
}

/* Maps of the stacked candidates and of the results, over the devices and the op's `num_parallel`
 * parallel loops. */
static void choosing_maps(ts_emit *emit, MlirOperation op, int num, intptr_t num_parallel,
                          MlirAttribute *maps) {
  MlirContext context = emit->context;
  intptr_t num_loops = 1 + num_parallel, num_inputs = ts_linalg_num_inputs(op);
  MlirAffineExpr *loops = TS_NEW(emit->arena, MlirAffineExpr, ts_linalg_num_loops(op));
  MlirAffineExpr *dims = TS_NEW(emit->arena, MlirAffineExpr, num_loops);
  for (intptr_t l = 0, next = 1; l < ts_linalg_num_loops(op); l++)
    if (ts_linalg_iterator(op, l) == 0)
      loops[l] = mlirAffineDimExprGet(context, next++);
  dims[0] = mlirAffineDimExprGet(context, 0);
  for (int r = 0; r < num; r++) {
    MlirAffineMap map = ts_linalg_map(op, num_inputs + r);
    for (intptr_t d = 0; d < num_parallel; d++)
      dims[1 + d] = loops[mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, d))];
    maps[r] = mlirAffineMapAttrGet(mlirAffineMapGet(context, num_loops, 0, num_loops, dims));
    maps[num + r] =
        mlirAffineMapAttrGet(mlirAffineMapGet(context, num_loops, 0, num_parallel, dims + 1));
  }
}

/* Makes of what each device found, in `found`, what all did that differ along `loop`. */
static void choose_along(const ts_localize *context, int loop, MlirValue *found) {
  ts_emit *emit = context->emit;
  MlirOperation op = context->op;
  int num = (int)ts_linalg_num_inits(op);
  intptr_t num_parallel = ts_linalg_num_loops(op) - ts_linalg_loops_reduced(op);
  const ts_factor *split = &context->loop_sharding->loops[loop].factors[0];
  MlirValue operands[2 * TS_MOST_CHOSEN];
  for (int r = 0; r < num; r++) {
    operands[r] = ts_emit_stack(emit, found[r], context->loop_sharding->grid, split);
    operands[num + r] = context->operands[ts_linalg_num_inputs(op) + r];
  }
  MlirAttribute maps[2 * TS_MOST_CHOSEN];
  MlirAttribute *iterators = TS_NEW(emit->arena, MlirAttribute, 1 + num_parallel);
  choosing_maps(emit, op, num, num_parallel, maps);
  ts_parallel_iterators(emit->context, 1 + num_parallel, iterators);
  iterators[0] = ts_reduction_iterator(emit->context);
  ts_maker place = ts_emit_place(emit);
  MlirRegion body = choosing_body(emit, op, num, context->loops->loops[loop].merges);
  MlirOperation chosen = ts_make_generic(&place, &(ts_new_generic){.num_inputs = num,
                                                                   .num_outputs = num,
                                                                   .operands = operands,
                                                                   .maps = maps,
                                                                   .num_loops = 1 + num_parallel,
                                                                   .iterators = iterators,
                                                                   .results = context->result_types,
                                                                   .body = body});
  for (int r = 0; r < num; r++)
    found[r] = mlirOperationGetResult(chosen, r);
}

bool ts_choice_localize(const ts_localize *context, MlirValue *results) {
  ts_localize own = *context;
  own.op = ts_clone_here(context->emit, context->op);
  for (intptr_t r = 0; r < ts_linalg_num_inits(context->op); r++)
    results[r] = mlirOperationGetResult(own.op, r);
  if (!ts_linalg_localize_plain(&own, results))
    return false;
  for (int l = 0; l < context->loops->num_loops; l++)
    if (context->loops->loops[l].kind == TS_LOOP_CHOICE &&
        ts_dim_is_split(&context->loop_sharding->loops[l]))
      choose_along(context, l, results);
  return true;
}
