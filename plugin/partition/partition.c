/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The pass tessera-partition: annotated functions become the program of one device. Each op runs
 * on local shapes under the layouts that the solver chose; pieces.c brings operands there. It
 * knows the model and the order; it must not know any op. */
#include "calls/specialise.h"
#include "lowering/workarounds/unit_dims.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "model/manual.h"
#include "model/read.h"
#include "model/resolver.h"
#include "model/restore.h"
#include "model/signature.h"
#include "partition/extents.h"
#include "partition/pieces.h"
#include "partition/reasons.h"
#include "partition/repeats.h"
#include "partition/whole_functions.h"
#include "passes.h"
#include "reshard/reshard.h"
#include "rules/build_loops.h"
#include "solve/demand.h"
#include "solve/solve.h"
#include "support/blocks.h"

const ts_option_spec ts_partition_options[] = {{0}};
const int ts_partition_num_options = 0;

/* ---- ops with rules -------------------------------------------------------------------------- */

/* A destination that is written and not read needs no data of its own: if it lies elsewhere, a
 * fresh tensor serves. */
static bool is_bare_destination(const ts_op *op, int operand) {
  for (int r = 0; r < op->num_results; r++)
    if (op->loops->result_init[r] == operand)
      return !op->loops->init_is_read[r];
  return false;
}

/* For each operand and each of its dimensions what is read of it, if it is cut to that. */
static const ts_ranges **ranges_read(ts_partitioner *p, const ts_op *op) {
  ts_arena *arena = p->model->arena;
  const ts_ranges **reads = TS_NEW(arena, const ts_ranges *, op->num_operands);
  for (int i = 0; i < op->num_operands; i++) {
    if (!op->operands[i])
      continue;
    ts_ranges *read = TS_NEW(arena, ts_ranges, op->operands[i]->rank);
    for (int d = 0; d < op->operands[i]->rank; d++)
      read[d] = ts_read_by(p->model, op, op->sharding, i, d, op->required[i]);
    reads[i] = read;
  }
  return reads;
}

static bool local_operands(ts_partitioner *p, const ts_op *op, const ts_ranges *const *reads,
                           MlirValue *operands) {
  for (int i = 0; i < op->num_operands; i++) {
    MlirValue operand = ts_op_operand(op, i);
    operands[i] = operand;
    if (!op->operands[i])
      continue;
    operands[i] = is_bare_destination(op, i)
                      ? ts_piece_or_fresh(p, op->operands[i], operand, op->required[i], op->handle)
                      : ts_piece_read(p, op->operands[i], operand,
                                      (ts_ask){op->required[i], reads[i]}, op->handle);
    if (mlirValueIsNull(operands[i]))
      return false;
  }
  return true;
}

/* `results` are the op's own, and stay so if the op stays. */
static bool localize(ts_partitioner *p, const ts_op *op, const ts_ranges *const *reads,
                     const MlirValue *operands, MlirType *types, MlirValue *results) {
  ts_arena *arena = &p->model->scratch;
  MlirType *globals = TS_NEW(arena, MlirType, op->num_results);
  for (int r = 0; r < op->num_results; r++)
    globals[r] = mlirValueGetType(mlirOperationGetResult(op->handle, r));
  ts_loop_asker asker = {p, op};
  ts_localize context = {.emit = &p->emit,
                         .op = op->handle,
                         .loops = op->loops,
                         .loop_sharding = op->sharding,
                         .loop_extents = ts_loop_extents(&asker),
                         .operands = operands,
                         .operand_layouts = op->required,
                         .result_layouts = op->natural,
                         .result_types = types,
                         .global_types = globals,
                         .reads = reads};
  ts_emit_before(&p->emit, op->handle);
  if (!op->rule->localize(&context, results))
    return false;
  if (op->num_results && mlirOperationEqual(mlirOpResultGetOwner(results[0]), op->handle))
    return true;
  ts_erase_later(p, op->handle);
  for (int r = 0; r < op->num_results; r++)
    if (!op->results[r])
      mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op->handle, r), results[r]);
  return true;
}

