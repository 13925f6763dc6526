/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Packed wrappers, void (void **arguments, void **results): memory to memrefs, the call, and
 * results of their own memory. It knows signatures; it must not know bodies. */
#include "lowering/entries/entries.h"

#include "ir/memory_views.h"
#include "lowering/entries/parameter_records.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

static MlirValue load(const ts_maker *build, MlirValue pointer, MlirType type) {
  return ts_make_value(build, "llvm.load", 1, &pointer, type, 0, NULL);
}

/* pointers[i] */
static MlirValue element(const ts_maker *build, MlirValue pointers, intptr_t i) {
  MlirType pointer = ts_pointer_type(build->context);
  int32_t index = (int32_t)i;
  MlirNamedAttribute attributes[] = {
      ts_named(build->context, "elem_type", mlirTypeAttrGet(pointer)),
      ts_named(build->context, "rawConstantIndices",
               mlirDenseI32ArrayGet(build->context, 1, &index)),
  };
  MlirValue place =
      ts_make_value(build, "llvm.getelementptr", 1, &pointers, pointer, 2, attributes);
  return load(build, place, pointer);
}

/* ---- results of their own memory ------------------------------------------------------------- */

static bool is_allocation(MlirValue value) {
  return mlirValueIsAOpResult(value) &&
         (ts_op_is(mlirOpResultGetOwner(value), "memref.alloc") ||
          ts_op_is(mlirOpResultGetOwner(value), "bufferization.clone"));
}

/* What is known of the memory that a returned memref lies in. */
typedef struct origin {
  MlirValue root;
  bool is_own; /* an allocation */
} origin;

/* Can two returned memrefs be in one block of memory? */
static bool may_share(const origin *a, const origin *b) {
  return mlirValueEqual(a->root, b->root) || !a->is_own || !b->is_own;
}

/* Of each operand of `returns`; those in the other blocks of a function are anything. */
static origin *origins_of(ts_arena *arena, MlirOperation returns, bool known) {
  intptr_t num = mlirOperationGetNumOperands(returns);
  origin *origins = TS_NEW(arena, origin, num);
  for (intptr_t i = 0; i < num && known; i++) {
    MlirValue root = ts_view_root(mlirOperationGetOperand(returns, i));
    origins[i] = (origin){root, is_allocation(root)};
  }
  return origins;
}

static MlirValue member(const ts_maker *build, MlirValue memref, int64_t position) {
  MlirType type = mlirValueGetType(memref);
  MlirValue descriptor = ts_make_cast(build, memref, ts_llvm_type(type));
  return ts_make_extract_value(build, descriptor, position, ts_pointer_type(build->context));
}

/* i1: `block` is `other`, or `same` holds already; null is false. */
static MlirValue or_equal(const ts_maker *build, MlirValue same, MlirValue block, MlirValue other) {
  MlirType boolean = mlirIntegerTypeGet(build->context, 1);
  enum { EQUAL = 0 };
  MlirValue equal = ts_make_compare(build, "llvm.icmp", EQUAL, block, other);
  MlirValue either[] = {same, equal};
  return mlirValueIsNull(same) ? equal
                               : ts_make_value(build, "llvm.or", 2, either, boolean, 0, NULL);
}

/* `memref`, or a copy of it if `same`. */
static MlirValue copy_if(const ts_maker *build, MlirValue same, MlirValue memref) {
  MlirType type = mlirValueGetType(memref);
  MlirBlock then = mlirBlockCreate(0, NULL, NULL), otherwise = mlirBlockCreate(0, NULL, NULL);
  ts_maker inside = ts_make_at_end(then, build->location);
  ts_arm copies = {then, ts_make_copy(&inside, memref, type)}, keeps = {otherwise, memref};
  return ts_make_branch(build, same, &copies, &keeps);
}

/* Callers free each result: no two may share memory. One that lies in the block of an earlier one
 * is copied, so that of each block the first result stays. */
static void separate_results(const ts_maker *build, ts_arena *arena, MlirOperation function,
                             intptr_t num, MlirValue *results) {
  MlirBlock body = ts_function_entry(function);
  bool known = !mlirBlockGetNextInRegion(body).ptr;
  const origin *origins = origins_of(arena, mlirBlockGetTerminator(body), known);
  MlirValue *blocks = TS_NEW(arena, MlirValue, num);
  for (intptr_t j = 0; j < num; j++) {
    if (!mlirTypeIsAMemRef(mlirValueGetType(results[j])))
      continue;
    MlirValue same = {NULL};
    for (intptr_t i = 0; i < j; i++) {
      if (!may_share(&origins[j], &origins[i]) || !mlirTypeIsAMemRef(mlirValueGetType(results[i])))
        continue;
      for (intptr_t k = i; k <= j; k += j - i)
        if (mlirValueIsNull(blocks[k]))
          blocks[k] = member(build, results[k], 0);
      same = or_equal(build, same, blocks[j], blocks[i]);
    }
    if (!mlirValueIsNull(same))
      results[j] = copy_if(build, same, results[j]);
  }
}

