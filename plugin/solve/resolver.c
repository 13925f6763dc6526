/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* For each function that tools call: a function that computes the halo sizes and shard offsets of
 * its arguments and results from the arguments, so that tools can cut and join whole tensors. Knows
 * scalar code, not what the numbers are for. */
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "solve/model.h"

static const char attribute_name[] = "tessera.resolve";

/* ---- what can be computed before a call ---------------------------------------------------------
 */

typedef struct slicer {
  ts_model *model;
  MlirBlock entry;       /* of the function */
  MlirBlock body;        /* of the one that computes its numbers */
  ts_map copies;         /* MlirValue -> its copy in `body` */
  MlirOperation earlier; /* the one that propagation made, or null */
  MlirOperation earlier_return;
  int64_t num_earlier; /* of its numbers: those of the arguments and results before this one */
} slicer;

static bool is_scalar_op(MlirOperation op) {
  if (strncmp(ts_op_name(op), "arith.", 6) != 0)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetResult(op, i))))
      return false;
  return true;
}

/* A tensor whose shape is asked for, without the annotations that it comes through. */
static MlirValue without_annotations(MlirValue value) {
  while (mlirValueIsAOpResult(value) && ts_op_is(mlirOpResultGetOwner(value), "shard.shard"))
    value = mlirOperationGetOperand(mlirOpResultGetOwner(value), 0);
  return value;
}

/* The copy of `value`, made with all that it depends on; null if that is more than arguments. */
static MlirValue copy_value(slicer *s, MlirValue value) {
  MlirValue copy = {ts_map_get(&s->copies, value.ptr)};
  if (copy.ptr || !mlirValueIsAOpResult(value))
    return copy; /* arguments are there from the start */
  MlirOperation op = mlirOpResultGetOwner(value);
  bool asks_shape = ts_op_is(op, "tensor.dim");
  if (!asks_shape && !is_scalar_op(op))
    return copy;
  intptr_t num = mlirOperationGetNumOperands(op);
  MlirValue *operands = TS_NEW(s->model->arena, MlirValue, num);
  for (intptr_t i = 0; i < num; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    operands[i] = copy_value(s, asks_shape && i == 0 ? without_annotations(operand) : operand);
    if (mlirValueIsNull(operands[i]))
      return operands[i];
  }
  MlirOperation clone = mlirOperationClone(op);
  for (intptr_t i = 0; i < num; ++i)
    mlirOperationSetOperand(clone, i, operands[i]);
  mlirBlockAppendOwnedOperation(s->body, clone);
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
    ts_map_set(&s->copies, s->model->arena, mlirOperationGetResult(op, r).ptr,
               (void *)mlirOperationGetResult(clone, r).ptr);
  return (MlirValue){ts_map_get(&s->copies, value.ptr)};
}

/* ---- the function -------------------------------------------------------------------------------
 */

static MlirOperation append_op(MlirBlock block, MlirLocation location, const char *name,
                               intptr_t num_operands, const MlirValue *operands,
                               intptr_t num_results, const MlirType *results) {
  MlirOperationState state = mlirOperationStateGet(mlirStringRefCreateFromCString(name), location);
  mlirOperationStateAddOperands(&state, num_operands, operands);
  mlirOperationStateAddResults(&state, num_results, results);
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockAppendOwnedOperation(block, op);
  return op;
}

/* How many numbers the function's attributes say that its argument or result `i` has: as many as
 * the earlier resolver returns for it. */
static int64_t count_recorded(ts_model *model, const ts_function *function, const char *list,
                              int i) {
  MlirAttribute all = ts_attribute(function->handle, list);
  if (mlirAttributeIsNull(all))
    return 0;
  MlirAttribute attribute = mlirDictionaryAttrGetElementByName(
      mlirArrayAttrGetElement(all, i), mlirStringRefCreateFromCString("tessera.layout"));
  if (mlirAttributeIsNull(attribute))
    return 0;
  MlirType global;
  const char *mistake;
  const ts_sharding *layout = ts_layout_from_attribute(&model->grids, attribute, &global, &mistake);
  return layout ? ts_sharding_run_time(layout, NULL) : 0;
}

/* Number `i` of one argument or result, as the earlier resolver computes it; null if it does not.
 */