/* `op` stands for `source` in the program. */
static bool partition_rule(ts_partitioner *p, const ts_op *op, MlirOperation source) {
  ts_arena *arena = p->model->arena;
  MlirValue *operands = TS_NEW(arena, MlirValue, op->num_operands);
  MlirValue *results = TS_NEW(arena, MlirValue, op->num_results);
  MlirValue *originals = TS_NEW(arena, MlirValue, op->num_results);
  MlirType *types = TS_NEW(arena, MlirType, op->num_results);
  const ts_ranges *const *reads = ranges_read(p, op);
  if (!local_operands(p, op, reads, operands))
    return false;
  for (int r = 0; r < op->num_results; r++) {
    originals[r] = mlirOperationGetResult(source, r);
    results[r] = mlirOperationGetResult(op->handle, r);
    types[r] = op->results[r] ? ts_local_type(op->natural[r], op->results[r]->type)
                              : mlirValueGetType(results[r]);
  }
  if (!localize(p, op, reads, operands, types, results))
    return false;
  for (int r = 0; r < op->num_results; r++)
    if (op->results[r])
      ts_set_piece(p, op->results[r], originals[r], results[r], op->natural[r]);
  return true;
}

/* A piece of a view is made at its op, of what the op reads for that piece. */
static bool build_view(ts_partitioner *p, const ts_op *op, const ts_loop_sharding *loops,
                       const ts_sharding *layout) {
  ts_op piece = *op;
  ts_place place = ts_emit_place(&p->emit);
  MlirOperation current = p->current;
  const ts_op *current_op = p->current_op;
  ts_emit_before(&p->emit, op->handle);
  piece.handle = ts_clone_here(&p->emit, op->handle);
  piece.sharding = loops;
  piece.natural = ts_arena_copy(p->model->arena, &layout, sizeof(const ts_sharding *));
  piece.required = TS_NEW(p->model->arena, const ts_sharding *, op->num_operands);
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      piece.required[i] = ts_asked_by(p->model, op, loops, i);
  p->current = op->handle;
  p->current_op = op;
  bool ok = partition_rule(p, &piece, op->handle);
  p->current = current;
  p->current_op = current_op;
  ts_place_back(&p->emit, place);
  return ok;
}

/* ---- links, calls, loops, returns ------------------------------------------------------------ */

static bool is_view(const ts_op *op) {
  return op->kind == TS_OP_RULE && op->num_results == 1 && op->results[0] &&
         op->results[0]->is_view;
}

/* The one layout that `op` has operand `i` in, for a use of data. */
static const ts_sharding *layout_of_use(const ts_op *op, int i) {
  return op->kind == TS_OP_LINK ? op->results[0]->layout : op->required[i];
}

/* The layout that all uses of the value want; NULL if they differ, or there are none. */
static const ts_sharding *wanted_by_all(const ts_value *value) {
  const ts_sharding *wanted = NULL;
  for (int u = 0; u < value->num_users; u++) {
    const ts_op *user = value->users[u];
    if (is_view(user))
      return NULL; /* wants what is asked of its result */
    for (int i = 0; i < user->num_operands; i++) {
      if (user->operands[i] != value)
        continue;
      const ts_sharding *layout = layout_of_use(user, i);
      if (!layout || (wanted && !ts_sharding_equal(wanted, layout)))
        return NULL;
      wanted = layout;
    }
  }
  return value->is_captured ? NULL : wanted;
}

/* What to build where an annotation asks for `layout`: if nobody wants that but all the same other
 * layout, and it is cheaper to go there at once, then that. */
static const ts_sharding *built_for(ts_partitioner *p, const ts_op *op, MlirValue source) {
  const ts_sharding *layout = op->results[0]->layout, *wanted = wanted_by_all(op->results[0]);
  if (!wanted || ts_sharding_has_ranges(wanted) || ts_sharding_run_time(wanted, NULL) ||
      ts_sharding_run_time(layout, NULL))
    return layout;
  ts_arena *arena = &p->model->scratch;
  double at_once = ts_piece_cost(p, op->operands[0], source, wanted);
  double by_way =
      ts_piece_cost(p, op->operands[0], source, layout) + ts_reshard_cost(arena, layout, wanted);
  return at_once < by_way ? wanted : layout;
}