/* ---- the wrapper ----------------------------------------------------------------------------- */

static void pack_body(ts_records *records, const ts_entry *entry, MlirOperation function,
                      MlirBlock block) {
  ts_maker build = ts_make_at_end(block, mlirOperationGetLocation(function));
  MlirType type = mlirTypeAttrGetValue(ts_attribute(function, "function_type"));
  MlirValue *values = TS_NEW(records->arena, MlirValue, entry->num_arguments);
  for (intptr_t i = 0; i < entry->num_arguments; i++) {
    MlirType argument = mlirFunctionTypeGetInput(type, i);
    MlirValue pointer = element(&build, mlirBlockGetArgument(block, 0), i);
    values[i] = ts_make_cast(&build, load(&build, pointer, ts_llvm_type(argument)), argument);
  }
  intptr_t num_returned = mlirFunctionTypeGetNumResults(type);
  MlirType *types = TS_NEW(records->arena, MlirType, num_returned);
  for (intptr_t i = 0; i < num_returned; i++)
    types[i] = mlirFunctionTypeGetResult(type, i);
  MlirNamedAttribute callee =
      ts_named(build.context, "callee", ts_symbol_attribute(build.context, entry->symbol));
  MlirOperation call = ts_make_op(&build, &(ts_new_op){.name = "func.call",
                                                       .num_operands = entry->num_arguments,
                                                       .operands = values,
                                                       .num_results = num_returned,
                                                       .results = types,
                                                       .num_attributes = 1,
                                                       .attributes = &callee});
  MlirValue *returned = TS_NEW(records->arena, MlirValue, num_returned);
  for (intptr_t i = 0; i < num_returned; i++)
    returned[i] = mlirOperationGetResult(call, i);
  separate_results(&build, records->arena, function, num_returned, returned);
  for (intptr_t i = 0, next = 0; i < entry->num_results; i++) {
    bool is_argument = entry->memory_of && entry->memory_of[i] >= 0;
    MlirValue result = is_argument ? values[entry->memory_of[i]] : returned[next++];
    MlirValue pointer = element(&build, mlirBlockGetArgument(block, 1), i);
    MlirValue operands[] = {ts_make_cast(&build, result, ts_llvm_type(mlirValueGetType(result))),
                            pointer};
    ts_make_op(&build, &(ts_new_op){.name = "llvm.store", .num_operands = 2, .operands = operands});
  }
  ts_make_op(&build, &(ts_new_op){.name = "llvm.return"});
}

static void pack_entry(ts_records *records, const ts_entry *entry) {
  MlirContext context = records->context;
  MlirOperation function = ts_module_symbol(records->module, entry->symbol);
  MlirLocation location = mlirOperationGetLocation(function);
  MlirType pointers[] = {ts_pointer_type(context), ts_pointer_type(context)};
  MlirLocation locations[] = {location, location};
  MlirBlock block = mlirBlockCreate(2, pointers, locations);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  pack_body(records, entry, function, block);
  MlirType type = mlirLLVMFunctionTypeGet(mlirLLVMVoidTypeGet(context), 2, pointers, false);
  MlirNamedAttribute attributes[] = {
      ts_named(context, "sym_name", ts_text_attribute(context, entry->packed)),
      ts_named(context, "function_type", mlirTypeAttrGet(type)),
      ts_named(context, "linkage", mlirLLVMLinkageAttrGet(context, MlirLLVMLinkageInternal)),
  };
  ts_maker build = ts_make_at_end(ts_module_body(records->module), location);
  ts_make_op(&build, &(ts_new_op){.name = "llvm.func",
                                  .num_attributes = 3,
                                  .attributes = attributes,
                                  .region = region});
}

void ts_entries_pack(const ts_entries *entries, ts_records *records) {
  for (intptr_t i = 0; i < entries->num; i++) {
    pack_entry(records, &entries->entries[i]);
    ts_parameters_forget(records->arena,
                         ts_module_symbol(records->module, entries->entries[i].symbol));
    if (entries->entries[i].resolve)
      pack_entry(records, entries->entries[i].resolve);
  }
}
