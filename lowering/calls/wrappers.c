/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Private functions that pass memrefs to the runtime as descriptors in memory: one for each runtime
 * function and combination of ranks and element types. It knows memory and calls; it must not know
 * what they do. */
#include "lowering/calls/wrappers.h"

#include <stdio.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

void ts_wrappers_init(ts_wrappers *wrappers, ts_arena *arena, MlirOperation module) {
  *wrappers =
      (ts_wrappers){.arena = arena, .context = mlirOperationGetContext(module), .module = module};
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute name = ts_attribute(op, "sym_name");
    if (!mlirAttributeIsNull(name))
      ts_map_set(&wrappers->known, arena, name.ptr, op.ptr);
  }
}

/* True the first time that `name` is asked for. */
static bool is_new(ts_wrappers *wrappers, const char *name) {
  const void *key = ts_text_attribute(wrappers->context, name).ptr;
  if (ts_map_get(&wrappers->known, key))
    return false;
  ts_map_set(&wrappers->known, wrappers->arena, key, wrappers);
  return true;
}

void ts_wrappers_declare(ts_wrappers *wrappers, const char *name, MlirType result, intptr_t num,
                         const MlirType *arguments) {
  if (!is_new(wrappers, name))
    return;
  MlirContext context = wrappers->context;
  MlirType returned = mlirTypeIsNull(result) ? mlirLLVMVoidTypeGet(context) : result;
  MlirType type = mlirLLVMFunctionTypeGet(returned, num, arguments, false);
  MlirNamedAttribute attributes[] = {
      ts_named(context, "sym_name", ts_text_attribute(context, name)),
      ts_named(context, "function_type", mlirTypeAttrGet(type)),
      ts_named(context, "linkage", mlirLLVMLinkageAttrGet(context, MlirLLVMLinkageExternal)),
  };
  ts_maker build =
      ts_make_at_end(ts_module_body(wrappers->module), mlirLocationUnknownGet(context));
  ts_make_op(&build, &(ts_new_op){.name = "llvm.func",
                                  .num_attributes = 3,
                                  .attributes = attributes,
                                  .region = mlirRegionCreate()});
}

void ts_wrappers_declare_alloc(ts_wrappers *wrappers) {
  enum { ALIGNMENT = 64 }; /* of tessera_alloc */
  static const char name[] = "_mlir_memref_to_llvm_alloc";
  MlirContext context = wrappers->context;
  MlirType word = ts_i64_type(context);
  if (ts_module_symbol(wrappers->module, name).ptr)
    return;
  ts_wrappers_declare(wrappers, name, ts_pointer_type(context), 1, &word);
  MlirNamedAttribute facts[] = {
      ts_named(context, "llvm.align", ts_int_attribute(word, ALIGNMENT)),
      ts_named(context, "llvm.noalias", mlirUnitAttrGet(context)),
  };
  MlirAttribute result = mlirDictionaryAttrGet(context, 2, facts);
  mlirOperationSetInherentAttributeByName(ts_module_symbol(wrappers->module, name),
                                          mlirStringRefCreateFromCString("res_attrs"),
                                          mlirArrayAttrGet(context, 1, &result));
}

#define CALL "tessera.call."
#define START "tessera.start."

/* "tessera.call.all_gather.2xf32.2xf32", with ".3" at the end where three words follow. */
void ts_wrapper_name(const ts_call *call, char *name, size_t size) {
  size_t used = (size_t)snprintf(name, size, "%s%s", call->starts ? START : CALL, call->name);
  for (int i = 0; i < call->num_memrefs; i++) {
    char element[64];
    ts_type_text(mlirShapedTypeGetElementType(call->memrefs[i]), element, sizeof(element));
    used += (size_t)snprintf(name + used, size - used, ".%dx%s",
                             (int)mlirShapedTypeGetRank(call->memrefs[i]), element);
  }
  if (call->num_words >= 0)
    snprintf(name + used, size - used, ".%d", (int)call->num_words);
}

