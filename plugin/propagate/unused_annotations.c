/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Annotations whose results nothing uses, over passes that would delete them. It knows who sees
 * values; it must not know layouts. */
#include "propagate/unused_annotations.h"

#include "ir/build.h"
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

/* Its result, if nothing else uses that, is used by an op that no pass deletes. */
static void keep(MlirOperation op, void *user) {
  ts_unused_annotations *kept = user;
  if (!ts_op_is(op, "shard.shard") || is_used(op) ||
      !mlirAttributeIsNull(ts_attribute(op, "annotate_for_users")))
    return;
  MlirValue value = mlirOperationGetOperand(op, 0);
  if (!mlirBlockEqual(block_of(value), mlirOperationGetBlock(op)) || !is_first(op, value))
    return;
  MlirValue annotated = mlirOperationGetResult(op, 0);
  ts_use_annotated(kept->arena, value, annotated);
  if (is_used(op))
    return;
  kept->uses = ts_arena_grow(kept->arena, kept->uses, kept->num, &kept->max, sizeof(*kept->uses));
  ts_maker behind = ts_make_before(mlirOperationGetNextInBlock(op));
  kept->uses[kept->num++] = ts_make_op(&behind, &(ts_new_op){.name = "bufferization.dealloc_tensor",
                                                             .num_operands = 1,
                                                             .operands = &annotated});
}

ts_unused_annotations ts_keep_unused_annotations(ts_arena *arena, MlirOperation module) {
  ts_unused_annotations kept = {.arena = arena};
  ts_each_op(module, keep, &kept);
  return kept;
}

void ts_let_unused_annotations_go(const ts_unused_annotations *kept) {
  for (int i = 0; i < kept->num; i++)
    mlirOperationDestroy(kept->uses[i]);
}
