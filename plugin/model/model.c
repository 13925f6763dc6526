/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Questions about a module's model, and the few things that change what it knows of the module's
 * symbols. It knows neither reading nor solving. */
#include "model/model.h"

#include <stdarg.h>

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "support/blocks.h"

/* ---- values and ops -------------------------------------------------------------------------- */

ts_value *ts_model_value(const ts_model *model, MlirValue value) {
  return ts_map_get(&model->values, value.ptr);
}

bool ts_is_dealt_sum(const ts_value *value) {
  const ts_op *op = value->definition;
  for (int r = 0; op && op->deals && r < op->num_results; r++)
    if (op->results[r] == value)
      return op->deals->sums[r];
  return false;
}

const ts_sharding *ts_natural_layout(const ts_value *value) {
  const ts_op *op = value->definition;
  for (int r = 0; op && op->natural && r < op->num_results; r++)
    if (op->results[r] == value)
      return op->natural[r];
  return NULL;
}

ts_value *ts_carried_for(const ts_op *op, int r) {
  if (op->kind != TS_OP_FIXED || !op->ties || !op->results[r])
    return NULL;
  bool is_sum = op->deals && op->deals->sums[r];
  return is_sum ? op->targets[op->num_operands - op->num_results + r] : op->results[r];
}

ts_op *ts_model_call(const ts_model *model, MlirOperation op) {
  return ts_map_get(&model->calls, op.ptr);
}

ts_value *ts_free_source(ts_value *value) {
  while (value && !value->is_free) {
    if (!value->definition || value->definition->kind != TS_OP_LINK)
      return NULL;
    value = value->definition->operands[0];
  }
  return value;
}

/* A use of captured value number `number`. */
static const ts_captured_use *use_of(const ts_op *op, int number) {
  const ts_captured_use *use = op->captured.uses;
  while (use->value != number)
    use++;
  return use;
}

MlirValue ts_op_operand(const ts_op *op, int i) {
  int own = op->num_operands - op->captured.num;
  if (i < own)
    return mlirOperationGetOperand(op->handle, i);
  const ts_captured_use *use = use_of(op, i - own);
  return mlirOperationGetOperand(use->user, use->operand);
}

void ts_op_set_operand(const ts_op *op, int i, MlirValue value) {
  int own = op->num_operands - op->captured.num;
  if (i < own)
    mlirOperationSetOperand(op->handle, i, value);
  for (int u = 0; u < op->captured.num_uses; u++)
    if (op->captured.uses[u].value == i - own)
      mlirOperationSetOperand(op->captured.uses[u].user, op->captured.uses[u].operand, value);
}

bool ts_model_has_active(const ts_model *model) {
  for (int i = 0; i < model->num_functions; i++)
    if (model->order[i]->is_active)
      return true;
  return false;
}

/* ---- functions and symbols ------------------------------------------------------------------- */

bool ts_passes_pieces(const ts_function *caller, const ts_function *callee) {
  return caller->grid == callee->grid || ts_grid_refines(caller->grid, callee->grid);
}

ts_function *ts_callee(const ts_model *model, MlirOperation call) {
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(ts_attribute(call, "callee"));
  return ts_map_get(&model->functions, mlirIdentifierGet(model->context, name).ptr);
}

MlirOperation ts_model_symbol(const ts_model *model, MlirStringRef name) {
  return (MlirOperation){ts_map_get(&model->symbols, mlirIdentifierGet(model->context, name).ptr)};
}

void ts_model_add_symbol(ts_model *model, MlirOperation op) {
  MlirAttribute name = ts_attribute(op, "sym_name");
  if (!mlirAttributeIsNull(name) && mlirAttributeIsAString(name))
    ts_map_set(&model->symbols, model->arena,
               mlirIdentifierGet(model->context, mlirStringAttrGetValue(name)).ptr, op.ptr);
}

void ts_model_drop_symbol(ts_model *model, MlirOperation op) {
  MlirStringRef name = mlirStringAttrGetValue(ts_attribute(op, "sym_name"));
  ts_map_set(&model->symbols, model->arena, mlirIdentifierGet(model->context, name).ptr, NULL);
  mlirOperationDestroy(op);
}

const char *ts_free_symbol(const ts_model *model, const ts_function *function, const char *suffix) {
  const char *name = ts_arena_format(model->arena, "%s.%s", function->name, suffix);
  for (int i = 2; ts_model_symbol(model, mlirStringRefCreateFromCString(name)).ptr; i++)
    name = ts_arena_format(model->arena, "%s.%s%d", function->name, suffix, i);
  return name;
}

void ts_add_op(ts_model *model, ts_op_list *list, MlirOperation op) {
  list->ops = ts_arena_grow(model->arena, list->ops, list->num, &list->max, sizeof(*list->ops));
  list->ops[list->num++] = op;
}

void ts_drop_unreached(const ts_model *model, const ts_function *function) {
  ts_drop_unreached_blocks(model->arena, mlirOperationGetRegion(function->handle, 0));
  for (int i = 0; i < function->num_ops; i++)
    for (intptr_t k = 0;
         function->ops[i]->ties && k < mlirOperationGetNumRegions(function->ops[i]->handle); k++)
      ts_drop_unreached_blocks(model->arena, mlirOperationGetRegion(function->ops[i]->handle, k));
}

/* ---- ops of the module ----------------------------------------------------------------------- */

bool ts_is_asked(MlirOperation op) {
  MlirOperation sharding = ts_defining_op(mlirOperationGetOperand(op, 1));
  return sharding.ptr && ts_op_is(sharding, "shard.get_sharding");
}

static void note(ts_model *model, ts_note note) {
  model->notes = ts_arena_grow(model->arena, model->notes, model->num_notes, &model->max_notes,
                               sizeof(*model->notes));
  model->notes[model->num_notes++] = note;
}

void ts_remark(ts_model *model, MlirOperation op, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *text = ts_arena_vformat(model->arena, format, arguments);
  va_end(arguments);
  note(model, (ts_note){op, text, TS_NOTE_ALWAYS});
}

void ts_remark_if_idle(ts_model *model, MlirOperation op, const char *text) {
  note(model, (ts_note){op, ts_arena_format(model->arena, "%s", text), TS_NOTE_IF_IDLE});
}

void ts_note_mistake(ts_model *model, MlirOperation op, const char *text) {
  note(model, (ts_note){op, text, TS_NOTE_MISTAKE});
}
