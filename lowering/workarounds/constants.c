/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around one-shot-bufferize, which goes through functions in the order of their addresses,
 * and makes and numbers the globals of their constants on the way: other text from run to run. Can
 * go when it goes through them in the order of the module. It knows memref.global. */
#include "lowering/workarounds/constants.h"

#include <ctype.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "support/arena.h"
#include "support/ir.h"
#include "support/map.h"

/* A global that is made for a constant, and its references. */
typedef struct constant {
  MlirOperation global;
  MlirAttribute renamed; /* what refers to it */
} constant;

typedef struct constants {
  ts_arena arena;
  MlirOperation module;
  ts_map known; /* the attribute that refers to it -> constant */
  constant **all;
  int num, room;
} constants;

static MlirStringRef text(const char *name) {
  return mlirStringRefCreateFromCString(name);
}

/* ---- in the order of uses -------------------------------------------------------------------- */

static bool is_of_constant(MlirOperation op) {
  const char prefix[] = "__constant_";
  MlirStringRef name = {"", 0};
  if (op.ptr && ts_op_is(op, "memref.global") && !ts_is_public(op))
    name = ts_op_symbol(op, "sym_name");
  return name.length > strlen(prefix) && memcmp(name.data, prefix, strlen(prefix)) == 0;
}

static void note_use(MlirOperation op, void *user) {
  constants *c = user;
  if (!ts_op_is(op, "memref.get_global"))
    return;
  MlirAttribute reference = ts_attribute(op, "name");
  if (ts_map_get(&c->known, reference.ptr))
    return;
  MlirStringRef name = ts_op_symbol(op, "name");
  const char *symbol = ts_arena_format(&c->arena, "%.*s", (int)name.length, name.data);
  constant *found = TS_NEW(&c->arena, constant, 1);
  found->global = ts_module_symbol(c->module, symbol);
  if (!is_of_constant(found->global))
    return;
  ts_map_set(&c->known, &c->arena, reference.ptr, found);
  c->all = ts_arena_grow(&c->arena, c->all, c->num, &c->room, sizeof(constant *));
  c->all[c->num++] = found;
}

/* ---- new names ------------------------------------------------------------------------------- */

/* "__constant_6xf32" of "__constant_6xf32_3": numbers are given anew. */
static MlirStringRef without_number(MlirStringRef name) {
  size_t length = name.length;
  while (length > 0 && isdigit((unsigned char)name.data[length - 1]))
    length--;
  bool numbered = length > 1 && length < name.length && name.data[length - 1] == '_';
  return numbered ? mlirStringRefCreate(name.data, length - 1) : name;
}

/* The table gives it a number where its name is taken. */
static void insert(constants *c, MlirSymbolTable table, MlirOperation before, constant *one) {
  MlirContext context = mlirOperationGetContext(c->module);
  MlirStringRef name = without_number(ts_op_symbol(one->global, "sym_name"));
  mlirOperationSetInherentAttributeByName(one->global, text("sym_name"),
                                          mlirStringAttrGet(context, name));
  mlirBlockInsertOwnedOperationBefore(ts_module_body(c->module), before, one->global);
  MlirStringRef chosen = mlirStringAttrGetValue(mlirSymbolTableInsert(table, one->global));
  one->renamed = mlirFlatSymbolRefAttrGet(context, chosen);
}

static void rename_use(MlirOperation op, void *user) {
  const constants *c = user;
  if (!ts_op_is(op, "memref.get_global"))
    return;
  const constant *known = ts_map_get(&c->known, ts_attribute(op, "name").ptr);
  if (known)
    mlirOperationSetInherentAttributeByName(op, text("name"), known->renamed);
}

void ts_constants_order(MlirOperation module) {
  constants c = {.module = module};
  ts_each_op(module, note_use, &c);
  for (int i = 0; i < c.num; i++)
    mlirOperationRemoveFromParent(c.all[i]->global);
  MlirSymbolTable table = mlirSymbolTableCreate(module);
  MlirOperation first = mlirBlockGetFirstOperation(ts_module_body(module));
  for (int i = 0; i < c.num; i++)
    insert(&c, table, first, c.all[i]);
  mlirSymbolTableDestroy(table);
  ts_each_op(module, rename_use, &c);
  ts_arena_free(&c.arena);
}
