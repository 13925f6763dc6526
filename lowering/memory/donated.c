/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Results that lie in the memory of a donated argument. It knows memrefs and returns; it must not
 * know how they came to lie there. */
#include "lowering/memory/donated.h"

#include "capi/capi.h"
#include "ir/build.h"
#include "lowering/entries/parameter_records.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* ---- calls inside of the module -------------------------------------------------------------- */

typedef struct search {
  MlirStringRef symbol;
  bool found;
} search;

static void note_call(MlirOperation op, void *user) {
  search *search = user;
  MlirAttribute callee = ts_attribute(op, "callee");
  if (!mlirAttributeIsNull(callee) && mlirAttributeIsAFlatSymbolRef(callee))
    search->found |= mlirStringRefEqual(mlirFlatSymbolRefAttrGetValue(callee), search->symbol);
}

static bool is_called(MlirOperation module, MlirOperation function) {
  search search = {ts_op_symbol(function, "sym_name"), false};
  ts_each_op(module, note_call, &search);
  return search.found;
}

/* ---- returns --------------------------------------------------------------------------------- */

/* The donated argument that `value` is, or -1. */
static intptr_t argument_of(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  while (op.ptr && ts_op_is(op, "memref.cast") &&
         mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetOperand(op, 0)))) {
    value = mlirOperationGetOperand(op, 0);
    op = ts_defining_op(value);
  }
  return mlirTypeIsAMemRef(mlirValueGetType(value)) && ts_parameter_is_donated(value)
             ? mlirBlockArgumentGetArgNumber(value)
             : -1;
}

static bool is_taken(const intptr_t *memory_of, intptr_t num, intptr_t argument) {
  for (intptr_t i = 0; i < num; i++)
    if (memory_of[i] == argument)
      return true;
  return false;
}

static void set(MlirOperation function, const char *name, MlirAttribute value) {
  mlirOperationSetAttributeByName(function, mlirStringRefCreateFromCString(name), value);
}

/* Returns those results alone of which `memory_of` says nothing. */
static void keep_others(ts_arena *arena, MlirOperation function, MlirOperation returns,
                        const intptr_t *memory_of) {
  MlirContext context = mlirOperationGetContext(function);
  MlirType type = mlirTypeAttrGetValue(ts_attribute(function, "function_type"));
  MlirAttribute attributes = ts_attribute(function, "res_attrs");
  intptr_t num = mlirOperationGetNumOperands(returns), kept = 0;
  intptr_t num_inputs = mlirFunctionTypeGetNumInputs(type);
  MlirValue *values = TS_NEW(arena, MlirValue, num);
  MlirType *types = TS_NEW(arena, MlirType, num), *inputs = TS_NEW(arena, MlirType, num_inputs);
  MlirAttribute *lists = TS_NEW(arena, MlirAttribute, num);
  for (intptr_t i = 0; i < num_inputs; i++)
    inputs[i] = mlirFunctionTypeGetInput(type, i);
  for (intptr_t i = 0; i < num; i++) {
    if (memory_of[i] >= 0)
      continue;
    values[kept] = mlirOperationGetOperand(returns, i);
    types[kept] = mlirFunctionTypeGetResult(type, i);
    if (attributes.ptr)
      lists[kept] = mlirArrayAttrGetElement(attributes, i);
    kept++;
  }
  mlirOperationSetOperands(returns, kept, values);
  set(function, "function_type",
      mlirTypeAttrGet(mlirFunctionTypeGet(context, num_inputs, inputs, kept, types)));
  if (attributes.ptr)
    set(function, "res_attrs", mlirArrayAttrGet(context, kept, lists));
}

static void hand_over(ts_entry *entry, ts_records *records) {
  MlirOperation function = ts_module_symbol(records->module, entry->symbol);
  MlirBlock block = ts_function_entry(function);
  if (mlirBlockGetNextInRegion(block).ptr)
    return;
  MlirOperation returns = mlirBlockGetTerminator(block);
  intptr_t num = mlirOperationGetNumOperands(returns);
  intptr_t *memory_of = TS_NEW(records->arena, intptr_t, num);
  bool any = false;
  for (intptr_t i = 0; i < num; i++) {
    intptr_t argument = argument_of(mlirOperationGetOperand(returns, i));
    memory_of[i] = is_taken(memory_of, i, argument) ? -1 : argument;
    any |= memory_of[i] >= 0;
  }
  if (!any)
    return;
  entry->memory_of = memory_of;
  keep_others(records->arena, function, returns, memory_of);
}

void ts_memory_hand_over(ts_entries *entries, ts_records *records) {
  for (intptr_t i = 0; i < entries->num; i++) {
    MlirOperation function = ts_module_symbol(records->module, entries->entries[i].symbol);
    /* Callers inside of the module take what is returned, and give what memory they like. */
    if (is_called(records->module, function))
      ts_parameters_forget(records->arena, function);
    else
      hand_over(&entries->entries[i], records);
  }
}
