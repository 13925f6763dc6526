/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Annotations, calls, loops and returns on this device's pieces: what is said of values, and what
 * passes them on. It knows who takes which layout; it must not know what is computed. */
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "model/dealt.h"
#include "model/manual.h"
#include "partition/apply.h"
#include "partition/extents.h"
#include "partition/pieces.h"
#include "partition/reasons.h"
#include "reshard/reshard.h"
#include "solve/views.h"

/* The one layout that `op` has operand `i` in, for a use of data. */
static const ts_sharding *layout_of_use(const ts_op *op, int i) {
  return op->kind == TS_OP_LINK ? op->results[0]->layout : op->required[i];
}

enum { MOST_LOOKED_AT = 64 };

/* The layout that all uses of the value want; NULL if they differ, or there are none. */
static const ts_sharding *wanted_by_all(const ts_value *value) {
  const ts_sharding *wanted = NULL;
  for (int u = 0; u < value->num_users; u++) {
    const ts_op *user = value->users[u];
    if (ts_op_is_view(user))
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

/* The pieces that the op which makes the value has of it; NULL if it is no such op. */
static const ts_sharding *made_pieces(const ts_value *value) {
  const ts_op *op = value->definition;
  for (int r = 0; op && op->kind == TS_OP_RULE && r < op->num_results; r++)
    if (op->results[r] == value)
      return op->natural[r];
  return NULL;
}

/* Whether any piece of the value can be made: devices have all of it, or it is a view of what they
 * have all of. Looks at `*left` values at most, by every way to them: nobody has asked for that
 * piece, so that nothing else bounds how many of them are made for it. */
static bool has_all(ts_value *value, int *left) {
  value = ts_value_behind(value);
  const ts_sharding *made = made_pieces(value);
  if (value->is_free || !value->is_view)
    return value->is_free || !made || ts_sharding_has_all(made);
  const ts_op *op = value->definition;
  bool all = (*left)-- > 0;
  for (int i = 0; all && i < op->num_operands; i++)
    all = !op->operands[i] || has_all(op->operands[i], left);
  return all;
}

/* What to build where an annotation asks for `layout`: if nobody wants that but all the same other
 * layout, and it is cheaper to go there at once, then that. Nobody has asked for it, so that of a
 * value that is made in the pieces that were asked for it cannot be had. */
static const ts_sharding *built_for(ts_partitioner *p, const ts_op *op, MlirValue source) {
  const ts_sharding *layout = op->results[0]->layout, *wanted = wanted_by_all(op->results[0]);
  if (!wanted || ts_sharding_has_ranges(wanted) || ts_sharding_run_time(wanted, NULL) ||
      ts_sharding_run_time(layout, NULL))
    return layout;
  ts_arena *arena = &p->model->scratch;
  double at_once = ts_piece_cost(p, op->operands[0], source, wanted);
  double by_way =
      ts_piece_cost(p, op->operands[0], source, layout) + ts_reshard_cost(arena, layout, wanted);
  int left = MOST_LOOKED_AT;
  return at_once < by_way && has_all(op->operands[0], &left) ? wanted : layout;
}

/* Pieces of what is behind an annotation are made where they are asked for. */
static bool is_seen_through(const ts_op *link) {
  const ts_value *behind = ts_value_behind(link->results[0]);
  const ts_sharding *made = made_pieces(behind);
  bool made_in_ranges = made && ts_sharding_has_ranges(made);
  return behind != link->results[0] && (behind->is_view || made_in_ranges);
}

bool ts_apply_link(ts_partitioner *p, ts_op *op) {
  MlirValue result = mlirOperationGetResult(op->handle, 0);
  ts_erase_later(p, op->handle);
  if (ts_free_source(op->operands[0]) || op->results[0]->is_asked_through || is_seen_through(op))
    return true; /* built where it is used */
  MlirValue source = mlirOperationGetOperand(op->handle, 0);
  const ts_sharding *layout = built_for(p, op, source);
  MlirValue piece = ts_piece(p, op->operands[0], source, layout);
  if (mlirValueIsNull(piece))
    return false;
  ts_set_piece(p, op->results[0], result, piece, layout);
  return true;
}

bool ts_bring_operands(ts_partitioner *p, ts_op *op) {
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

void ts_set_local(ts_partitioner *p, ts_value *info, MlirValue value, const ts_sharding *layout) {
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
  if (!ts_bring_operands(p, op) || !enter_grid(p, op))
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
      ts_set_local(p, value, tie->values[i], value->layout);
  }
}

/* In the type in which the loop counts. */
static void set_bound(ts_partitioner *p, MlirOperation loop, intptr_t i, MlirValue bound) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(loop, i));
  if (!mlirTypeIsAIndex(type))
    bound = mlirOperationGetResult(
        ts_emit_op(&p->emit, "arith.index_cast", 1, &bound, 1, &type, 0, NULL), 0);
  mlirOperationSetOperand(loop, i, bound);
}

/* Each device runs the trips of its piece, by their numbers among all, and has its part of the
 * sums.
 */
static void deal_out(ts_partitioner *p, const ts_op *op) {
  const ts_grid *grid = op->required[op->num_operands - 1]->grid;
  const ts_factor *factor = &op->deals->dim.factors[0];
  ts_emit_before(&p->emit, op->handle);
  MlirValue first = ts_emit_factor_offset(&p->emit, grid, factor, (MlirValue){NULL});
  MlirValue size = ts_emit_factor_size(&p->emit, grid, factor, (MlirValue){NULL});
  set_bound(p, op->handle, 0, first);
  set_bound(p, op->handle, 1, ts_emit_add(&p->emit, first, size));
  mlirOperationRemoveAttributeByName(op->handle, mlirStringRefCreateFromCString(TS_DEALT));
  for (int r = 0; r < op->num_results; r++)
    if (op->deals->sums[r])
      ts_set_local(p, op->results[r], mlirOperationGetResult(op->handle, r), op->natural[r]);
}

/* A program of one device becomes a call of its function on pieces. */
static bool partition_manual(ts_partitioner *p, ts_op *op) {
  if (!ts_bring_operands(p, op))
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

bool ts_apply_fixed(ts_partitioner *p, ts_function *function, ts_op *op) {
  if (ts_op_is(op->handle, "tessera.manual"))
    return partition_manual(p, op);
  if (op->callee && !ts_passes_pieces(function, op->callee))
    return partition_call(p, op);
  if (!ts_bring_operands(p, op))
    return false;
  if (op->callee) {
    cast_to_callee(p, op);
    take_results(p, op);
  } else if (op->ties) {
    enter_regions(p, op);
    if (op->deals)
      deal_out(p, op);
  }
  return true;
}
