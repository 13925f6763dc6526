/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reads of a tensor by the body of a linalg.generic, at places that are indices of its loops
 * shifted or counted backwards, as inputs with such maps: what data does not say is no lookup. It
 * knows scalar code; it must not know layouts. */
#include "capi/capi.h"
#include "ir/build.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structured/structured.h"
#include "support/captured.h"

/* `sign` times the index of a loop, plus `offset`; without a loop, `offset`. */
typedef struct place {
  intptr_t loop; /* -1: none */
  int64_t sign, offset;
} place;

/* ---- places ---------------------------------------------------------------------------------- */

static bool read_number(MlirValue value, int64_t *number) {
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || !ts_op_is(op, "arith.constant"))
    return false;
  *number = mlirIntegerAttrGetValueInt(ts_attribute(op, "value"));
  return true;
}

static bool read_place(MlirOperation generic, MlirValue value, place *p) {
  *p = (place){.loop = -1, .sign = 1};
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || read_number(value, &p->offset))
    return op.ptr;
  if (ts_op_is(op, "linalg.index")) {
    p->loop = ts_op_int(op, "dim", -1);
    return mlirOperationEqual(mlirOperationGetParentOperation(op), generic);
  }
  bool subtracts = ts_op_is(op, "arith.subi");
  if (!subtracts && !ts_op_is(op, "arith.addi"))
    return false;
  place a, b;
  if (!read_place(generic, mlirOperationGetOperand(op, 0), &a) ||
      !read_place(generic, mlirOperationGetOperand(op, 1), &b) || (a.loop >= 0 && b.loop >= 0))
    return false;
  int64_t turn = subtracts ? -1 : 1;
  *p = (place){.loop = a.loop >= 0 ? a.loop : b.loop,
               .sign = a.loop >= 0 ? a.sign : turn * b.sign,
               .offset = a.offset + turn * b.offset};
  return true;
}

/* The extent of loop `loop`, or -1 if no type says it. */
static int64_t extent_of(MlirOperation op, intptr_t loop) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    MlirAffineMap map = ts_linalg_map(op, i);
    for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
      MlirAffineExpr expr = mlirAffineMapGetResult(map, d);
      if (mlirAffineExprIsADim(expr) && mlirAffineDimExprGetPosition(expr) == loop &&
          !mlirShapedTypeIsDynamicDim(type, d))
        return mlirShapedTypeGetDimSize(type, d);
    }
  }
  return -1;
}

/* Whether the place is inside of dimension `d` for every index of its loop; that of a loop as it is
 * has to be all of the dimension, for the loop's extent would be said to be that. */
static bool is_inside(MlirOperation op, const place *p, MlirType type, intptr_t d) {
  if (mlirShapedTypeIsDynamicDim(type, d))
    return false;
  int64_t size = p->loop < 0 ? 1 : extent_of(op, p->loop);
  int64_t last = p->offset + p->sign * (size - 1);
  int64_t extent = mlirShapedTypeGetDimSize(type, d);
  if (p->loop >= 0 && p->sign == 1 && p->offset == 0)
    return size == extent;
  return size > 0 && p->offset >= 0 && p->offset < extent && last >= 0 && last < extent;
}

/* ---- reads ----------------------------------------------------------------------------------- */

/* Dimension `d`, of one element, is read as the loop of its number goes, which has one step. */
static bool is_one_step(MlirOperation op, const place *p, MlirType type, intptr_t d) {
  return p->loop < 0 && mlirShapedTypeGetDimSize(type, d) == 1 && d < ts_linalg_num_loops(op) &&
         extent_of(op, d) == 1;
}

/* The map of what `extract` reads; null if it is no place of loops, or of loops as they are. */
static MlirAffineMap map_of(MlirOperation op, MlirOperation extract) {
  MlirAffineMap none = {NULL};
  MlirContext context = mlirOperationGetContext(op);
  MlirType type = mlirValueGetType(mlirOperationGetOperand(extract, 0));
  MlirAffineExpr results[TS_MAX_RANK];
  bool moves = false, seen[TS_MAX_RANK] = {false};
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t d = 0; d < rank; d++) {
    place p;
    if (!read_place(op, mlirOperationGetOperand(extract, 1 + d), &p) || p.loop >= TS_MAX_RANK ||
        !is_inside(op, &p, type, d))
      return none;
    results[d] = mlirAffineConstantExprGet(context, p.offset);
    if (is_one_step(op, &p, type, d)) {
      p.loop = d;
      moves = true;
    }
    if (p.loop < 0)
      continue;
    if (seen[p.loop])
      return none;
    seen[p.loop] = true;
    moves |= p.sign != 1 || p.offset != 0;
    MlirAffineExpr index = mlirAffineDimExprGet(context, p.loop);
    if (p.sign < 0)
      index = mlirAffineMulExprGet(index, mlirAffineConstantExprGet(context, -1));
    results[d] = p.offset ? mlirAffineAddExprGet(index, results[d]) : index;
  }
  return moves ? mlirAffineMapGet(context, ts_linalg_num_loops(op), 0, rank, results) : none;
}

/* Lets the op read `tensor` by `map`, as its last input; returns the element in the body. */
static MlirValue add_input(MlirOperation op, MlirValue tensor, MlirAffineMap map) {
  MlirContext context = mlirOperationGetContext(op);
  intptr_t num = mlirOperationGetNumOperands(op), at = ts_linalg_num_inputs(op);
  MlirValue operands[2 * TS_MAX_RANK];
  MlirAttribute maps[2 * TS_MAX_RANK];
  for (intptr_t i = 0; i <= num; i++) {
    intptr_t old = i - (i > at);
    operands[i] = i == at ? tensor : mlirOperationGetOperand(op, old);
    maps[i] = mlirAffineMapAttrGet(i == at ? map : ts_linalg_map(op, old));
  }
  int32_t segments[] = {(int32_t)at + 1, (int32_t)(num - at)};
  MlirValue element = mlirBlockInsertArgument(
      ts_linalg_body(op), at, mlirShapedTypeGetElementType(mlirValueGetType(tensor)),
      mlirOperationGetLocation(op));
  mlirOperationSetOperands(op, num + 1, operands);
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("operandSegmentSizes"),
                                  mlirDenseI32ArrayGet(context, 2, segments));
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("indexing_maps"),
                                  mlirArrayAttrGet(context, num + 1, maps));
  return element;
}

/* A tensor of the body's own. */
static bool is_made_in(MlirBlock body, MlirValue tensor) {
  MlirOperation op = ts_defining_op(tensor);
  return op.ptr && mlirBlockEqual(mlirOperationGetBlock(op), body);
}

void ts_structure_reads(MlirOperation op) {
  if (mlirValueIsNull(ts_captured_tensor(op)))
    return;
  MlirBlock body = ts_linalg_body(op);
  for (MlirOperation next, inner = mlirBlockGetFirstOperation(body); inner.ptr; inner = next) {
    next = mlirOperationGetNextInBlock(inner);
    if (!ts_op_is(inner, "tensor.extract") || mlirOperationGetNumOperands(op) + 1 >= TS_MAX_RANK ||
        is_made_in(body, mlirOperationGetOperand(inner, 0)))
      continue;
    MlirAffineMap map = map_of(op, inner);
    if (mlirAffineMapIsNull(map))
      continue;
    MlirValue element = add_input(op, mlirOperationGetOperand(inner, 0), map);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(inner, 0), element);
    mlirOperationDestroy(inner);
  }
}
