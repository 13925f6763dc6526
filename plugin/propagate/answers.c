/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* shard.get_sharding: questions about the sharding of a value, answered before propagation. It
 * knows what the solver found; it must not know how. */
#include "propagate/answers.h"

#include "model/read.h"
#include "sharding/known.h"
#include "solve/solve.h"
#include "support/diagnostics.h"

/* ---- annotated values ------------------------------------------------------------------------ */

/* The shard.shard that `value` comes from; null if it comes from something else. */
static MlirOperation annotation_of(MlirValue value) {
  MlirOperation none = {NULL};
  if (!mlirValueIsAOpResult(value))
    return none;
  MlirOperation op = mlirOpResultGetOwner(value);
  return ts_op_is(op, "shard.shard") ? op : none;
}

static void answer(MlirOperation question, MlirOperation annotation) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(question, 0),
                                mlirOperationGetOperand(annotation, 1));
  mlirOperationDestroy(question);
}

static MlirWalkResult answer_if_annotated(MlirOperation op, void *user) {
  bool *open = user;
  if (!ts_op_is(op, "shard.get_sharding"))
    return MlirWalkResultAdvance;
  MlirOperation annotation = annotation_of(mlirOperationGetOperand(op, 0));
  if (annotation.ptr)
    answer(op, annotation);
  else
    *open = true;
  return MlirWalkResultSkip;
}

/* ---- other values ---------------------------------------------------------------------------- */

/* Holds `value` to the layout that it was given. Without uses of its own it could get another one
 * as soon as the answer is used. Null after a located error. */
static MlirOperation hold(ts_model *model, const ts_function *function,
                          ts_annotation_writer *writer, MlirValue handle, const ts_value *value) {
  bool defined = mlirValueIsAOpResult(handle);
  MlirBlock block = defined ? mlirOperationGetBlock(mlirOpResultGetOwner(handle))
                            : mlirBlockArgumentGetOwner(handle);
  MlirOperation before = defined ? mlirOperationGetNextInBlock(mlirOpResultGetOwner(handle))
                                 : mlirBlockGetFirstOperation(block);
  const ts_sharding *layout =
      value->is_free
          ? ts_sharding_replicated(model->arena, function->grid, value->rank, value->shape)
          : ts_sharding_with_partial(model->arena, value->layout, 0, NULL);
  if (!ts_layout_known_before(layout, before)) {
    ts_error(before, "question for the sharding of a value whose run-time halo sizes or shard "
                     "offsets are computed after it: expected the annotated value");
    return (MlirOperation){NULL};
  }
  MlirValue held = ts_annotation_write(writer, block, before, mlirOperationGetLocation(before),
                                       handle, layout, TS_FOR_DEFINITION);
  MlirOperation annotation = mlirOpResultGetOwner(held);
  mlirValueReplaceAllUsesExcept(handle, held, 1, &annotation);
  return annotation;
}

/* In program order, up to the first annotation that an answer decides: what comes after it may
 * depend on that. */
static bool answer_in(ts_model *model, const ts_function *function, bool *any) {
  ts_annotation_writer writer = {
      .arena = model->arena,
      .entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(function->handle, 0))};
  for (int i = 0; i < function->num_ops; i++) {
    const ts_op *op = function->ops[i];
    if (op->kind == TS_OP_LINK && !op->results[0]->annotation.ptr)
      break;
    if (!ts_op_is(op->handle, "shard.get_sharding") || !op->operands[0])
      continue;
    MlirValue handle = mlirOperationGetOperand(op->handle, 0);
    MlirOperation annotation = annotation_of(handle);
    if (!annotation.ptr)
      annotation = hold(model, function, &writer, handle, op->operands[0]);
    if (!annotation.ptr)
      return false;
    answer(op->handle, annotation);
    *any = true;
  }
  return true;
}

static bool answer_from_solution(MlirOperation module, bool *any) {
  ts_arena arena = {0};
  ts_model model = {0};
  *any = false;
  bool ok = ts_model_read(&model, &arena, module, TS_CALLS_BY_LAYOUT) && ts_model_solve(&model);
  for (int i = 0; ok && i < model.num_functions; i++)
    if (model.order[i]->is_active)
      ok = answer_in(&model, model.order[i], any);
  ts_arena_free(&arena);
  return ok;
}

bool ts_answer_get_sharding(MlirOperation module) {
  for (;;) {
    bool open = false, any;
    mlirOperationWalk(module, answer_if_annotated, &open, MlirWalkPreOrder);
    if (!open)
      return true;
    if (!answer_from_solution(module, &any))
      return false;
    if (!any)
      return true;
  }
}
