/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How precisely a function's results are computed. It knows which ops round; it must not know
 * layouts. */
#include "lowering/entries/precision.h"

#include <string.h>

#include "ir/build.h"
#include "lowering/records.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/map.h"

typedef struct slice {
  ts_arena *arena;
  MlirOperation module;
  ts_map seen; /* ops and functions */
  MlirOperation *pending;
  intptr_t num, room;
  MlirType narrowest; /* null: no float yet */
} slice;

/* Ops of these dialects compute scalars, or elements. */
static bool computes(MlirOperation op) {
  static const char *const dialects[] = {"arith.", "math.", "complex."};
  /* What gives back one of its operands, or widens it, is exact. */
  static const char *const exact[] = {
      "arith.constant", "arith.select",  "arith.extf",    "arith.negf",      "arith.maximumf",
      "arith.minimumf", "arith.maxnumf", "arith.minnumf", "arith.bitcast",   "math.absf",
      "complex.create", "complex.re",    "complex.im",    "complex.constant"};
  for (size_t i = 0; i < sizeof(exact) / sizeof(exact[0]); i++)
    if (ts_op_is(op, exact[i]))
      return false;
  for (size_t i = 0; i < sizeof(dialects) / sizeof(dialects[0]); i++)
    if (strncmp(ts_op_name(op), dialects[i], strlen(dialects[i])) == 0)
      return true;
  return false;
}

static void note_type(slice *s, MlirType type) {
  if (mlirTypeIsAShaped(type))
    type = mlirShapedTypeGetElementType(type);
  if (mlirTypeIsAComplex(type))
    type = mlirComplexTypeGetElementType(type);
  if (mlirTypeIsAFloat(type) &&
      (!s->narrowest.ptr || mlirFloatTypeGetWidth(type) < mlirFloatTypeGetWidth(s->narrowest)))
    s->narrowest = type;
}

static void add(slice *s, MlirOperation op) {
  if (ts_map_get(&s->seen, op.ptr))
    return;
  ts_map_set(&s->seen, s->arena, op.ptr, op.ptr);
  if (s->num == s->room) {
    s->room = s->room ? 2 * s->room : 64;
    MlirOperation *pending = TS_NEW(s->arena, MlirOperation, s->room);
    if (s->num > 0)
      memcpy(pending, s->pending, sizeof(*pending) * (size_t)s->num);
    s->pending = pending;
  }
  s->pending[s->num++] = op;
}

/* `op` is part of the slice, or inside an op that is. */
static MlirWalkResult take(MlirOperation op, void *user) {
  slice *s = user;
  if (computes(op))
    for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++)
      note_type(s, mlirValueGetType(mlirOperationGetResult(op, r)));
  if (ts_op_is(op, "func.call")) {
    MlirStringRef callee = ts_op_symbol(op, "callee");
    MlirOperation function = ts_module_symbol(
        s->module, ts_arena_format(s->arena, "%.*s", (int)callee.length, callee.data));
    if (function.ptr)
      add(s, function);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (mlirValueIsAOpResult(operand))
      add(s, mlirOpResultGetOwner(operand));
  }
  return MlirWalkResultAdvance;
}

/* The function's return; null if there is none, or one of several blocks. */
static MlirOperation only_return(MlirOperation function) {
  MlirBlock entry = ts_function_entry(function);
  if (!entry.ptr || mlirBlockGetNextInRegion(entry).ptr)
    return (MlirOperation){NULL};
  return mlirBlockGetTerminator(entry);
}

int32_t ts_precision_of_result(ts_arena *arena, MlirOperation module, MlirOperation function,
                               intptr_t i) {
  slice s = {.arena = arena, .module = module};
  MlirOperation end = only_return(function);
  if (!end.ptr)
    add(&s, function);
  else if (mlirValueIsAOpResult(mlirOperationGetOperand(end, i)))
    add(&s, mlirOpResultGetOwner(mlirOperationGetOperand(end, i)));
  while (s.num > 0)
    mlirOperationWalk(s.pending[--s.num], take, &s, MlirWalkPreOrder);
  return s.narrowest.ptr ? ts_dtype(s.narrowest) : 0;
}