MlirStringRef ts_wrapped_function(MlirOperation op) {
  size_t length = sizeof(CALL) - 1;
  MlirStringRef callee = ts_op_symbol(op, "callee");
  if (!ts_op_is(op, "func.call") || callee.length <= length ||
      memcmp(callee.data, CALL, length) != 0)
    return mlirStringRefCreate(NULL, 0);
  const char *start = callee.data + length;
  const char *end = memchr(start, '.', callee.length - length);
  return mlirStringRefCreate(start, end ? (size_t)(end - start) : callee.length - length);
}

static MlirType parameter_type(const ts_call *call, int i) {
  return ts_any_strides_type(mlirShapedTypeGetElementType(call->memrefs[i]),
                             mlirShapedTypeGetRank(call->memrefs[i]));
}

/* ---- the body -------------------------------------------------------------------------------- */

static MlirValue alloca_of(const ts_maker *build, MlirType type, int64_t count) {
  MlirValue number = ts_make_llvm_int(build, 64, count);
  MlirNamedAttribute element = ts_named(build->context, "elem_type", mlirTypeAttrGet(type));
  return ts_make_value(build, "llvm.alloca", 1, &number, ts_pointer_type(build->context), 1,
                       &element);
}

static void store(const ts_maker *build, MlirValue value, MlirValue pointer) {
  MlirValue operands[] = {value, pointer};
  ts_make_op(build, &(ts_new_op){.name = "llvm.store", .num_operands = 2, .operands = operands});
}

/* The memref's descriptor in memory of this call. */
static MlirValue descriptor_in_memory(const ts_maker *build, MlirValue memref) {
  MlirType type =
      ts_descriptor_type(build->context, mlirShapedTypeGetRank(mlirValueGetType(memref)));
  MlirValue pointer = alloca_of(build, type, 1);
  store(build, ts_make_cast(build, memref, type), pointer);
  return pointer;
}

static MlirValue words_in_memory(const ts_maker *build, intptr_t num, const MlirValue *words) {
  MlirType pointer = ts_pointer_type(build->context), word = ts_i64_type(build->context);
  if (num == 0)
    return ts_make_value(build, "llvm.mlir.zero", 0, NULL, pointer, 0, NULL);
  MlirValue base = alloca_of(build, word, num);
  for (intptr_t i = 0; i < num; i++) {
    int32_t index = (int32_t)i;
    MlirNamedAttribute attributes[] = {
        ts_named(build->context, "elem_type", mlirTypeAttrGet(word)),
        ts_named(build->context, "rawConstantIndices",
                 mlirDenseI32ArrayGet(build->context, 1, &index)),
    };
    MlirValue place = ts_make_value(build, "llvm.getelementptr", 1, &base, pointer, 2, attributes);
    store(build, words[i], place);
  }
  return base;
}

static void build_body(ts_wrappers *wrappers, const ts_call *call, MlirBlock block) {
  ts_maker build = ts_make_at_end(block, mlirLocationUnknownGet(wrappers->context));
  MlirType pointer = ts_pointer_type(wrappers->context);
  MlirValue operands[TS_MAX_CALL_MEMREFS + 3], given = {NULL};
  intptr_t num = 0;
  operands[num++] = mlirBlockGetArgument(block, 0);
  operands[num++] = ts_make_value(&build, "llvm.mlir.zero", 0, NULL, pointer, 0, NULL);
  for (int i = 0; i < call->num_memrefs; i++)
    operands[num++] = descriptor_in_memory(&build, mlirBlockGetArgument(block, 1 + i));
  if (call->starts && call->num_memrefs == 1) { /* what is read is written, too */
    operands[num] = operands[num - 1];
    num++;
  }
  if (call->starts && call->num_words < 0)
    operands[num++] = words_in_memory(&build, 0, NULL);
  if (call->num_words >= 0) {
    MlirValue *words = TS_NEW(wrappers->arena, MlirValue, call->num_words);
    for (intptr_t i = 0; i < call->num_words; i++)
      words[i] = mlirBlockGetArgument(block, 1 + call->num_memrefs + i);
    operands[num++] = words_in_memory(&build, call->num_words, words);
  }
  char *callee =
      ts_arena_format(wrappers->arena, "tessera_rt_%s", call->starts ? "start" : call->name);
  if (call->starts)
    given = ts_make_llvm_call_value(&build, callee, num, operands, pointer);
  else
    ts_make_llvm_call(&build, callee, num, operands);
  ts_make_op(&build,
             &(ts_new_op){.name = "func.return", .num_operands = call->starts, .operands = &given});

  MlirType types[TS_MAX_CALL_MEMREFS + 3];
  for (intptr_t i = 0; i < num; i++)
    types[i] = pointer;
  ts_wrappers_declare(wrappers, callee, call->starts ? pointer : (MlirType){NULL}, num, types);
}

