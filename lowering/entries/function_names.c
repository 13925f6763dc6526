/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Names of the source's functions, out of the way of every name that the lowering and what follows
 * it will need. It knows symbols; it must not know bodies. */
#include "lowering/entries/function_names.h"

#include <string.h>

#include "lowering/calls/site_records.h"
#include "mlir-c/BuiltinAttributes.h"
#include "support/diagnostics.h"
#include "tessera/runtime.h"

static const char prefix[] = "tessera.fn.";

static bool has_prefix(MlirStringRef name, const char *start) {
  size_t length = strlen(start);
  return name.length >= length && memcmp(name.data, start, length) == 0;
}

MlirStringRef ts_names_source(MlirStringRef symbol) {
  size_t length = sizeof(prefix) - 1;
  return has_prefix(symbol, prefix)
             ? mlirStringRefCreate(symbol.data + length, symbol.length - length)
             : symbol;
}

/* ---- names of the runtime's ------------------------------------------------------------------ */

static bool is_reserved(MlirStringRef name) {
  static const char *const exact[] = {TESSERA_PROGRAM_SYMBOL, "_mlir_memref_to_llvm_alloc",
                                      "_mlir_memref_to_llvm_free"};
  for (size_t i = 0; i < sizeof(exact) / sizeof(exact[0]); i++)
    if (ts_string_equal(name, exact[i]))
      return true;
  return has_prefix(name, "tessera_rt_");
}

bool ts_names_check(MlirOperation module) {
  bool good = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    MlirStringRef name = ts_op_symbol(op, "sym_name");
    if (strncmp(ts_op_name(op), "llvm.", 5) != 0 && is_reserved(name))
      good = ts_error_at(mlirOperationGetLocation(op),
                         "@%.*s is a name of libtessera's own: expected any other",
                         (int)name.length, name.data);
  }
  return good;
}

/* ---- other names ----------------------------------------------------------------------------- */

typedef struct renaming {
  ts_arena arena;
  ts_map names; /* old name as a string attribute -> new name as text */
  MlirOperation module;
} renaming;

bool ts_names_is_defined(MlirOperation op) {
  return (ts_op_is(op, "func.func") || ts_op_is(op, "llvm.func")) &&
         mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)).ptr;
}

static void rename_function(renaming *r, MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute old = ts_attribute(op, "sym_name");
  MlirStringRef name = mlirStringAttrGetValue(old);
  char *chosen = ts_arena_format(&r->arena, "%s%.*s", prefix, (int)name.length, name.data);
  ts_map_set(&r->names, &r->arena, old.ptr, chosen);
  mlirOperationSetInherentAttributeByName(op, mlirStringRefCreateFromCString("sym_name"),
                                          ts_text_attribute(context, chosen));
}

/* Callees, values of func.constant: a reference is an attribute by itself. */
static MlirWalkResult update_references(MlirOperation op, void *user) {
  renaming *r = user;
  if (ts_op_is(op, "builtin.module") && !mlirOperationEqual(op, r->module))
    return MlirWalkResultSkip; /* what is inside refers to symbols of its own */
  MlirContext context = mlirOperationGetContext(op);
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); i++) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    if (!mlirAttributeIsAFlatSymbolRef(attribute.attribute))
      continue;
    MlirStringRef old = mlirFlatSymbolRefAttrGetValue(attribute.attribute);
    const char *chosen = ts_map_get(&r->names, mlirStringAttrGet(context, old).ptr);
    if (chosen)
      mlirOperationSetAttributeByName(op, mlirIdentifierStr(attribute.name),
                                      ts_symbol_attribute(context, chosen));
  }
  return MlirWalkResultAdvance;
}

void ts_names_set_apart(MlirOperation module) {
  renaming r = {.module = module};
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (ts_names_is_defined(op))
      rename_function(&r, op);
  mlirOperationWalk(module, update_references, &r, MlirWalkPreOrder);
  ts_arena_free(&r.arena);
}
