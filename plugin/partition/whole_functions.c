/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Annotated functions as they were before partitioning, for ops that run whole and call them. It
 * knows calls; it must not know layouts. */
#include "partition/whole_functions.h"

#include "mlir-c/BuiltinAttributes.h"

#include "sharding/strip.h"

typedef struct copy_walk {
  ts_model *model;
  ts_map copies; /* ts_function -> its copy */
  /* Copies whose calls are still to be redirected. */
  MlirOperation *waiting;
  int num_waiting, max_waiting;
} copy_walk;

static void set_text(MlirOperation op, const char *name, const char *text) {
  mlirOperationSetAttributeByName(
      op, mlirStringRefCreateFromCString(name),
      mlirStringAttrGet(mlirOperationGetContext(op), mlirStringRefCreateFromCString(text)));
}

static MlirOperation copy_of(copy_walk *walk, const ts_function *function) {
  ts_arena *arena = walk->model->arena;
  void *known = ts_map_get(&walk->copies, function);
  if (known)
    return (MlirOperation){known};
  MlirOperation copy = mlirOperationClone(function->handle);
  ts_map_set(&walk->copies, arena, function, copy.ptr);
  set_text(copy, "sym_name", ts_free_symbol(walk->model, function, "whole"));
  set_text(copy, "sym_visibility", "private");
  ts_model_add_symbol(walk->model, copy);
  ts_strip_annotations(copy);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(function->handle), function->handle,
                                     copy);
  walk->waiting = ts_arena_grow(arena, walk->waiting, walk->num_waiting, &walk->max_waiting,
                                sizeof(*walk->waiting));
  walk->waiting[walk->num_waiting++] = copy;
  return copy;
}

/* The model has no op for calls inside ops that run whole, nor for those of a copy. */
static MlirWalkResult redirect_call(MlirOperation op, void *user) {
  copy_walk *walk = user;
  if (!ts_op_is(op, "func.call") || ts_model_call(walk->model, op))
    return MlirWalkResultAdvance;
  const ts_function *callee = ts_callee(walk->model, op);
  if (!callee || !callee->is_active)
    return MlirWalkResultAdvance;
  MlirOperation copy = copy_of(walk, callee);
  MlirStringRef name = mlirStringAttrGetValue(ts_attribute(copy, "sym_name"));
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("callee"),
                                  mlirFlatSymbolRefAttrGet(mlirOperationGetContext(op), name));
  return MlirWalkResultAdvance;
}

void ts_copies_make(ts_model *model) {
  copy_walk walk = {.model = model};
  for (int i = 0; model->calls_inside && i < model->num_functions; i++)
    if (model->order[i]->is_active)
      mlirOperationWalk(model->order[i]->handle, redirect_call, &walk, MlirWalkPreOrder);
  while (walk.num_waiting)
    mlirOperationWalk(walk.waiting[--walk.num_waiting], redirect_call, &walk, MlirWalkPreOrder);
}
