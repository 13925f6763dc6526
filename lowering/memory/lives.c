/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* When a function's memory is in use: from the first to the last op that looks at it, through
 * views, casts and loops. It knows ops on memory; it must not know who wants to know. */
#include "lowering/memory/lives.h"

#include "capi/capi.h"
#include "ir/memory_views.h"
#include "support/blocks.h"

/* ---- order ----------------------------------------------------------------------------------- */

typedef struct span {
  int begin, end; /* what is inside of an op lies between */
} span;

static void number_block(ts_order *order, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    span *at = TS_NEW(order->arena, span, 1);
    ts_map_set(&order->places, order->arena, op.ptr, at);
    at->begin = order->num++;
    for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
      for (MlirBlock inner = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)); inner.ptr;
           inner = mlirBlockGetNextInRegion(inner))
        number_block(order, inner);
    at->end = order->num++;
  }
}

void ts_order_read(ts_order *order, MlirOperation function) {
  for (MlirBlock block = ts_function_entry(function); block.ptr;
       block = mlirBlockGetNextInRegion(block))
    number_block(order, block);
}

/* ---- following an address -------------------------------------------------------------------- */

typedef struct pursuit {
  ts_order *order;
  ts_life *life;
  MlirBlock block; /* of the allocation */
  ts_map seen;     /* values that are, or may be, its address */
} pursuit;

/* Views, and what puts together or takes apart values that have the address inside. */
static bool passes_address(MlirOperation op) {
  static const char *const names[] = {"builtin.unrealized_conversion_cast", "llvm.extractvalue",
                                      "llvm.insertvalue"};
  if (!mlirValueIsNull(ts_view_source(op)))
    return true;
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (ts_op_is(op, names[i]))
      return true;
  return false;
}

/* Makes a number of an address. */
static bool hides_address(MlirOperation op) {
  return ts_op_is(op, "memref.extract_aligned_pointer_as_index") || ts_op_is(op, "llvm.ptrtoint");
}

static void note_use(pursuit *p, MlirOperation op) {
  const span *at = ts_map_get(&p->order->places, op.ptr);
  ts_life *life = p->life;
  if (at->begin < life->begin)
    life->begin = at->begin;
  if (at->end > life->end) {
    life->end = at->end;
    life->last = op;
  }
}

static bool follow(pursuit *p, MlirValue value, bool is_surely);

static bool follow_results(pursuit *p, MlirOperation op, bool is_surely) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (ts_type_has_pointer(mlirValueGetType(result)) && !follow(p, result, is_surely))
      return false;
  }
  return true;
}

/* What `op` does with an address. What a terminator passes on becomes a result of the op around. */
static bool follow_user(pursuit *p, MlirOperation op, bool is_surely) {
  MlirOperation at = ts_ancestor_in(p->block, op);
  bool is_here = mlirOperationEqual(at, op);
  if (!at.ptr || hides_address(op) || (is_here && ts_op_is_terminator(op)))
    return false;
  if (ts_op_is(op, "memref.dealloc") && is_here && is_surely) {
    if (p->life->dealloc.ptr)
      return false;
    p->life->dealloc = op;
    return true;
  }
  bool view = passes_address(op);
  if (!view)
    note_use(p, at);
  if (ts_op_is_terminator(op))
    return follow_results(p, mlirOperationGetParentOperation(op), false);
  return follow_results(p, op, is_surely && view);
}

/* `is_surely`: the address, and no other one. */
static bool follow(pursuit *p, MlirValue value, bool is_surely) {
  if (ts_map_get(&p->seen, value.ptr))
    return true;
  ts_map_set(&p->seen, p->order->arena, value.ptr, p);
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (!follow_user(p, mlirOpOperandGetOwner(use), is_surely))
      return false;
  return true;
}

bool ts_life_read(ts_order *order, MlirOperation alloc, ts_life *life) {
  const span *at = ts_map_get(&order->places, alloc.ptr);
  *life = (ts_life){.alloc = alloc, .last = alloc, .begin = order->num, .end = at->end};
  pursuit p = {.order = order, .life = life, .block = mlirOperationGetBlock(alloc)};
  if (!follow(&p, mlirOperationGetResult(alloc, 0), true) || !life->dealloc.ptr)
    return false;
  if (life->begin > life->end)
    life->begin = at->begin;
  return true;
}
