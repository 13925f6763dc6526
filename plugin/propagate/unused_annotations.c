/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Annotations whose results nothing uses, over passes that would delete them. It knows who sees
 * values; it must not know layouts. */
#include "propagate/unused_annotations.h"

#include "numbers/scalar_code.h"
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
  kept->annotations[kept->num++] = (ts_unused_annotation){.op = op};
}

/* Gives it a sharding of its own, if the numbers in that are computed from scalars and shapes
 * alone: the one of the block goes where nothing in it uses it any more. */
static void take_sharding_along(ts_arena *arena, ts_unused_annotation *kept) {
  MlirOperation sharding = ts_defining_op(mlirOperationGetOperand(kept->op, 1));
  MlirBlock entry = mlirBlockArgumentGetOwner(mlirOperationGetOperand(kept->op, 0));
  MlirBlock own = mlirBlockCreate(0, NULL, NULL);
  ts_scalar_copier copier = {.arena = arena, .block = own};
  ts_copy_arguments(&copier, entry, entry);
  MlirOperation copy = mlirOperationClone(sharding);
  bool copied = true;
  for (intptr_t i = 0; copied && i < mlirOperationGetNumOperands(copy); i++) {
    MlirValue number = ts_copy_scalar(&copier, mlirOperationGetOperand(copy, i));
    copied = !mlirValueIsNull(number);
    if (copied)
      mlirOperationSetOperand(copy, i, number);
  }
  mlirBlockAppendOwnedOperation(own, copy);
  if (copied) {
    kept->own = own;
    mlirOperationSetOperand(kept->op, 1, mlirOperationGetResult(copy, 0));
  } else {
    mlirBlockDestroy(own);
  }
}

ts_unused_annotations ts_keep_unused_annotations(ts_arena *arena, MlirOperation module) {
  ts_unused_annotations kept = {.arena = arena};
  ts_each_op(module, keep, &kept);
  for (int i = 0; i < kept.num; i++) {
    take_sharding_along(arena, &kept.annotations[i]);
    mlirOperationRemoveFromParent(kept.annotations[i].op);
  }
  return kept;
}

/* Moves the operations of `own` to where `block` begins. */
static void put_numbers_back(MlirBlock block, MlirBlock own) {
  MlirOperation first = mlirBlockGetFirstOperation(block), op;
  while ((op = mlirBlockGetFirstOperation(own)).ptr)
    mlirOperationMoveBefore(op, first);
  mlirBlockDestroy(own);
}

/* Behind its sharding; false if that is gone. */
static bool put_back(const ts_unused_annotation *kept) {
  MlirValue numbers = mlirOperationGetOperand(kept->op, 1);
  if (mlirValueIsNull(numbers)) {
    ts_error(kept->op,
             "this annotation of an argument that nothing uses has numbers that nothing else uses; "
             "expected numbers of scalars and shapes, or none of it: remove it");
    mlirOperationDestroy(kept->op);
    return false;
  }
  if (kept->own.ptr)
    put_numbers_back(mlirBlockArgumentGetOwner(mlirOperationGetOperand(kept->op, 0)), kept->own);
  MlirOperation sharding = mlirOpResultGetOwner(numbers);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(sharding), sharding, kept->op);
  return true;
}

bool ts_put_unused_annotations_back(const ts_unused_annotations *kept) {
  bool ok = true;
  for (int i = 0; i < kept->num; i++)
    ok &= put_back(&kept->annotations[i]);
  return ok;
}
