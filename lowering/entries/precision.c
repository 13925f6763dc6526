/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How precisely a function's results are computed. It knows which ops round; it must not know
 * layouts. */
#include "lowering/entries/precision.h"

#include <string.h>

#include "ir/build.h"
#include "lowering/records.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/map.h"

/* What is known of ops and functions so far. */
typedef struct reading {
  ts_arena *arena;
  MlirOperation module;
  ts_map narrowest; /* op -> MlirType, null where it and all that it depends on have no floats */
} reading;

/* All that one op, or function, is made of. */
typedef struct extent {
  reading *reading;
  MlirType *narrowest;
} extent;

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

static void note_type(MlirType *narrowest, MlirType type) {
  if (mlirTypeIsAShaped(type))
    type = mlirShapedTypeGetElementType(type);
  if (mlirTypeIsAComplex(type))
    type = mlirComplexTypeGetElementType(type);
  if (mlirTypeIsAFloat(type) &&
      (!narrowest->ptr || mlirFloatTypeGetWidth(type) < mlirFloatTypeGetWidth(*narrowest)))
    *narrowest = type;
}

static void note_known(extent *e, const void *op) {
  const MlirType *known = ts_map_get(&e->reading->narrowest, op);
  if (known && known->ptr)
    note_type(e->narrowest, *known);
}

static void read_op(reading *r, MlirOperation op);

/* `op`, or what is inside of it. What it depends on and is not inside has been read. */
static MlirWalkResult take(MlirOperation op, void *user) {
  extent *e = user;
  reading *r = e->reading;
  if (computes(op))
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
      note_type(e->narrowest, mlirValueGetType(mlirOperationGetResult(op, i)));
  if (ts_op_is(op, "func.call")) {
    MlirStringRef callee = ts_op_symbol(op, "callee");
    MlirOperation function = ts_module_symbol(
        r->module, ts_arena_format(r->arena, "%.*s", (int)callee.length, callee.data));
    if (function.ptr) {
      read_op(r, function);
      note_known(e, function.ptr);
    }
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (mlirValueIsAOpResult(operand))
      note_known(e, mlirOpResultGetOwner(operand).ptr);
  }
  return MlirWalkResultAdvance;
}

/* Of a function, all that it computes. One that calls itself is known by the rest of it. */
static void read_op(reading *r, MlirOperation op) {
  if (ts_map_get(&r->narrowest, op.ptr))
    return;
  extent e = {r, TS_NEW(r->arena, MlirType, 1)};
  ts_map_set(&r->narrowest, r->arena, op.ptr, e.narrowest);
  mlirOperationWalk(op, take, &e, MlirWalkPreOrder);
}

/* The function's entry block, if it is the only one. */
static MlirBlock only_block(MlirOperation function) {
  MlirBlock entry = ts_function_entry(function);
  return entry.ptr && !mlirBlockGetNextInRegion(entry).ptr ? entry : (MlirBlock){NULL};
}

void ts_precision_of_results(ts_arena *arena, MlirOperation module, MlirOperation function,
                             intptr_t num, int32_t *computed_in) {
  reading r = {.arena = arena, .module = module};
  MlirBlock block = only_block(function);
  if (!block.ptr)
    read_op(&r, function);
  for (MlirOperation op = block.ptr ? mlirBlockGetFirstOperation(block) : (MlirOperation){NULL};
       op.ptr; op = mlirOperationGetNextInBlock(op))
    read_op(&r, op);
  for (intptr_t i = 0; i < num; i++) {
    MlirValue result = {NULL};
    if (block.ptr)
      result = mlirOperationGetOperand(mlirBlockGetTerminator(block), i);
    const MlirType *known = NULL;
    if (!block.ptr)
      known = ts_map_get(&r.narrowest, function.ptr);
    else if (mlirValueIsAOpResult(result))
      known = ts_map_get(&r.narrowest, mlirOpResultGetOwner(result).ptr);
    computed_in[i] = known && known->ptr ? ts_dtype(*known) : 0;
  }
}