/* Pieces of what is behind an annotation are made where they are asked for. */
static bool is_seen_through(const ts_op *link) {
  const ts_value *behind = ts_value_behind(link->results[0]);
  const ts_op *op = behind->definition;
  return behind != link->results[0] &&
         (behind->is_view || (op && op->kind == TS_OP_RULE && op->num_results == 1 &&
                              ts_sharding_has_ranges(op->natural[0])));
}

static bool partition_link(ts_partitioner *p, ts_op *op) {
  MlirValue result = mlirOperationGetResult(op->handle, 0);
  ts_erase_later(p, op->handle);
  if (ts_free_source(op->operands[0]) || is_seen_through(op))
    return true; /* built where it is used */
  MlirValue source = mlirOperationGetOperand(op->handle, 0);
  const ts_sharding *layout = built_for(p, op, source);
  MlirValue piece = ts_piece(p, op->operands[0], source, layout);
  if (mlirValueIsNull(piece))
    return false;
  ts_set_piece(p, op->results[0], result, piece, layout);
  return true;
}

static bool bring_operands(ts_partitioner *p, ts_op *op) {
  for (int i = 0; i < op->num_operands; i++) {
    if (!op->operands[i] || !op->required[i])
      continue;
    MlirValue piece =
        ts_piece(p, op->operands[i], mlirOperationGetOperand(op->handle, i), op->required[i]);
    if (mlirValueIsNull(piece))
      return false;
    mlirOperationSetOperand(op->handle, i, piece);
  }
  return true;
}

static void set_local(ts_partitioner *p, ts_value *info, MlirValue value,
                      const ts_sharding *layout) {
  mlirValueSetType(value, ts_local_type(layout, mlirValueGetType(value)));
  ts_set_piece(p, info, value, value, layout);
}

/* A call brings whole operands to the layouts that a callee on another grid wants of them. */
static bool enter_grid(ts_partitioner *p, ts_op *op) {
  ts_emit_before(&p->emit, op->handle);
  for (int i = 0; i < op->num_operands; i++) {
    const ts_value *target = op->targets[i];
    if (!op->operands[i] || !target)
      continue;
    const ts_sharding *whole =
        ts_sharding_replicated(p->model->arena, op->callee->grid, target->rank, target->shape);
    ts_piece_asker asker = {&p->emit, mlirOperationGetOperand(op->handle, i), whole};
    ts_extents extents = ts_piece_extents(&asker);
    ts_say_why_moved(p, op->operands[i], op->operands[i]->handle, whole, target->layout);
    MlirValue piece =
        ts_reshard(&p->emit, asker.local, whole, target->layout, target->type, &extents);
    if (mlirValueIsNull(piece))
      return false;
    mlirOperationSetOperand(op->handle, i, piece);
  }
  return true;
}

/* The other way round for results. */
static bool leave_grid(ts_partitioner *p, ts_op *op) {
  for (int r = 0; r < op->num_results; r++) {
    if (!op->results[r])
      continue;
    const ts_value *result = op->callee->results[r];
    MlirValue value = mlirOperationGetResult(op->handle, r);
    mlirValueSetType(value, ts_local_type(result->layout, result->type));
    const ts_sharding *whole =
        ts_sharding_replicated(p->model->arena, op->callee->grid, result->rank, result->shape);
    ts_emit_after(&p->emit, op->handle);
    ts_piece_asker asker = {&p->emit, value, result->layout};
    ts_extents extents = ts_piece_extents(&asker);
    ts_say_why_moved(p, op->results[r], value, result->layout, whole);
    MlirValue piece = ts_reshard(&p->emit, value, result->layout, whole, result->type, &extents);
    if (mlirValueIsNull(piece))
      return false;
    ts_set_piece(p, op->results[r], value, piece, op->natural[r]);
  }
  return true;
}

static bool partition_call(ts_partitioner *p, ts_op *op) {
  if (!bring_operands(p, op) || !enter_grid(p, op))
    return false;
  return leave_grid(p, op);
}

/* A caller may know numbers that its callee does not, and so the sizes of pieces. */
static void cast_to_callee(ts_partitioner *p, ts_op *op) {
  ts_emit_before(&p->emit, op->handle);
  for (int i = 0; i < op->num_operands; i++) {
    const ts_value *target = op->targets[i];
    if (!op->operands[i] || !target)
      continue;
    MlirType type = ts_local_type(target->layout, target->type);
    mlirOperationSetOperand(op->handle, i,
                            ts_emit_cast(&p->emit, mlirOperationGetOperand(op->handle, i), type));
  }
}

