/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where each memory lies: on the device, or on the host where nobody else looks at it. It knows
 * which values are one memory; it must not know what is done with it. */
#include "lowering/targets/cuda/placement.h"

#include <string.h>

#include "capi/capi.h"
#include "ir/memory_views.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct place {
  struct place *same; /* as another one; NULL: a place of its own */
  bool is_device;
} place;

/* ---- places ---------------------------------------------------------------------------------- */

static bool is_memory(MlirValue value) {
  return mlirTypeIsAMemRef(mlirValueGetType(value)) ||
         mlirTypeIsAUnrankedMemRef(mlirValueGetType(value));
}

static place *find(place *at) {
  while (at->same)
    at = at->same;
  return at;
}

static place *place_of(ts_placement *p, MlirValue value) {
  place *known = ts_map_get(&p->places, value.ptr);
  if (!known) {
    known = TS_NEW(p->arena, place, 1);
    ts_map_set(&p->places, p->arena, value.ptr, known);
  }
  return find(known);
}

static void unite(ts_placement *p, MlirValue a, MlirValue b) {
  if (!is_memory(a) || !is_memory(b))
    return;
  place *first = place_of(p, a), *second = place_of(p, b);
  if (first == second)
    return;
  second->same = first;
  first->is_device |= second->is_device;
}

static void put_on_device(ts_placement *p, MlirValue value) {
  if (is_memory(value))
    place_of(p, value)->is_device = true;
}

/* ---- ops ------------------------------------------------------------------------------------- */

/* Upstream's helper of deallocation: it is given tables of addresses. */
static bool is_helper(MlirStringRef symbol) {
  static const char name[] = "dealloc_helper";
  return symbol.length >= sizeof(name) - 1 && memcmp(symbol.data, name, sizeof(name) - 1) == 0;
}

static void read_operands(ts_placement *p, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    put_on_device(p, mlirOperationGetOperand(op, i));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    put_on_device(p, mlirOperationGetResult(op, i));
}

/* What a block of a branch's is given. */
static void read_successors(ts_placement *p, MlirOperation op) {
  for (intptr_t s = 0; s < mlirOperationGetNumSuccessors(op); s++) {
    MlirBlock block = mlirOperationGetSuccessor(op, s);
    for (intptr_t a = 0; a < mlirBlockGetNumArguments(block); a++) {
      intptr_t operand = ts_successor_operand(op, s, a);
      if (operand >= 0)
        unite(p, mlirOperationGetOperand(op, operand), mlirBlockGetArgument(block, a));
    }
  }
}

/* Operand `first` + i is passed as result i of the op around. */
static void read_yield(ts_placement *p, MlirOperation op, intptr_t first) {
  MlirOperation around = mlirOperationGetParentOperation(op);
  intptr_t num = mlirOperationGetNumOperands(op) - first;
  bool is_loop = ts_op_is(around, "scf.while");
  for (intptr_t i = 0; i < num; i++) {
    MlirValue value = mlirOperationGetOperand(op, first + i);
    /* From the second region of a loop back to the first, from there to the second and out. */
    if (is_loop) {
      MlirBlock to = mlirRegionGetFirstBlock(mlirOperationGetRegion(around, first ? 1 : 0));
      unite(p, value, mlirBlockGetArgument(to, i));
      if (!first)
        continue;
    }
    if (i < mlirOperationGetNumResults(around))
      unite(p, value, mlirOperationGetResult(around, i));
  }
}

static void read_loop(ts_placement *p, MlirOperation op, intptr_t first_operand,
                      intptr_t first_argument) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  for (intptr_t i = 0; first_operand + i < mlirOperationGetNumOperands(op); i++) {
    MlirValue start = mlirOperationGetOperand(op, first_operand + i);
    if (first_argument + i < mlirBlockGetNumArguments(body))
      unite(p, start, mlirBlockGetArgument(body, first_argument + i));
    if (first_argument && i < mlirOperationGetNumResults(op))
      unite(p, start, mlirOperationGetResult(op, i));
  }
}

static void read_views(ts_placement *p, MlirOperation op) {
  if (mlirOperationGetNumResults(op) == 0 || !is_memory(mlirOperationGetResult(op, 0)))
    return;
  MlirValue source = ts_view_source(op);
  if (!mlirValueIsNull(source))
    unite(p, source, mlirOperationGetResult(op, 0));
  if (ts_op_is(op, "arith.select"))
    for (intptr_t i = 1; i < 3; i++)
      unite(p, mlirOperationGetOperand(op, i), mlirOperationGetResult(op, 0));
}

/* Addresses that kernels are given, and memory that comes as an address. */
static void read_cast(ts_placement *p, MlirOperation op) {
  MlirValue from = mlirOperationGetOperand(op, 0), to = mlirOperationGetResult(op, 0);
  if (is_memory(from) && is_memory(to))
    unite(p, from, to);
  else
    read_operands(p, op);
}

static MlirStringRef function_around(MlirOperation op) {
  MlirOperation function = ts_parent_named(op, "func.func");
  return function.ptr ? ts_op_symbol(function, "sym_name") : mlirStringRefCreate(NULL, 0);
}

static void read_op(MlirOperation op, void *user) {
  ts_placement *p = user;
  read_views(p, op);
  read_successors(p, op);
  if (ts_op_is(op, "func.call")) {
    if (!is_helper(ts_op_symbol(op, "callee")))
      read_operands(p, op);
  } else if (ts_op_is(op, "func.return")) {
    if (!is_helper(function_around(op)))
      read_operands(p, op);
  } else if (ts_op_is(op, "func.func")) {
    MlirBlock entry = ts_function_entry(op);
    for (intptr_t i = 0; entry.ptr && i < mlirBlockGetNumArguments(entry); i++)
      if (!is_helper(ts_op_symbol(op, "sym_name")))
        put_on_device(p, mlirBlockGetArgument(entry, i));
  } else if (ts_op_is(op, "scf.yield")) {
    read_yield(p, op, 0);
    if (ts_op_is(mlirOperationGetParentOperation(op), "scf.for"))
      read_loop(p, mlirOperationGetParentOperation(op), 3, 1);
  } else if (ts_op_is(op, "scf.condition")) {
    read_yield(p, op, 1);
    read_loop(p, mlirOperationGetParentOperation(op), 0, 0);
  } else if (ts_op_is(op, "builtin.unrealized_conversion_cast")) {
    read_cast(p, op);
  }
}

void ts_placement_read(ts_placement *placement, MlirOperation module) {
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (!ts_op_is(op, "gpu.module"))
      ts_each_op(op, read_op, placement);
}

void ts_placement_same(ts_placement *placement, MlirValue memref, MlirValue made) {
  unite(placement, memref, made);
}

bool ts_placement_is_device(const ts_placement *placement, MlirValue memref) {
  place *known = ts_map_get(&placement->places, memref.ptr);
  return known && find(known)->is_device;
}

static void mark(MlirOperation op, void *user) {
  const ts_placement *placement = user;
  if (ts_op_is(op, "memref.alloc") &&
      !ts_placement_is_device(placement, mlirOperationGetResult(op, 0)))
    mlirOperationSetDiscardableAttributeByName(op, mlirStringRefCreateFromCString(TS_CUDA_HOST),
                                               mlirUnitAttrGet(mlirOperationGetContext(op)));
}

void ts_placement_mark(MlirOperation module) {
  ts_arena arena = {0};
  ts_placement placement = {.arena = &arena};
  ts_placement_read(&placement, module);
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (!ts_op_is(op, "gpu.module"))
      ts_each_op(op, mark, &placement);
  ts_arena_free(&arena);
}
