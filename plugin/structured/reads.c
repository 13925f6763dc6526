/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reads of a tensor by the body of a linalg.generic, at places that are indices of its loops
 * shifted, counted backwards or added, as inputs with such maps: what data does not say is no
 * lookup. It knows scalar code; it must not know layouts. */
#include "capi/capi.h"
#include "ir/generic.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structured/parallel.h"
#include "structured/place_sums.h"
#include "structured/places.h"
#include "structured/structured.h"
#include "support/captured.h"

static bool has_step(const ts_coordinate *p) {
  return p->loop >= 0 && p->sign != 1 && p->sign != -1;
}

/* Whether the place is inside of dimension `d` for every index of its loop; that of a loop as it is
 * has to be all of the dimension, for the loop's extent would be said to be that. */
static bool is_inside(MlirOperation op, const ts_coordinate *p, MlirType type, intptr_t d) {
  if (mlirShapedTypeIsDynamicDim(type, d) || has_step(p))
    return false;
  int64_t size = p->loop < 0 ? 1 : ts_place_extent(op, p->loop);
  int64_t last = p->offset + p->sign * (size - 1);
  int64_t extent = mlirShapedTypeGetDimSize(type, d);
  if (p->loop >= 0 && p->sign == 1 && p->offset == 0)
    return size == extent;
  return size > 0 && p->offset >= 0 && p->offset < extent && last >= 0 && last < extent;
}

/* ---- reads ----------------------------------------------------------------------------------- */

/* Dimension `d`, of one element, is read as the loop of its number goes, which has one step. */
static bool is_one_step(MlirOperation op, const ts_coordinate *p, MlirType type, intptr_t d) {
  return p->loop < 0 && mlirShapedTypeGetDimSize(type, d) == 1 && d < ts_linalg_num_loops(op) &&
         ts_place_extent(op, d) == 1;
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
    ts_coordinate p;
    if (!ts_place_read(op, mlirOperationGetOperand(extract, 1 + d), &p) || p.loop >= TS_MAX_RANK ||
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

/* A value of the body's own. */
static bool is_made_in(MlirBlock body, MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  return mlirBlockEqual(op.ptr ? mlirOperationGetBlock(op) : mlirBlockArgumentGetOwner(value),
                        body);
}

static bool is_of(MlirValue value, const char *name) {
  MlirOperation op = ts_defining_op(value);
  return op.ptr && ts_op_is(op, name);
}

static bool is_index_or_constant(MlirValue index) {
  return is_of(index, "linalg.index") || is_of(index, "arith.constant");
}

/* Whether `index` is what ts_place_make would make anew of the place that it is. */
static bool is_said(MlirValue index, const ts_coordinate *place) {
  MlirOperation op = ts_defining_op(index);
  bool turned = place->sign < 0;
  return place->loop >= 0 && is_of(index, turned ? "arith.subi" : "arith.addi") &&
         is_of(mlirOperationGetOperand(op, turned), "linalg.index") &&
         is_of(mlirOperationGetOperand(op, !turned), "arith.constant");
}

/* Says of `extract` in terms of the op's loops where it reads, as far as these decide that. */
static void say_places(MlirOperation op, MlirOperation extract) {
  for (intptr_t d = 1; d < mlirOperationGetNumOperands(extract); d++) {
    ts_coordinate place;
    MlirValue index = mlirOperationGetOperand(extract, d);
    if (!is_index_or_constant(index) && ts_place_read(op, index, &place) && !has_step(&place) &&
        !is_said(index, &place))
      mlirOperationSetOperand(extract, d, ts_place_make(extract, &place));
  }
}

/* The body asks for extents that it could be told. */
static void move_questions(MlirOperation op) {
  MlirBlock body = ts_linalg_body(op);
  for (MlirOperation next, inner = mlirBlockGetFirstOperation(body); inner.ptr; inner = next) {
    next = mlirOperationGetNextInBlock(inner);
    if (ts_op_is(inner, "tensor.dim") && !is_made_in(body, mlirOperationGetOperand(inner, 0)) &&
        !is_made_in(body, mlirOperationGetOperand(inner, 1)))
      mlirOperationMoveBefore(inner, op);
  }
}

void ts_structure_reads(MlirOperation op) {
  if (mlirValueIsNull(ts_captured_tensor(op)))
    return;
  MlirBlock body = ts_linalg_body(op);
  move_questions(op);
  for (MlirOperation next, inner = mlirBlockGetFirstOperation(body); inner.ptr; inner = next) {
    next = mlirOperationGetNextInBlock(inner);
    if (!ts_op_is(inner, "tensor.extract") || mlirOperationGetNumOperands(op) + 1 >= TS_MAX_RANK ||
        is_made_in(body, mlirOperationGetOperand(inner, 0)))
      continue;
    say_places(op, inner);
    MlirValue tensor = mlirOperationGetOperand(inner, 0);
    MlirAffineMap map = map_of(op, inner);
    if (mlirAffineMapIsNull(map) && !ts_place_window(op, inner, &tensor, &map))
      continue;
    MlirValue element = ts_add_input(op, tensor, map);
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(inner, 0), element);
    mlirOperationDestroy(inner);
  }
  ts_drop_unused_in(body);
}
