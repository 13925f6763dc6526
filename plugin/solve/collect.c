/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reading a module: its functions and their call order. What is inside a function is body.c's. */
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "solve/model.h"

ts_value *ts_model_value(const ts_model *model, MlirValue value) {
  return ts_map_get(&model->values, value.ptr);
}

ts_op *ts_model_op(const ts_model *model, MlirOperation op) {
  return ts_map_get(&model->ops, op.ptr);
}

/* ---- what a function contains -------------------------------------------------------------------
 */

typedef struct op_list {
  MlirOperation *ops;
  int num, max;
} op_list;

typedef struct scan {
  ts_model *model;
  ts_function *function;
  bool annotated, uses_variables, has_collectives;
  MlirOperation first_annotation;
  op_list calls;
  op_list *references; /* func.constant, of all functions */
} scan;

/* A memref.get_global of what is not constant. */
static bool is_variable(const ts_model *model, MlirOperation op) {
  MlirSymbolTable symbols = mlirSymbolTableCreate(model->module);
  MlirOperation global =
      mlirSymbolTableLookup(symbols, mlirFlatSymbolRefAttrGetValue(ts_attribute(op, "name")));
  mlirSymbolTableDestroy(symbols);
  return mlirOperationIsNull(global) || mlirAttributeIsNull(ts_attribute(global, "constant"));
}

static void add_op(ts_arena *arena, op_list *list, MlirOperation op) {
  if (list->num == list->max) {
    list->max = list->max ? list->max * 2 : 8;
    MlirOperation *ops = TS_NEW(arena, MlirOperation, list->max);
    if (list->num)
      memcpy(ops, list->ops, sizeof(*ops) * (size_t)list->num);
    list->ops = ops;
  }
  list->ops[list->num++] = op;
}

static MlirWalkResult scan_op(MlirOperation op, void *user) {
  scan *s = user;
  if (ts_op_is(op, "shard.shard")) {
    if (!s->annotated || (ts_is_asked(s->first_annotation) && !ts_is_asked(op)))
      s->first_annotation = op;
    s->annotated = true;
  } else if (ts_op_is(op, "memref.get_global")) {
    s->uses_variables = s->uses_variables || is_variable(s->model, op);
  } else if (ts_op_is(op, "func.call")) {
    add_op(s->model->arena, &s->calls, op);
  } else if (ts_op_is(op, "func.constant")) {
    add_op(s->model->arena, s->references, op);
  } else if (ts_is_collective(op)) {
    s->has_collectives = true;
  }
  return MlirWalkResultAdvance;
}

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

/* ---- call order ---------------------------------------------------------------------------------
 */

/* The grid of the annotation `op`, or NULL after a located error. */
static const ts_grid *grid_of(ts_model *model, MlirOperation op) {
  bool open;
  const ts_sharding *sharding = ts_annotation_read(&model->grids, op, &open);
  return sharding ? sharding->grid : NULL;
}

/* Depth first over calls; callees come before their callers in model->order. */
static bool visit(ts_model *model, ts_function *function, op_list *references) {
  function->visit = 1;
  scan s = {.model = model, .function = function, .references = references};
  mlirOperationWalk(function->handle, scan_op, &s, MlirWalkPreOrder);
  function->has_effects = s.uses_variables;
  function->has_collectives = s.has_collectives;
  for (int i = 0; i < s.calls.num; ++i) {
    ts_function *callee = ts_callee(model, s.calls.ops[i]);
    if (!callee)
      continue; /* the verifier has seen to it that it exists; it may be in an outer module */
    if (callee->visit == 1) {
      function->recursive_call = s.calls.ops[i];
      function->recurses_to = callee;
    } else if (callee->visit == 0 && !visit(model, callee, references))
      return false;
    function->is_active |= callee->is_active;
    function->has_effects |= callee->has_effects || (!callee->has_body && !callee->is_pure);
    function->has_collectives |= callee->has_collectives;
    if (callee->is_active)
      function->grid = callee->grid;
  }
  function->is_active |= s.annotated;
  if (s.annotated && !(function->grid = grid_of(model, s.first_annotation)))
    return false;
  function->visit = 2;
  model->order[model->num_functions++] = function;
  return true;
}

/* Once all functions are visited: the one on a cycle of calls that was visited first knows whether
 * any on it is annotated. */
static bool check_recursion(const ts_function *function) {
  if (!function->recurses_to || !function->recurses_to->is_active)
    return true;
  ts_error(function->recursive_call,
           "recursive call of @%s, which is annotated or calls what is: shardings of recursive "
           "functions are not defined; unroll the recursion or remove the annotations",
           function->recurses_to->name);
  return false;
}

/* ---- what cannot be partitioned -----------------------------------------------------------------
 */

/* A reference to a function is one to its signature, which partitioning changes. */
static bool check_reference(const ts_model *model, MlirOperation op) {
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(ts_attribute(op, "value"));
  const ts_function *function =
      ts_map_get(&model->functions, mlirIdentifierGet(model->context, name).ptr);
  if (!function || !function->is_active)
    return true;
  ts_error(op,
           "reference to @%s, which is annotated or calls what is: its arguments and results "
           "become pieces; call it by name, with func.call",
           function->name);
  return false;
}

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

bool ts_model_collect(ts_model *model, ts_arena *arena, MlirOperation module, ts_remarks remarks) {
  *model = (ts_model){.arena = arena,
                      .context = mlirOperationGetContext(module),
                      .module = module,
                      .asks = remarks == TS_ASK,
                      .remarks = remarks == TS_TELL};
  if (!ts_grids_collect(&model->grids, arena, module))
    return false;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  int num = 0;
  op_list references = {0};
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    num += ts_op_is(op, "func.func");
  ts_function **functions = TS_NEW(arena, ts_function *, num);
  model->order = TS_NEW(arena, ts_function *, num);
  num = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (ts_op_is(op, "func.func"))
      functions[num++] = read_function(model, op);
  for (int i = 0; i < num; ++i)
    if (!functions[i]->visit && !visit(model, functions[i], &references))
      return false;
  for (int i = 0; i < model->num_functions; ++i)
    if (!check_recursion(model->order[i]))
      return false;
  bool ok = check_places(body);
  for (int i = 0; i < references.num; ++i)
    ok &= check_reference(model, references.ops[i]);
  for (int i = 0; i < model->num_functions; ++i)
    if (model->order[i]->is_active)
      ok &= ts_collect_function(model, model->order[i]);
  return ok;
}
