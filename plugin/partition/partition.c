/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The pass tessera-partition: annotated functions become the program of one device. Each op runs
 * on local shapes under the layouts that the solver chose (apply.h); pieces.c brings operands
 * there. It knows the model and the order; it must not know any op. */
#include "calls/specialise.h"
#include "ir/ranks.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "model/read.h"
#include "model/resolver.h"
#include "model/restore.h"
#include "model/signature.h"
#include "partition/apply.h"
#include "partition/extent_sources.h"
#include "partition/extents.h"
#include "partition/pieces.h"
#include "partition/repeats.h"
#include "partition/whole_functions.h"
#include "passes.h"
#include "solve/rehearsal.h"
#include "solve/solve.h"
#include "support/blocks.h"
#include "workarounds/expanded_types.h"
#include "workarounds/unit_dims.h"

const ts_option_spec ts_partition_options[] = {{0}};
const int ts_partition_num_options = 0;

/* ---- shape queries --------------------------------------------------------------------------- */

/* An empty tensor of the global shape, to be asked for the dimension that an index names: it folds
 * away once the index is known. Null after an error. */
static MlirValue empty_like(ts_partitioner *p, const ts_value *value, MlirValue handle) {
  MlirValue *sizes = TS_NEW(p->model->arena, MlirValue, value->rank);
  int num = 0;
  for (int d = 0; d < value->rank; d++) {
    if (value->shape[d] != TS_DYNAMIC)
      continue;
    sizes[num] = ts_extent(p, handle, d);
    if (mlirValueIsNull(sizes[num++]))
      return (MlirValue){NULL};
  }
  return ts_emit_empty(&p->emit, value->type, num, sizes);
}

/* A query means the global shape, and no device has to hold the tensor to answer. */
static bool partition_shape(ts_partitioner *p, MlirOperation query, const ts_value *value) {
  if (!value)
    return true;
  MlirValue tensor = mlirOperationGetOperand(query, 0), answer;
  int64_t d = TS_DYNAMIC;
  if (ts_op_is(query, "tensor.dim"))
    d = ts_index_value(mlirOperationGetOperand(query, 1));
  ts_emit_before(&p->emit, query);
  if (d < 0 || d >= value->rank) {
    MlirValue empty = empty_like(p, value, tensor);
    if (!mlirValueIsNull(empty))
      mlirOperationSetOperand(query, 0, empty);
    return !mlirValueIsNull(empty);
  }
  answer = ts_extent(p, tensor, (int)d);
  if (mlirValueIsNull(answer))
    return false;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(query, 0), answer);
  ts_erase_later(p, query);
  return true;
}

/* ---- ops that run whole ---------------------------------------------------------------------- */

typedef struct capture {
  ts_partitioner *p;
  ts_function *function;
  MlirOperation whole;
  bool ok;
} capture;

/* Inside an op that runs whole everything is global: what it captures is brought whole, annotations
 * mean nothing. */
static MlirWalkResult bring_captured(MlirOperation op, void *user) {
  capture *c = user;
  if (op.ptr == c->whole.ptr)
    return MlirWalkResultAdvance;
  if (ts_asks_shape(op)) {
    c->ok &= partition_shape(c->p, op, ts_model_value(c->p->model, mlirOperationGetOperand(op, 0)));
    return MlirWalkResultAdvance;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    ts_value *value = ts_model_value(c->p->model, operand);
    if (!value)
      continue; /* defined inside, or no tensor */
    const ts_sharding *all =
        ts_sharding_replicated(c->p->model->arena, c->function->grid, value->rank, value->shape);
    MlirValue piece = ts_piece(c->p, value, operand, all);
    if (mlirValueIsNull(piece))
      c->ok = false;
    else
      mlirOperationSetOperand(op, i, piece);
  }
  if (ts_op_is(op, "shard.shard")) {
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), mlirOperationGetOperand(op, 0));
    ts_erase_later(c->p, op);
  } else if (ts_op_is(op, "shard.sharding")) {
    ts_erase_later(c->p, op);
  }
  return MlirWalkResultAdvance;
}

static bool partition_whole(ts_partitioner *p, ts_function *function, ts_op *op) {
  if (!ts_bring_operands(p, op))
    return false;
  capture c = {.p = p, .function = function, .whole = op->handle, .ok = true};
  if (mlirOperationGetNumRegions(op->handle))
    mlirOperationWalk(op->handle, bring_captured, &c, MlirWalkPreOrder);
  for (int r = 0; r < op->num_results; r++)
    if (op->results[r]) {
      MlirValue result = mlirOperationGetResult(op->handle, r);
      ts_set_piece(p, op->results[r], result, result, op->natural[r]);
    }
  return c.ok;
}

/* ---- functions ------------------------------------------------------------------------------- */

