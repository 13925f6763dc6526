/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reading a module: its symbols and functions. Who calls whom is calls.c's, what is inside a
 * function body.c's. */
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "model/model.h"

ts_value *ts_model_value(const ts_model *model, MlirValue value) {
  return ts_map_get(&model->values, value.ptr);
}

ts_op *ts_model_call(const ts_model *model, MlirOperation op) {
  return ts_map_get(&model->calls, op.ptr);
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

/* ---- functions ----------------------------------------------------------------------------------
 */

static ts_function *read_function(ts_model *model, MlirOperation op) {
  ts_function *function = TS_NEW(model->arena, ts_function, 1);
  MlirStringRef name = mlirStringAttrGetValue(
      mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("sym_name")));
  MlirType type = mlirTypeAttrGetValue(
      mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("function_type")));
  function->handle = op;
  function->name = ts_arena_format(model->arena, "%.*s", (int)name.length, name.data);
  function->has_body = !mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)));
  function->is_pure = !mlirAttributeIsNull(
      mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("tessera.pure")));
  function->num_arguments = (int)mlirFunctionTypeGetNumInputs(type);
  function->num_results = (int)mlirFunctionTypeGetNumResults(type);
  ts_map_set(&model->functions, model->arena, mlirIdentifierGet(model->context, name).ptr,
             function);
  return function;
}

/* ---- what cannot be partitioned -----------------------------------------------------------------
 */

/* An annotation in something else than a func.func of the module. */
static MlirWalkResult check_place(MlirOperation op, void *user) {
  bool *ok = user;
  if (!ts_op_is(op, "shard.shard"))
    return MlirWalkResultAdvance;
  ts_error(op, "annotation in a module or function inside another: expected it in a func.func at "
               "the top of the module that the pass runs on; move the function there, or run the "
               "passes on the inner module");
  *ok = false;
  return MlirWalkResultInterrupt;
}

static bool check_places(MlirBlock module_body) {
  bool ok = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(module_body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (!ts_op_is(op, "func.func"))
      mlirOperationWalk(op, check_place, &ok, MlirWalkPreOrder);
  return ok;
}

/* Reads what is inside of functions. What calls pass is made before. */
static bool collect_functions(ts_model *model, int num, ts_function *const *functions) {
  bool ok = true;
  for (int i = 0; i < num; ++i)
    if (functions[i]->is_active)
      ts_declare_function(model, functions[i]);
  for (int i = 0; i < num; ++i)
    if (functions[i]->is_active)
      ok &= ts_collect_function(model, functions[i]);
  return ok;
}

bool ts_model_collect(ts_model *model, ts_arena *arena, MlirOperation module, ts_purpose purpose,
                      bool *questions) {
  *model = (ts_model){.arena = arena,
                      .context = mlirOperationGetContext(module),
                      .module = module,
                      .asks = purpose == TS_ASK || questions,
                      .erases = purpose == TS_REWRITE,
                      .tells = purpose == TS_TELL};
  if (!ts_grids_collect(&model->grids, arena, module))
    return false;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  ts_function **functions = NULL;
  int num = 0, max = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    ts_model_add_symbol(model, op);
    if (!ts_op_is(op, "func.func"))
      continue;
    functions = ts_arena_grow(arena, functions, num, &max, sizeof(ts_function *));
    functions[num] = read_function(model, op);
    functions[num]->position = num;
    ++num;
  }
  if (!ts_find_active(model, num, functions))
    return false;
  bool ok = check_places(body);
  ok &= collect_functions(model, num, functions);
  ts_arena_free(&model->scratch);
  if (ok && questions && model->is_asked) {
    *questions = true;
    return false;
  }
  ok &= ts_order_calls(model, num, functions);
  if (ok)
    ts_tell(model);
  return ok;
}