void ts_wrappers_add(ts_wrappers *wrappers, const ts_call *call) {
  char name[512];
  ts_wrapper_name(call, name, sizeof(name));
  if (!is_new(wrappers, name))
    return;
  MlirContext context = wrappers->context;
  MlirLocation location = mlirLocationUnknownGet(context);
  intptr_t num_words = call->num_words > 0 ? call->num_words : 0;
  intptr_t num = 1 + call->num_memrefs + num_words;
  MlirType *types = TS_NEW(wrappers->arena, MlirType, num);
  MlirLocation *locations = TS_NEW(wrappers->arena, MlirLocation, num);
  for (intptr_t i = 0; i < num; i++) {
    types[i] = i == 0                   ? ts_pointer_type(context)
               : i <= call->num_memrefs ? parameter_type(call, (int)i - 1)
                                        : ts_i64_type(context);
    locations[i] = location;
  }
  MlirBlock block = mlirBlockCreate(num, types, locations);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  build_body(wrappers, call, block);
  MlirType result = ts_pointer_type(context);
  MlirAttribute noinline = ts_text_attribute(context, "noinline");
  MlirNamedAttribute attributes[] = {
      ts_named(context, "sym_name", ts_text_attribute(context, name)),
      ts_named(context, "sym_visibility", ts_text_attribute(context, "private")),
      ts_named(context, "function_type",
               mlirTypeAttrGet(mlirFunctionTypeGet(context, num, types, call->starts, &result))),
      ts_named(context, "llvm.linkage", mlirLLVMLinkageAttrGet(context, MlirLLVMLinkageInternal)),
      /* Inlined, a function of a thousand calls would have thousands of descriptors on its stack,
       * and LLVM takes quadratic time over them. */
      ts_named(context, "passthrough", mlirArrayAttrGet(context, 1, &noinline)),
  };
  ts_maker build = ts_make_at_end(ts_module_body(wrappers->module), location);
  ts_make_op(&build, &(ts_new_op){.name = "func.func",
                                  .num_attributes = 5,
                                  .attributes = attributes,
                                  .region = region});
}

/* ---- the call -------------------------------------------------------------------------------- */

void ts_make_wrapper_call(const ts_maker *build, const ts_call *call, MlirValue site,
                          const MlirValue *memrefs, const MlirValue *words) {
  ts_arena arena = {0};
  intptr_t num_words = call->num_words > 0 ? call->num_words : 0;
  MlirValue *operands = TS_NEW(&arena, MlirValue, 1 + call->num_memrefs + num_words);
  intptr_t num = 0;
  operands[num++] = site;
  for (int i = 0; i < call->num_memrefs; i++)
    operands[num++] = ts_make_memref_cast(build, memrefs[i], parameter_type(call, i));
  for (intptr_t i = 0; i < num_words; i++) {
    MlirType type = ts_i64_type(build->context);
    bool is_word = mlirTypeEqual(mlirValueGetType(words[i]), type);
    operands[num++] =
        is_word ? words[i] : ts_make_value(build, "arith.index_cast", 1, &words[i], type, 0, NULL);
  }
  char name[512];
  ts_wrapper_name(call, name, sizeof(name));
  ts_make_call(build, name, num, operands);
  ts_arena_free(&arena);
}
