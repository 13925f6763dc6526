/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reading a module: its symbols and functions. Who calls whom is call_graph.c's, what is inside
 * a function read_function.c's. It knows symbols; it must not know what ops mean. */
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "model/call_graph.h"
#include "model/read.h"
#include "model/read_function.h"
#include "support/diagnostics.h"

/* ---- functions ------------------------------------------------------------------------------- */

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

/* ---- what cannot be partitioned -------------------------------------------------------------- */

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
static bool read_bodies(ts_model *model, int num, ts_function *const *functions) {
  bool ok = true;
  for (int i = 0; i < num; i++)
    if (functions[i]->is_active)
      ts_declare_function(model, functions[i]);
  for (int i = 0; i < num; i++)
    if (functions[i]->is_active)
      ok &= ts_read_function(model, functions[i]);
  return ok;
}

bool ts_model_read(ts_model *model, ts_arena *arena, MlirOperation module,
                   ts_plain_calls plain_calls) {
  *model = (ts_model){.arena = arena,
                      .interned = {.arena = arena},
                      .context = mlirOperationGetContext(module),
                      .module = module,
                      .plain_calls = plain_calls,
                      .summaries = TS_NEW(arena, ts_map, 1)};
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
    num++;
  }
  if (!ts_find_active(model, num, functions))
    return false;
  bool ok = check_places(body);
  ok &= read_bodies(model, num, functions);
  ts_arena_free(&model->scratch);
  ok &= ts_order_calls(model, num, functions);
  return ok;
}

bool ts_refuse_open(ts_model *model) {
  bool ok = true;
  for (int f = 0; f < model->num_functions; f++)
    for (int i = 0; i < model->order[f]->num_ops; i++)
      if (model->order[f]->ops[i]->is_open)
        ok &= ts_annotation_read(&model->grids, model->order[f]->ops[i]->handle, NULL) != NULL;
  return ok;
}
