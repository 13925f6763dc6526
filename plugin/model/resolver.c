/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* For functions, above all those that tools call: one that computes the halo sizes and shard
 * offsets of the arguments and results from the arguments, so that tools can cut and join whole
 * tensors. It knows functions and numbers; it must not know what the numbers are for. */
#include "model/resolver.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "model/signature.h"
#include "numbers/program_numbers.h"
#include "numbers/scalar_code.h"
#include "support/diagnostics.h"
#include "support/ir.h"

/* ---- the one before -------------------------------------------------------------------------- */

/* Layouts may have changed since it was made: annotations were folded, or lost and restored. */
static void forget_resolver(ts_model *model, MlirOperation function) {
  MlirStringRef named = ts_resolver_name(function);
  MlirOperation resolver = named.length ? ts_model_symbol(model, named) : (MlirOperation){NULL};
  mlirOperationRemoveAttributeByName(function, mlirStringRefCreateFromCString("tessera.resolve"));
  if (!resolver.ptr || !ts_op_is(resolver, "func.func") || ts_is_public(resolver))
    return;
  MlirStringRef name = mlirStringAttrGetValue(ts_attribute(resolver, "sym_name"));
  const ts_function *known =
      ts_map_get(&model->functions, mlirIdentifierGet(model->context, name).ptr);
  if (known && !known->is_active && !known->is_named)
    ts_model_drop_symbol(model, resolver);
}

/* ---- the new one ----------------------------------------------------------------------------- */

typedef struct builder {
  ts_model *model;
  const ts_function *function;
  ts_scalar_copier copier; /* into the body */
  MlirValue *returned;
  int64_t num;
} builder;

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

/* Adds the numbers of one argument or result; false if they cannot be computed. */
static bool copy_numbers(builder *b, const ts_value *value) {
  const ts_model *model = b->model;
  MlirType i64 = mlirIntegerTypeGet(model->context, 64);
  int64_t count = ts_sharding_run_time(value->layout, NULL);
  ts_number *numbers = TS_NEW(model->arena, ts_number, count);
  ts_sharding_run_time(value->layout, numbers);
  for (int64_t i = 0; i < count; i++) {
    MlirValue source = ts_number_value(numbers[i]);
    MlirValue copy = source.ptr ? ts_copy_scalar(&b->copier, source) : source;
    if (mlirValueIsNull(copy))
      return false;
    if (!mlirTypeEqual(mlirValueGetType(copy), i64))
      copy = mlirOperationGetResult(append_op(b->copier.block,
                                              mlirOperationGetLocation(b->function->handle),
                                              "arith.index_cast", 1, &copy, 1, &i64),
                                    0);
    b->returned[b->num++] = copy;
  }
  return true;
}

/* The same for all of `values`; NULL, or the first whose numbers cannot be computed. */
static const ts_value *copy_all_numbers(builder *b, int num, ts_value *const *values) {
  for (int i = 0; i < num; i++)
    if (values[i] && !copy_numbers(b, values[i]))
      return values[i];
  return NULL;
}

/* A block that takes what the function takes. */
static void begin_body(builder *b, MlirType *types) {
  ts_arena *arena = b->model->arena;
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(b->function->handle, 0));
  intptr_t num = mlirBlockGetNumArguments(entry);
  MlirLocation *locations = TS_NEW(arena, MlirLocation, num);
  for (intptr_t i = 0; i < num; i++) {
    types[i] = mlirValueGetType(mlirBlockGetArgument(entry, i));
    locations[i] = mlirOperationGetLocation(b->function->handle);
  }
  b->copier = (ts_scalar_copier){.arena = arena, .block = mlirBlockCreate(num, types, locations)};
  ts_copy_arguments(&b->copier, entry, b->copier.block);
}

static void insert_function(builder *b, const MlirType *types) {
  ts_model *model = b->model;
  MlirContext context = model->context;
  MlirOperation function = b->function->handle;
  MlirBlock body = b->copier.block;
  MlirLocation location = mlirOperationGetLocation(function);
  append_op(body, location, "func.return", (intptr_t)b->num, b->returned, 0, NULL);
  MlirType *results = TS_NEW(model->arena, MlirType, b->num);
  for (int64_t i = 0; i < b->num; i++)
    results[i] = mlirIntegerTypeGet(context, 64);
  const char *name = ts_free_symbol(model, b->function, "layouts");
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  MlirStringRef symbol = mlirStringRefCreateFromCString(name);
  MlirType type = mlirFunctionTypeGet(context, mlirBlockGetNumArguments(body), types,
                                      (intptr_t)b->num, results);
  MlirNamedAttribute attributes[3] = {
      ts_named(context, "sym_name", mlirStringAttrGet(context, symbol)),
      ts_named(context, "sym_visibility",
               mlirStringAttrGet(context, mlirStringRefCreateFromCString("private"))),
      ts_named(context, "function_type", mlirTypeAttrGet(type))};
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("func.func"), location);
  mlirOperationStateAddAttributes(&state, 3, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  MlirOperation resolver = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(function), function, resolver);
  ts_model_add_symbol(model, resolver);
  mlirOperationSetDiscardableAttributeByName(function,
                                             mlirStringRefCreateFromCString("tessera.resolve"),
                                             mlirFlatSymbolRefAttrGet(context, symbol));
}

static int64_t count_numbers(const ts_function *function) {
  int64_t num = 0;
  for (int i = 0; i < function->num_arguments; i++)
    if (function->arguments[i])
      num += ts_sharding_run_time(function->arguments[i]->layout, NULL);
  for (int i = 0; i < function->num_results; i++)
    if (function->results[i])
      num += ts_sharding_run_time(function->results[i]->layout, NULL);
  return num;
}

/* False after a located error if there has to be one. */
static bool make_resolver(ts_model *model, const ts_function *function, int64_t num) {
  builder b = {.model = model, .function = function};
  MlirType *types = TS_NEW(model->arena, MlirType, function->num_arguments);
  b.returned = TS_NEW(model->arena, MlirValue, num);
  begin_body(&b, types);
  const ts_value *unclear = copy_all_numbers(&b, function->num_arguments, function->arguments);
  if (!unclear)
    unclear = copy_all_numbers(&b, function->num_results, function->results);
  if (!unclear) {
    insert_function(&b, types);
    return true;
  }
  mlirBlockDestroy(b.copier.block);
  if (!ts_is_public(function->handle))
    return true;
  ts_error(unclear->annotation.ptr ? unclear->annotation : function->handle,
           "a halo size or shard offset of an argument or result of @%s depends on more than its "
           "scalar arguments, constants and the shapes of its arguments: tools could not cut or "
           "join the tensor; pass the number as an argument",
           function->name);
  return false;
}

bool ts_make_resolvers(ts_model *model, ts_resolvers_for who) {
  bool ok = true;
  for (int i = 0; i < model->num_functions; i++) {
    const ts_function *function = model->order[i];
    if (!function->is_active)
      continue;
    forget_resolver(model, function->handle);
    int64_t num = count_numbers(function);
    if (num && (who == TS_FOR_PASSES || ts_is_public(function->handle)))
      ok &= make_resolver(model, function, num);
  }
  return ok;
}
