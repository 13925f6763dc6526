/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reading the body of an annotated function: values, and what kind each op is. It knows ties; it
 * must not know how layouts are chosen, and writes no IR. */
#include "model/read_function.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "model/effects.h"
#include "model/reader.h"
#include "rules/dealt_slice.h"
#include "support/blocks.h"
#include "support/diagnostics.h"

static bool read_block(ts_reader *r, MlirBlock block);

static bool has_type(MlirOperation op, bool (*is)(MlirType)) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (is(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    if (is(mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

static bool is_memref(MlirType type) {
  return mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type);
}

static bool is_tensor(MlirType type) {
  return mlirTypeIsATensor(type);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static bool read_call(ts_reader *r, MlirOperation handle) {
  if (!ts_check_call(r->model, handle))
    return ts_reader_fail(r);
  ts_function *callee = ts_callee(r->model, handle);
  bool by_layout = r->model->plain_calls == TS_CALLS_BY_LAYOUT && !callee->is_active &&
                   ts_is_plain(r->model, callee);
  ts_op *op = ts_reader_new_op(r, handle,
                               callee->is_active ? TS_OP_FIXED
                               : by_layout       ? TS_OP_CALL
                                                 : TS_OP_WHOLE);
  r->model->has_plain_calls |= by_layout;
  op->callee = callee;
  ts_map_set(&r->model->calls, r->model->arena, handle.ptr, op);
  ts_add_op(r->model, &r->function->calls, handle);
  if (callee->is_active && !ts_passes_pieces(r->function, callee))
    ts_remark(r->model, handle,
              "call of @%s on grid @%s from a function on grid @%s: tensors pass whole",
              callee->name, callee->grid->name, r->function->grid->name);
  for (int i = 0; callee->is_active && i < op->num_operands; i++)
    op->targets[i] = callee->arguments[i];
  ts_reader_use_operands(r, op);
  ts_reader_define_results(r, op);
  return true;
}

static void read_return(ts_reader *r, MlirOperation handle) {
  ts_op *op = ts_reader_new_op(r, handle, TS_OP_FIXED);
  for (int i = 0; i < op->num_operands; i++) {
    op->targets[i] = r->function->results[i];
    if (op->targets[i])
      ts_reader_add_user(r, op->targets[i], op);
  }
  ts_reader_use_operands(r, op);
}

/* ---- regions --------------------------------------------------------------------------------- */

/* The one value that all values of a tie are; NULL if they are no ranked tensors. `op` is the op
 * that is tied, NULL for a function. What nobody knows the sources of is whole. */
static ts_value *define_tie(ts_reader *r, ts_op *op, const ts_tie *tie) {
  ts_value *value = ts_reader_define(r, tie->values[0]);
  if (!value)
    return NULL;
  value->definition = op;
  value->is_free = false;
  value->is_fixed = tie->num_sources == 0;
  value->apart |= op && op->deals ? op->deals->axes : 0;
  for (int i = 0; i < tie->num_values; i++) {
    ts_reader_bind(r, tie->values[i], value);
    if (mlirValueIsAOpResult(tie->values[i]))
      op->results[mlirOpResultGetResultNumber(tie->values[i])] = value;
  }
  return value;
}

/* What the operands of `source`, the tied op itself or what ends a block inside, are tied to. */
static ts_value **targets_of(ts_reader *r, ts_op *op, MlirOperation source) {
  if (op && mlirOperationEqual(source, op->handle))
    return op->targets;
  ts_value **targets = ts_map_get(&r->ends, source.ptr);
  if (targets)
    return targets;
  targets = TS_NEW(r->model->arena, ts_value *, mlirOperationGetNumOperands(source));
  ts_map_set(&r->ends, r->model->arena, source.ptr, targets);
  return targets;
}

static void define_ties(ts_reader *r, ts_op *op, const ts_ties *ties) {
  for (int t = 0; t < ties->num; t++) {
    const ts_tie *tie = &ties->ties[t];
    ts_value *value = define_tie(r, op, tie);
    for (int i = 0; i < tie->num_sources; i++)
      targets_of(r, op, tie->sources[i].op)[tie->sources[i].operand] = value;
  }
}

static bool read_region(ts_reader *r, MlirRegion region) {
  int num;
  MlirBlock *blocks = ts_blocks_in_order(r->model->arena, region, &num);
  bool ok = true;
  for (int i = 0; i < num; i++)
    ok &= read_block(r, blocks[i]);
  return ok;
}

/* Sums of a loop that is dealt out: how they lie follows from how their parts do. */
static void define_sums(ts_reader *r, ts_op *op) {
  for (int i = 0; i < op->num_results; i++)
    if (op->deals->sums[i]) {
      op->results[i] = ts_reader_define(r, mlirOperationGetResult(op->handle, i));
      op->results[i]->definition = op;
    }
}

/* How often a device runs what is inside. */
static double trips_of(const ts_reader *r, const ts_op *op) {
  double trips = ts_region_trips(op->handle);
  if (op->deals)
    trips /= (double)ts_dim_shards(r->function->grid, &op->deals->dim);
  return trips;
}

static bool read_tied(ts_reader *r, MlirOperation handle, const ts_ties *ties) {
  ts_op *op = ts_reader_new_op(r, handle, TS_OP_FIXED);
  op->deals = ts_read_dealing(r, handle);
  op->ties = op->deals ? ts_dealt_ties(r, op->deals, ties) : ties;
  define_ties(r, op, op->ties);
  if (op->deals)
    define_sums(r, op);
  ts_reader_use_operands(r, op);
  bool ok = true;
  double around = r->weight;
  ts_axes apart = r->apart;
  r->weight *= trips_of(r, op);
  r->apart |= op->deals ? op->deals->axes : 0;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(handle); i++)
    ok &= read_region(r, mlirOperationGetRegion(handle, i));
  r->weight = around;
  r->apart = apart;
  return ok;
}

static void read_end(ts_reader *r, MlirOperation handle, ts_value **targets) {
  ts_op *op = ts_reader_new_op(r, handle, TS_OP_FIXED);
  op->targets = targets;
  for (int i = 0; i < op->num_operands; i++)
    if (op->targets[i])
      ts_reader_add_user(r, op->targets[i], op);
  ts_reader_use_operands(r, op);
}

/* ---- other ops ------------------------------------------------------------------------------- */

/* What is known of an op holds, whatever its tessera.rule says. */
static void note_unread_rule(ts_reader *r, MlirOperation handle) {
  if (!mlirAttributeIsNull(ts_attribute(handle, TS_RULE)) && !ts_rule_is_its_own(handle))
    ts_note_mistake(r->model, handle,
                    ts_arena_format(r->model->arena,
                                    "the tessera.rule of '%s' is not read: it is for ops that are "
                                    "not known, and how this one may be split is; remove it",
                                    ts_op_name(handle)));
}

/* A slice at the own place of a trip that is dealt out. */
static bool read_dealt_slice(ts_reader *r, MlirOperation handle, uint32_t dims) {
  ts_arena *scratch = &r->model->scratch;
  ts_op_loops loops;
  const char *reason = NULL;
  ts_arena_reset(scratch);
  bool is_dealt[32];
  for (int d = 0; d < 32; d++)
    is_dealt[d] = dims >> d & 1;
  if (!ts_dealt_slice_loops(scratch, handle, is_dealt, &loops, &reason))
    return ts_read_whole(r, handle, reason);
  ts_op *op = ts_reader_new_op(r, handle, TS_OP_RULE);
  op->rule = ts_dealt_slice_rule(handle);
  op->loops = ts_intern_description(&r->model->interned, &loops);
  ts_dim *dealt = TS_NEW(r->model->arena, ts_dim, loops.num_loops);
  for (int l = 0; l < loops.num_loops; l++)
    dealt[l] = ts_dim_plain(r->model->arena, loops.loops[l].size, 0, NULL);
  const ts_port *large = &loops.operands[ts_op_is(handle, "tensor.insert_slice")];
  for (int d = 0; d < large->rank; d++)
    if (dims >> d & 1)
      dealt[large->dims[d].loops[0]] = *ts_dealt_dim(r, handle.ptr, d);
  op->dealt = dealt;
  ts_reader_use_operands(r, op);
  ts_reader_define_results(r, op);
  return true;
}

static bool read_rule(ts_reader *r, MlirOperation handle, const ts_rule *rule) {
  ts_arena *scratch = &r->model->scratch;
  ts_op_loops loops;
  const char *reason = NULL, *remark = NULL;
  ts_arena_reset(scratch);
  if (!rule->loops(scratch, handle, &loops, &reason, &remark))
    return ts_read_whole(r, handle, reason);
  if (remark)
    ts_remark_if_idle(r->model, handle, remark);
  ts_captured captured = {.num = 0};
  if (loops.num_operands > (int)mlirOperationGetNumOperands(handle))
    captured = ts_captured_tensors(r->model->arena, handle);
  ts_op *op = ts_reader_new_op_reading(r, handle, TS_OP_RULE, captured);
  op->rule = rule;
  op->loops = ts_intern_description(&r->model->interned, &loops);
  ts_reader_use_operands(r, op);
  ts_reader_define_results(r, op);
  return true;
}

static bool is_of_run_time_shape(MlirOperation constant) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(constant, 0));
  return mlirTypeIsARankedTensor(type) && !mlirShapedTypeHasStaticShape(type);
}

static bool read_op(ts_reader *r, MlirOperation handle) {
  if (ts_op_is(handle, "shard.shard"))
    return ts_read_annotation(r, handle);
  if (ts_op_is(handle, "func.return")) {
    read_return(r, handle);
    return true;
  }
  ts_value **targets = ts_map_get(&r->ends, handle.ptr);
  if (targets) {
    read_end(r, handle, targets);
    return true;
  }
  if (ts_op_is(handle, "func.call"))
    return read_call(r, handle);
  if (ts_op_is(handle, "tessera.manual"))
    return ts_read_manual(r, handle);
  note_unread_rule(r, handle);
  bool tensors = has_type(handle, is_tensor);
  if (tensors && has_type(handle, is_memref)) {
    ts_error(handle,
             "'%s' mixes memrefs and tensors in an annotated function: expected tensors "
             "only; bufferization comes after partitioning",
             ts_op_name(handle));
    return ts_reader_fail(r);
  }
  if (ts_op_is(handle, "arith.constant") && is_of_run_time_shape(handle)) {
    ts_error(handle, "'arith.constant' of extents that only the run knows, as upstream's folder "
                     "makes of x ^ x: expected static extents, or a tensor.splat");
    return ts_reader_fail(r);
  }
  const ts_ties *ties = ts_region_ties(r->model->arena, handle);
  if (ties)
    return read_tied(r, handle, ties);
  if (!ts_check_effects(r->model, r->function, handle))
    return ts_reader_fail(r);
  if (ts_asks_shape(handle) || ts_op_is(handle, "shard.get_sharding")) {
    ts_reader_new_op(r, handle, TS_OP_SHAPE);
    return true;
  }
  if (mlirOperationGetNumResults(handle) == 1 && ts_is_free(mlirOperationGetResult(handle, 0))) {
    ts_op *op = ts_reader_new_op(r, handle, TS_OP_IGNORE);
    ts_reader_define_results(r, op);
    return true;
  }
  if (!tensors && mlirOperationGetNumRegions(handle) == 0) {
    ts_reader_new_op(r, handle, TS_OP_IGNORE);
    return true;
  }
  uint32_t dealt = ts_dealt_dims(r, handle);
  if (dealt)
    return read_dealt_slice(r, handle, dealt);
  const ts_rule *rule = ts_rule_find(handle);
  return rule ? read_rule(r, handle, rule) : ts_read_whole(r, handle, NULL);
}

static bool read_block(ts_reader *r, MlirBlock block) {
  bool ok = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    ok &= read_op(r, op);
  return ok;
}

/* ---- functions ------------------------------------------------------------------------------- */

void ts_declare_function(ts_model *model, ts_function *function) {
  ts_reader r = {.model = model, .function = function};
  function->arguments = TS_NEW(model->arena, ts_value *, function->num_arguments);
  function->results = TS_NEW(model->arena, ts_value *, function->num_results);
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(function->handle, 0));
  for (int i = 0; i < function->num_arguments; i++)
    function->arguments[i] = ts_reader_define(&r, mlirBlockGetArgument(entry, i));
  MlirType type = mlirTypeAttrGetValue(mlirOperationGetAttributeByName(
      function->handle, mlirStringRefCreateFromCString("function_type")));
  for (int i = 0; i < function->num_results; i++) {
    MlirType result = mlirFunctionTypeGetResult(type, i);
    if (mlirTypeIsARankedTensor(result))
      function->results[i] = ts_reader_new_value(&r, result);
  }
}

bool ts_read_function(ts_model *model, ts_function *function) {
  ts_reader r = {.model = model, .function = function, .weight = 1};
  MlirRegion region = mlirOperationGetRegion(function->handle, 0);
  ts_blocks_in_order(model->arena, region, &r.num_blocks);
  function->ties = ts_region_ties(model->arena, function->handle);
  define_ties(&r, NULL, function->ties);
  read_region(&r, region);
  ts_read_argument_layouts(&r);
  return !r.failed;
}
