/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Annotations whose results nothing uses, over passes that would delete them. It knows who sees
 * values; it must not know layouts. */
#include "propagate/unused_annotations.h"

#include "support/blocks.h"
#include "support/diagnostics.h"
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

/* An argument of a function, which no pass drops, with a sharding of its block: it can stand right
 * behind that. */
static bool can_be_put_back(MlirOperation op, MlirValue value) {
  MlirBlock block = mlirOperationGetBlock(op);
  MlirOperation parent = mlirOperationGetParentOperation(op);
  MlirOperation sharding = ts_defining_op(mlirOperationGetOperand(op, 1));
  return mlirValueIsABlockArgument(value) && ts_op_is(parent, "func.func") &&
         mlirBlockEqual(block, ts_function_entry(parent)) && sharding.ptr &&
         mlirBlockEqual(mlirOperationGetBlock(sharding), block);
}

static void keep(MlirOperation op, void *user) {
  ts_unused_annotations *kept = user;
  if (!ts_op_is(op, "shard.shard") || is_used(op) ||
      !mlirAttributeIsNull(ts_attribute(op, "annotate_for_users")))
    return;
  MlirValue value = mlirOperationGetOperand(op, 0);
  if (!mlirBlockEqual(block_of(value), mlirOperationGetBlock(op)) || !is_first(op, value))
    return;
  ts_use_annotated(kept->arena, value, mlirOperationGetResult(op, 0));
  if (is_used(op) || !can_be_put_back(op, value))
    return;
  kept->annotations = ts_arena_grow(kept->arena, kept->annotations, kept->num, &kept->max,
                                    sizeof(*kept->annotations));
  kept->annotations[kept->num++] = op;
}

/* Its own sharding, if that is made of constants alone: the one of the block goes where nothing in
 * it uses it any more. */
static void take_sharding_along(MlirOperation annotation) {
  MlirOperation sharding = ts_defining_op(mlirOperationGetOperand(annotation, 1));
  intptr_t num = mlirOperationGetNumOperands(sharding);
  for (intptr_t i = 0; i < num; i++) {
    MlirOperation number = ts_defining_op(mlirOperationGetOperand(sharding, i));
    if (!number.ptr || !ts_op_is(number, "arith.constant"))
      return;
  }
  MlirOperation own = mlirOperationClone(sharding);
  for (intptr_t i = 0; i < num; i++) {
    MlirOperation number = mlirOperationClone(ts_defining_op(mlirOperationGetOperand(own, i)));
    mlirOperationSetOperand(own, i, mlirOperationGetResult(number, 0));
  }
  mlirOperationSetOperand(annotation, 1, mlirOperationGetResult(own, 0));
}

ts_unused_annotations ts_keep_unused_annotations(ts_arena *arena, MlirOperation module) {
  ts_unused_annotations kept = {.arena = arena};
  ts_each_op(module, keep, &kept);
  for (int i = 0; i < kept.num; i++) {
    mlirOperationRemoveFromParent(kept.annotations[i]);
    take_sharding_along(kept.annotations[i]);
  }
  return kept;
}

static void put_sharding_back(MlirBlock block, MlirOperation sharding) {
  mlirBlockInsertOwnedOperation(block, 0, sharding);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(sharding); i++)
    mlirBlockInsertOwnedOperation(block, 0, ts_defining_op(mlirOperationGetOperand(sharding, i)));
}

/* Behind its sharding, which stands in the block or in none; false if that is gone. */
static bool put_back(MlirOperation annotation) {
  MlirValue numbers = mlirOperationGetOperand(annotation, 1);
  if (mlirValueIsNull(numbers)) {
    ts_error(annotation,
             "this annotation of an argument that nothing uses has numbers that nothing else uses; "
             "expected constant ones, or none of it: remove it");
    mlirOperationDestroy(annotation);
    return false;
  }
  MlirOperation sharding = mlirOpResultGetOwner(numbers);
  MlirBlock block = mlirBlockArgumentGetOwner(mlirOperationGetOperand(annotation, 0));
  if (mlirBlockIsNull(mlirOperationGetBlock(sharding)))
    put_sharding_back(block, sharding);
  mlirBlockInsertOwnedOperationAfter(block, sharding, annotation);
  return true;
}

bool ts_put_unused_annotations_back(const ts_unused_annotations *kept) {
  bool ok = true;
  for (int i = 0; i < kept->num; i++)
    ok &= put_back(kept->annotations[i]);
  return ok;
}