static bool partition_op(ts_partitioner *p, ts_function *function, ts_op *op) {
  p->current = op->handle;
  p->current_op = op;
  ts_arena_reset(&p->model->scratch);
  switch (op->kind) {
  case TS_OP_RULE:
    if (ts_op_is_view(op))
      ts_erase_later(p, op->handle); /* built where it is asked for */
    else
      return ts_apply_rule(p, op, op->handle);
    return true;
  case TS_OP_LINK:
    return ts_apply_link(p, op);
  case TS_OP_FIXED:
    return ts_apply_fixed(p, function, op);
  case TS_OP_CALL: /* not in what is applied */
    return false;
  case TS_OP_WHOLE:
    return partition_whole(p, function, op);
  case TS_OP_SHAPE:
    return partition_shape(p, op->handle, op->operands[0]);
  case TS_OP_IGNORE:
    if (ts_op_is(op->handle, "shard.sharding") ||
        (op->num_results == 1 && op->results[0] && op->results[0]->is_free))
      ts_erase_later(p, op->handle);
    return true;
  }
  return false;
}

static void set_signature(ts_model *model, ts_function *function) {
  MlirStringRef name = mlirStringRefCreateFromCString("function_type");
  MlirType old = mlirTypeAttrGetValue(mlirOperationGetAttributeByName(function->handle, name));
  MlirType *inputs = TS_NEW(model->arena, MlirType, function->num_arguments);
  MlirType *results = TS_NEW(model->arena, MlirType, function->num_results);
  for (int i = 0; i < function->num_arguments; i++)
    inputs[i] = function->arguments[i]
                    ? ts_local_type(function->arguments[i]->layout, function->arguments[i]->type)
                    : mlirFunctionTypeGetInput(old, i);
  for (int i = 0; i < function->num_results; i++)
    results[i] = function->results[i]
                     ? ts_local_type(function->results[i]->layout, function->results[i]->type)
                     : mlirFunctionTypeGetResult(old, i);
  MlirType type = mlirFunctionTypeGet(model->context, function->num_arguments, inputs,
                                      function->num_results, results);
  mlirOperationSetAttributeByName(function->handle, name, mlirTypeAttrGet(type));
  ts_record_signature(model, function);
  ts_remove_propagated(function->handle);
}

static bool partition_function(ts_partitioner *p, ts_model *model, ts_function *function) {
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(function->handle, 0));
  p->model = model;
  p->build_view = ts_apply_view;
  ts_demand(model, function);
  ts_emit_init(&p->emit, model->arena, entry);
  for (MlirBlock block = entry; block.ptr; block = mlirBlockGetNextInRegion(block)) {
    ts_enter_block(p, block);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++) {
      MlirValue argument = mlirBlockGetArgument(block, i);
      ts_value *value = ts_model_value(model, argument);
      if (value)
        ts_set_local(p, value, argument, value->layout);
    }
  }
  ts_extents_read(p, function);
  bool ok = true;
  for (int i = 0; i < function->num_ops && ok; i++)
    ok = partition_op(p, function, function->ops[i]);
  if (ok)
    set_signature(model, function);
  return ok;
}

static void drop_unreached(ts_model *model) {
  for (int i = 0; i < model->num_functions; i++)
    if (model->order[i]->is_active)
      ts_drop_unreached(model, model->order[i]);
}

bool ts_partition_run(MlirOperation module, const ts_option_value *options) {
  (void)options;
  ts_arena arena = {0};
  ts_model model = {0};
  if (!ts_check_ranks(module) || !ts_restore_annotations(module))
    return false;
  ts_expanded_types_say(module);
  ts_drop_repeats(module);
  bool ok = ts_model_read(&model, &arena, module, TS_CALLS_BY_LAYOUT) && ts_refuse_open(&model) &&
            ts_specialise_calls(&model, &arena, module) && ts_model_solve(&model) &&
            ts_make_resolvers(&model, TS_FOR_TOOLS);
  if (ok) {
    drop_unreached(&model);
    ts_copies_make(&model);
  }
  /* The model knows values by their addresses, which must not become those of new ones: what is no
   * longer needed goes at the end. */
  ts_partitioner *partitioners = ok ? TS_NEW(&arena, ts_partitioner, model.num_functions) : NULL;
  for (int i = 0; ok && i < model.num_functions; i++)
    if (model.order[i]->is_active)
      ok = partition_function(&partitioners[i], &model, model.order[i]);
  for (int i = 0; ok && i < model.num_functions; i++)
    ts_erase_now(&partitioners[i]);
  /* Pieces have more sizes 1 than the whole; copies for calls inside of loops are functions that
   * the model does not know. */
  if (ok && ts_model_has_active(&model))
    ts_unit_dims_keep(module);
  ts_arena_free(&model.scratch);
  ts_arena_free(&arena);
  return ok;
}