/* Results of a call, laid out as the callee has them. */
static void take_results(ts_partitioner *p, const ts_op *op) {
  for (int r = 0; r < op->num_results; r++) {
    if (!op->results[r])
      continue;
    const ts_value *result = op->callee->results[r];
    MlirValue value = mlirOperationGetResult(op->handle, r);
    mlirValueSetType(value, ts_local_type(result->layout, result->type));
    ts_emit_after(&p->emit, op->handle);
    MlirType type = ts_local_type(op->natural[r], result->type);
    ts_set_piece(p, op->results[r], value, ts_emit_cast(&p->emit, value, type), op->natural[r]);
  }
}

/* Blocks inside an op whose values are tied, and these values. */
static void enter_regions(ts_partitioner *p, const ts_op *op) {
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op->handle); i++)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op->handle, i));
         block.ptr; block = mlirBlockGetNextInRegion(block))
      ts_enter_block(p, block);
  for (int t = 0; t < op->ties->num; t++) {
    const ts_tie *tie = &op->ties->ties[t];
    ts_value *value = ts_model_value(p->model, tie->values[0]);
    for (int i = 0; value && i < tie->num_values; i++)
      set_local(p, value, tie->values[i], value->layout);
  }
}

/* A program of one device becomes a call of its function on pieces. */
static bool partition_manual(ts_partitioner *p, ts_op *op) {
  if (!bring_operands(p, op))
    return false;
  ts_emit_before(&p->emit, op->handle);
  MlirValue *operands = TS_NEW(p->model->arena, MlirValue, op->num_operands);
  MlirType *types = TS_NEW(p->model->arena, MlirType, op->num_results);
  for (int i = 0; i < op->num_operands; i++) {
    operands[i] = mlirOperationGetOperand(op->handle, i);
    if (op->operands[i])
      operands[i] =
          ts_emit_cast(&p->emit, operands[i], ts_manual_type(p->model, op->handle, TS_TAKEN, i));
  }
  for (int r = 0; r < op->num_results; r++)
    types[r] = ts_manual_type(p->model, op->handle, TS_GIVEN, r);
  MlirNamedAttribute callee =
      ts_named(p->emit.context, "callee", ts_attribute(op->handle, "callee"));
  MlirOperation call = ts_emit_op(&p->emit, "func.call", op->num_operands, operands,
                                  op->num_results, types, 1, &callee);
  for (int r = 0; r < op->num_results; r++) {
    MlirValue original = mlirOperationGetResult(op->handle, r);
    MlirValue result = mlirOperationGetResult(call, r);
    if (op->results[r])
      ts_set_piece(p, op->results[r], original, result, op->natural[r]);
    else
      mlirValueReplaceAllUsesOfWith(original, result);
  }
  ts_erase_later(p, op->handle);
  return true;
}

static bool partition_fixed(ts_partitioner *p, ts_function *function, ts_op *op) {
  if (ts_op_is(op->handle, "tessera.manual"))
    return partition_manual(p, op);
  if (op->callee && !ts_passes_pieces(function, op->callee))
    return partition_call(p, op);
  if (!bring_operands(p, op))
    return false;
  if (op->callee) {
    cast_to_callee(p, op);
    take_results(p, op);
  } else if (op->ties) {
    enter_regions(p, op);
  }
  return true;
}

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
  if (!bring_operands(p, op))
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
    if (is_view(op))
      ts_erase_later(p, op->handle); /* built where it is asked for */
    else
      return partition_rule(p, op, op->handle);
    return true;
  case TS_OP_LINK:
    return partition_link(p, op);
  case TS_OP_FIXED:
    return partition_fixed(p, function, op);
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
  p->build_view = build_view;
  ts_demand(model, function);
  ts_emit_init(&p->emit, model->arena, entry);
  for (MlirBlock block = entry; block.ptr; block = mlirBlockGetNextInRegion(block)) {
    ts_enter_block(p, block);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++) {
      MlirValue argument = mlirBlockGetArgument(block, i);
      ts_value *value = ts_model_value(model, argument);
      if (value)
        set_local(p, value, argument, value->layout);
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
  if (!ts_restore_annotations(module))
    return false;
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