static MlirValue copy_earlier(slicer *s, int64_t i) {
  int64_t at = s->num_earlier + i;
  if (!s->earlier.ptr || at >= mlirOperationGetNumOperands(s->earlier_return))
    return (MlirValue){NULL};
  return copy_value(s, mlirOperationGetOperand(s->earlier_return, (intptr_t)at));
}

/* The numbers of one argument or result, of which the attributes record `recorded`: an annotation
 * says them, or if it is gone the earlier resolver. False after an error. */
static bool copy_numbers(slicer *s, const ts_function *function, const ts_value *value,
                         int64_t recorded, MlirValue *returned, int64_t *num) {
  int64_t count = ts_sharding_run_time(value->layout, NULL);
  int64_t *numbers = TS_NEW(s->model->arena, int64_t, count);
  MlirLocation location = mlirOperationGetLocation(function->handle);
  MlirType i64 = mlirIntegerTypeGet(s->model->context, 64);
  ts_sharding_run_time(value->layout, numbers);
  for (int64_t i = 0; i < count; ++i) {
    MlirValue source = ts_number_value(&s->model->grids.numbers, numbers[i]);
    MlirValue copy = source.ptr ? copy_value(s, source) : source;
    if (mlirValueIsNull(copy) && count == recorded)
      copy = copy_earlier(s, i);
    if (mlirValueIsNull(copy)) {
      ts_error(value->annotation.ptr ? value->annotation : function->handle,
               "a halo size or shard offset of an argument or result of @%s depends on more than "
               "its scalar arguments, constants and the shapes of its arguments: tools could not "
               "cut or join the tensor; pass the number as an argument",
               function->name);
      return false;
    }
    if (!mlirTypeEqual(mlirValueGetType(copy), i64))
      copy = mlirOperationGetResult(
          append_op(s->body, location, "arith.index_cast", 1, &copy, 1, &i64), 0);
    returned[(*num)++] = copy;
  }
  return true;
}

/* Those of all arguments, then those of all results. */
static bool copy_all_numbers(slicer *s, const ts_function *function, MlirValue *returned,
                             int64_t *num) {
  bool ok = true;
  for (int i = 0; i < function->num_arguments + function->num_results && ok; ++i) {
    bool is_argument = i < function->num_arguments;
    int at = is_argument ? i : i - function->num_arguments;
    const ts_value *value = is_argument ? function->arguments[at] : function->results[at];
    if (!value)
      continue;
    int64_t recorded = s->earlier.ptr ? count_recorded(s->model, function,
                                                       is_argument ? "arg_attrs" : "res_attrs", at)
                                      : 0;
    ok = copy_numbers(s, function, value, recorded, returned, num);
    s->num_earlier += recorded;
  }
  return ok;
}

/* The blocks' arguments are those of the function, of the same types. */
static MlirBlock begin_body(slicer *s, MlirLocation location, MlirType *types) {
  intptr_t num = mlirBlockGetNumArguments(s->entry);
  MlirLocation *locations = TS_NEW(s->model->arena, MlirLocation, num);
  for (intptr_t i = 0; i < num; ++i) {
    types[i] = mlirValueGetType(mlirBlockGetArgument(s->entry, i));
    locations[i] = location;
  }
  MlirBlock body = mlirBlockCreate(num, types, locations);
  for (intptr_t i = 0; i < num; ++i)
    ts_map_set(&s->copies, s->model->arena, mlirBlockGetArgument(s->entry, i).ptr,
               (void *)mlirBlockGetArgument(body, i).ptr);
  return body;
}

static MlirOperation new_function(slicer *s, const ts_function *function, MlirType type) {
  MlirContext context = s->model->context;
  MlirStringRef symbol =
      mlirStringRefCreateFromCString(ts_free_symbol(s->model, function, "layouts"));
  MlirRegion region = mlirRegionCreate();
  MlirNamedAttribute attributes[3] = {
      ts_named(context, "sym_name", mlirStringAttrGet(context, symbol)),
      ts_named(context, "sym_visibility",
               mlirStringAttrGet(context, mlirStringRefCreateFromCString("private"))),
      ts_named(context, "function_type", mlirTypeAttrGet(type))};
  MlirOperationState state = mlirOperationStateGet(mlirStringRefCreateFromCString("func.func"),
                                                   mlirOperationGetLocation(function->handle));
  mlirOperationStateAddAttributes(&state, 3, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  MlirOperation resolver = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(function->handle), function->handle,
                                     resolver);
  ts_model_add_symbol(s->model, resolver);
  mlirOperationSetDiscardableAttributeByName(function->handle,
                                             mlirStringRefCreateFromCString(attribute_name),
                                             mlirFlatSymbolRefAttrGet(context, symbol));
  return resolver;
}

