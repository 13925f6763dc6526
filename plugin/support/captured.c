/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Walking the regions of an op for tensors from outside. It must not know any op in particular. */
#include "support/captured.h"

#include "mlir-c/BuiltinTypes.h"

#include "support/ir.h"

typedef struct walk {
  MlirOperation root;
  ts_arena *arena; /* NULL: the first value is enough */
  ts_captured found;
  int max_values, max_uses;
  MlirValue first;
} walk;

static bool defined_inside(MlirOperation root, MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return ts_is_inside(ts_owner_of(value), root);
  return ts_is_inside(mlirOperationGetParentOperation(mlirOpResultGetOwner(value)), root);
}

static int number_of(walk *w, MlirValue value) {
  ts_captured *found = &w->found;
  for (int v = 0; v < found->num; v++)
    if (mlirValueEqual(found->values[v], value))
      return v;
  found->values =
      ts_arena_grow(w->arena, found->values, found->num, &w->max_values, sizeof(*found->values));
  found->values[found->num] = value;
  return found->num++;
}

static MlirWalkResult note_captured(MlirOperation op, void *user) {
  walk *w = user;
  if (mlirOperationEqual(op, w->root))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (!mlirTypeIsATensor(mlirValueGetType(value)) || defined_inside(w->root, value))
      continue;
    w->first = value;
    if (!w->arena)
      return MlirWalkResultInterrupt;
    ts_captured *found = &w->found;
    found->uses =
        ts_arena_grow(w->arena, found->uses, found->num_uses, &w->max_uses, sizeof(*found->uses));
    found->uses[found->num_uses++] = (ts_captured_use){op, i, number_of(w, value)};
  }
  return MlirWalkResultAdvance;
}

ts_captured ts_captured_tensors(ts_arena *arena, MlirOperation op) {
  walk w = {.root = op, .arena = arena, .first = {NULL}};
  mlirOperationWalk(op, note_captured, &w, MlirWalkPreOrder);
  return w.found;
}

MlirValue ts_captured_tensor(MlirOperation op) {
  walk w = {.root = op, .arena = NULL, .first = {NULL}};
  mlirOperationWalk(op, note_captured, &w, MlirWalkPreOrder);
  return w.first;
}
