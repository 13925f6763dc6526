/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Values and ops of a function that is read. It knows types and uses; it must not know which op is
 * of which kind. */
#include "model/reader.h"

#include "mlir-c/BuiltinTypes.h"

/* ---- values ---------------------------------------------------------------------------------- */

static double bytes_of(MlirType type, int rank, const int64_t *shape) {
  MlirType element = mlirShapedTypeGetElementType(type);
  unsigned bits = 64;
  if (mlirTypeIsAInteger(element))
    bits = mlirIntegerTypeGetWidth(element);
  else if (mlirTypeIsAFloat(element))
    bits = mlirFloatTypeGetWidth(element);
  unsigned whole_bytes = (bits + 7) / 8;
  double bytes = whole_bytes;
  for (int d = 0; d < rank; d++)
    bytes *= shape[d] == TS_DYNAMIC ? 1024 : (double)shape[d];
  return bytes;
}

/* A value of the solver's own, of a ranked tensor type. */
ts_value *ts_reader_new_value(ts_reader *r, MlirType type) {
  ts_arena *arena = r->model->arena;
  ts_value *value = TS_NEW(arena, ts_value, 1);
  if (r->last.type.ptr == type.ptr) {
    *value = r->last;
    value->apart = r->apart;
    return value;
  }
  value->type = type;
  value->rank = (int)mlirShapedTypeGetRank(type);
  value->shape = ts_shape_of(arena, type);
  for (int d = 0; d < value->rank; d++)
    r->function->is_dynamic |= value->shape[d] == TS_DYNAMIC;
  value->bytes = bytes_of(type, value->rank, value->shape);
  value->layout = ts_sharding_replicated(arena, r->function->grid, value->rank, value->shape);
  value->apart = r->apart;
  r->last = *value;
  return value;
}

void ts_reader_bind(ts_reader *r, MlirValue handle, ts_value *value) {
  ts_map_set(&r->model->values, r->model->arena, handle.ptr, value);
}

/* The value for `handle`, made at its definition; NULL if it is not a ranked tensor. */
ts_value *ts_reader_define(ts_reader *r, MlirValue handle) {
  MlirType type = mlirValueGetType(handle);
  if (!mlirTypeIsARankedTensor(type))
    return NULL;
  ts_value *value = ts_reader_new_value(r, type);
  value->handle = handle;
  value->is_free = mlirValueIsAOpResult(handle) && ts_is_free(handle);
  ts_lay_out_dealt(r, value, handle);
  ts_reader_bind(r, handle, value);
  return value;
}

void ts_reader_add_user(ts_reader *r, ts_value *value, ts_op *op) {
  value->users = ts_arena_grow(r->model->arena, value->users, value->num_users, &value->max_users,
                               sizeof(ts_op *));
  value->users[value->num_users++] = op;
}

/* ---- ops ------------------------------------------------------------------------------------- */

/* `captured`: tensors that its regions read, which count as operands. */
ts_op *ts_reader_new_op_reading(ts_reader *r, MlirOperation handle, ts_op_kind kind,
                                ts_captured captured) {
  ts_arena *arena = r->model->arena;
  ts_op *op = TS_NEW(arena, ts_op, 1);
  op->handle = handle;
  op->kind = kind;
  op->captured = captured;
  op->weight = kind == TS_OP_RULE || kind == TS_OP_LINK ? ts_weight_of_op(r, handle) : r->weight;
  op->apart = r->apart;
  op->num_operands = (int)mlirOperationGetNumOperands(handle) + captured.num;
  op->num_results = (int)mlirOperationGetNumResults(handle);
  op->operands = TS_NEW(arena, ts_value *, op->num_operands + op->num_results);
  op->results = op->operands + op->num_operands;
  if (kind == TS_OP_FIXED)
    op->targets = TS_NEW(arena, ts_value *, op->num_operands);
  if (kind == TS_OP_FIXED || kind == TS_OP_RULE || kind == TS_OP_CALL || kind == TS_OP_WHOLE) {
    op->required = TS_NEW(arena, const ts_sharding *, op->num_operands + op->num_results);
    op->natural = op->required + op->num_operands;
  }
  for (int i = 0; i < op->num_operands; i++)
    op->operands[i] = ts_model_value(r->model, ts_op_operand(op, i));
  ts_function *function = r->function;
  function->ops =
      ts_arena_grow(arena, function->ops, function->num_ops, &function->max_ops, sizeof(ts_op *));
  op->position = function->num_ops;
  function->ops[function->num_ops++] = op;
  return op;
}

ts_op *ts_reader_new_op(ts_reader *r, MlirOperation handle, ts_op_kind kind) {
  return ts_reader_new_op_reading(r, handle, kind, (ts_captured){.num = 0});
}

void ts_reader_use_operands(ts_reader *r, ts_op *op) {
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i]) {
      ts_reader_add_user(r, op->operands[i], op);
      op->operands[i]->uses++;
    }
}

void ts_reader_define_results(ts_reader *r, ts_op *op) {
  for (int i = 0; i < op->num_results; i++) {
    op->results[i] = ts_reader_define(r, mlirOperationGetResult(op->handle, i));
    if (op->results[i])
      op->results[i]->definition = op;
  }
}

bool ts_reader_fail(ts_reader *r) {
  r->failed = true;
  return false;
}