/* Makes the body that of a new function, or of the earlier one. */
static void finish(slicer *s, const ts_function *function, const MlirType *types, int64_t num,
                   const MlirValue *returned) {
  append_op(s->body, mlirOperationGetLocation(function->handle), "func.return", (intptr_t)num,
            returned, 0, NULL);
  MlirType *results = TS_NEW(s->model->arena, MlirType, num);
  for (int64_t i = 0; i < num; ++i)
    results[i] = mlirIntegerTypeGet(s->model->context, 64);
  MlirType type = mlirFunctionTypeGet(s->model->context, mlirBlockGetNumArguments(s->body), types,
                                      (intptr_t)num, results);
  MlirOperation resolver = s->earlier.ptr ? s->earlier : new_function(s, function, type);
  MlirRegion region = mlirOperationGetRegion(resolver, 0);
  if (s->earlier.ptr) {
    MlirBlock old = mlirRegionGetFirstBlock(region);
    mlirBlockDetach(old);
    mlirBlockDestroy(old);
    mlirOperationSetAttributeByName(resolver, mlirStringRefCreateFromCString("function_type"),
                                    mlirTypeAttrGet(type));
  }
  mlirRegionAppendOwnedBlock(region, s->body);
}

/* Lets the slicer read the resolver that propagation made: passes in between may have found some of
 * the numbers to be constants, which layouts then say themselves. False if there is one, but not of
 * the form that propagation gives it. */
static bool find_earlier(slicer *s, const ts_function *function) {
  MlirAttribute name = ts_attribute(function->handle, attribute_name);
  if (mlirAttributeIsNull(name))
    return true;
  if (!mlirAttributeIsAFlatSymbolRef(name))
    return false;
  MlirOperation op = ts_model_symbol(s->model, mlirFlatSymbolRefAttrGetValue(name));
  if (!op.ptr || !ts_op_is(op, "func.func"))
    return false;
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  if (!block.ptr || mlirBlockGetNextInRegion(block).ptr ||
      mlirBlockGetNumArguments(block) != mlirBlockGetNumArguments(s->entry))
    return false;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    ts_map_set(&s->copies, s->model->arena, mlirBlockGetArgument(block, i).ptr,
               (void *)mlirBlockGetArgument(s->body, i).ptr);
  s->earlier = op;
  s->earlier_return = mlirBlockGetTerminator(block);
  return true;
}

static int64_t count_numbers(const ts_function *function) {
  int64_t num = 0;
  for (int i = 0; i < function->num_arguments; ++i)
    if (function->arguments[i])
      num += ts_sharding_run_time(function->arguments[i]->layout, NULL);
  for (int i = 0; i < function->num_results; ++i)
    if (function->results[i])
      num += ts_sharding_run_time(function->results[i]->layout, NULL);
  return num;
}

static bool make_resolver(ts_model *model, const ts_function *function, int64_t room) {
  slicer s = {.model = model,
              .entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(function->handle, 0))};
  MlirType *types = TS_NEW(model->arena, MlirType, function->num_arguments);
  MlirValue *returned = TS_NEW(model->arena, MlirValue, room);
  s.body = begin_body(&s, mlirOperationGetLocation(function->handle), types);
  int64_t num = 0;
  bool is_ours = find_earlier(&s, function);
  bool ok = !is_ours || copy_all_numbers(&s, function, returned, &num);
  if (is_ours && ok)
    finish(&s, function, types, num, returned);
  else
    mlirBlockDestroy(s.body);
  return ok;
}

bool ts_make_resolvers(ts_model *model) {
  bool ok = true;
  for (int i = 0; i < model->num_functions; ++i) {
    const ts_function *function = model->order[i];
    if (!function->is_active || !ts_is_public(function->handle))
      continue;
    int64_t num = count_numbers(function);
    ok &= num == 0 || make_resolver(model, function, num);
  }
  return ok;
}
