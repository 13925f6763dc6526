/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Programs without their annotations. It knows the notation; it must not know what a sharding says.
 */
#include "sharding/strip.h"

#include "mlir-c/BuiltinAttributes.h"

#include "support/arena.h"
#include "support/ir.h"

/* `dictionary` without tessera.layout, which says how a partitioned function lays a tensor out. */
static MlirAttribute without_layout(ts_arena *arena, MlirContext context,
                                    MlirAttribute dictionary) {
  MlirStringRef layout = mlirStringRefCreateFromCString("tessera.layout");
  if (mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(dictionary, layout)))
    return dictionary;
  intptr_t num = 0, total = mlirDictionaryAttrGetNumElements(dictionary);
  MlirNamedAttribute *entries = TS_NEW(arena, MlirNamedAttribute, total);
  for (intptr_t i = 0; i < total; i++) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(dictionary, i);
    if (!mlirStringRefEqual(mlirIdentifierStr(entry.name), layout))
      entries[num++] = entry;
  }
  return mlirDictionaryAttrGet(context, num, entries);
}

static void strip_layouts(ts_arena *arena, MlirOperation function, const char *list) {
  MlirAttribute all = ts_attribute(function, list);
  if (mlirAttributeIsNull(all))
    return;
  MlirContext context = mlirOperationGetContext(function);
  intptr_t num = mlirArrayAttrGetNumElements(all);
  MlirAttribute *entries = TS_NEW(arena, MlirAttribute, num);
  for (intptr_t i = 0; i < num; i++)
    entries[i] = without_layout(arena, context, mlirArrayAttrGetElement(all, i));
  mlirOperationSetAttributeByName(function, mlirStringRefCreateFromCString(list),
                                  mlirArrayAttrGet(context, num, entries));
}

static MlirWalkResult strip_op(MlirOperation op, void *user) {
  if (ts_op_is(op, "func.func")) {
    strip_layouts(user, op, "arg_attrs");
    strip_layouts(user, op, "res_attrs");
    mlirOperationRemoveAttributeByName(op, mlirStringRefCreateFromCString("tessera.resolve"));
    mlirOperationRemoveAttributeByName(op, mlirStringRefCreateFromCString("tessera.propagated"));
  } else if (ts_op_is(op, "shard.shard")) {
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), mlirOperationGetOperand(op, 0));
    mlirOperationDestroy(op);
  }
  return MlirWalkResultAdvance;
}

static MlirWalkResult drop_unused_sharding(MlirOperation op, void *user) {
  (void)user;
  if ((ts_op_is(op, "shard.sharding") || ts_op_is(op, "shard.get_sharding")) &&
      mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, 0))))
    mlirOperationDestroy(op);
  return MlirWalkResultAdvance;
}

void ts_strip_annotations(MlirOperation op) {
  ts_arena arena = {0};
  mlirOperationWalk(op, strip_op, &arena, MlirWalkPostOrder);
  mlirOperationWalk(op, drop_unused_sharding, NULL, MlirWalkPostOrder);
  ts_arena_free(&arena);
}
