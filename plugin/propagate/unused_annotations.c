/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Annotations whose results nothing uses, over passes that would delete them. It knows who sees
 * values; it must not know layouts. */
#include "propagate/unused_annotations.h"

#include "ir/build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "support/blocks.h"
#include "support/ir.h"

void ts_use_annotated(ts_arena *arena, MlirValue handle, MlirValue annotated) {
  MlirOperation annotation = mlirOpResultGetOwner(annotated);
  MlirBlock block = mlirOperationGetBlock(annotation);
  int num = 1; /* the annotation's own use */
  for (MlirOpOperand use = mlirValueGetFirstUse(handle); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    num++;
  MlirOperation *before = TS_NEW(arena, MlirOperation, num);
  int kept = 0;
  before[kept++] = annotation;
  for (MlirOpOperand use = mlirValueGetFirstUse(handle); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use), around = ts_ancestor_in(block, user);
    if (around.ptr && mlirOperationIsBeforeInBlock(around, annotation))
      before[kept++] = user;
  }
  mlirValueReplaceAllUsesExcept(handle, annotated, kept, before);
}

static bool is_used(MlirOperation op) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, 0)));
}

static MlirBlock block_of(MlirValue value) {
  return mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value)
                                          : mlirOperationGetBlock(mlirOpResultGetOwner(value));
}

/* An annotation of what is annotated already says nothing of who else uses the value. */
static bool is_first(MlirOperation op, MlirValue value) {
  if (!mlirValueIsABlockArgument(value) && ts_op_is(mlirOpResultGetOwner(value), "shard.shard"))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation other = mlirOpOperandGetOwner(use);
    if (!mlirOperationEqual(other, op) && ts_op_is(other, "shard.shard") &&
        mlirBlockEqual(mlirOperationGetBlock(other), mlirOperationGetBlock(op)) &&
        mlirOperationIsBeforeInBlock(other, op))
      return false;
  }
  return true;
}

/* On what was put there to use an annotation, wherever passes have moved or copied it. */
static const char mark[] = "tessera.keeps";

/* Its result, if nothing else uses that, is used by an op with effects: what is reached of those no
 * pass deletes. */
static void keep(MlirOperation op, void *user) {
  ts_arena *arena = user;
  if (!ts_op_is(op, "shard.shard") || is_used(op) ||
      !mlirAttributeIsNull(ts_attribute(op, "annotate_for_users")))
    return;
  MlirValue value = mlirOperationGetOperand(op, 0);
  if (!mlirBlockEqual(block_of(value), mlirOperationGetBlock(op)) || !is_first(op, value))
    return;
  MlirValue annotated = mlirOperationGetResult(op, 0);
  ts_use_annotated(arena, value, annotated);
  if (is_used(op))
    return;
  MlirNamedAttribute marked =
      ts_named(mlirOperationGetContext(op), mark, mlirUnitAttrGet(mlirOperationGetContext(op)));
  ts_maker behind = ts_make_before(mlirOperationGetNextInBlock(op));
  ts_make_op(&behind, &(ts_new_op){.name = "bufferization.dealloc_tensor",
                                   .num_operands = 1,
                                   .operands = &annotated,
                                   .num_attributes = 1,
                                   .attributes = &marked});
}

void ts_keep_unused_annotations(ts_arena *arena, MlirOperation module) {
  ts_each_op(module, keep, arena);
}

static void let_go(MlirOperation op, void *user) {
  (void)user;
  if (!mlirAttributeIsNull(ts_attribute(op, mark)))
    mlirOperationDestroy(op);
}

void ts_let_unused_annotations_go(MlirOperation module) {
  ts_each_op(module, let_go, NULL);
}
