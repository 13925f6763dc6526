/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What structured ops read backwards, and what may be read so because the order does not count. */
#include "structured/reversals.h"

#include "capi/capi.h"
#include "ir/build.h"
#include "ir/linalg_covers.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structured/places.h"

/* ---- maps ------------------------------------------------------------------------------------ */

static MlirAffineExpr from_the_end(MlirAffineExpr index, int64_t extent) {
  MlirContext context = mlirAffineExprGetContext(index);
  return mlirAffineAddExprGet(mlirAffineMulExprGet(index, mlirAffineConstantExprGet(context, -1)),
                              mlirAffineConstantExprGet(context, extent - 1));
}

ts_reading ts_reading_of(MlirOperation op, intptr_t k, intptr_t d) {
  MlirAffineMap map = ts_linalg_map(op, k);
  MlirAffineExpr place = mlirAffineMapGetResult(map, d);
  int64_t extent = ts_known_extent(mlirValueGetType(mlirOperationGetOperand(op, k)), d);
  for (intptr_t l = 0; extent >= 0 && l < mlirAffineMapGetNumDims(map); l++) {
    if (!mlirAffineExprIsFunctionOfDim(place, l))
      continue;
    bool is_forwards = mlirAffineExprIsADim(place);
    MlirAffineExpr loop = mlirAffineDimExprGet(mlirAffineMapGetContext(map), l);
    if (ts_place_extent(op, l) == extent &&
        (is_forwards || mlirAffineExprEqual(place, from_the_end(loop, extent))))
      return (ts_reading){l, !is_forwards};
  }
  return (ts_reading){-1, false};
}

void ts_reverse_reading(ts_arena *arena, MlirOperation op, intptr_t k, intptr_t d) {
  MlirContext context = mlirOperationGetContext(op);
  ts_reading reading = ts_reading_of(op, k, d);
  MlirAffineExpr loop = mlirAffineDimExprGet(context, reading.loop);
  MlirAffineMap map = ts_linalg_map(op, k);
  MlirAffineExpr places[TS_MAX_RANK];
  intptr_t rank = mlirAffineMapGetNumResults(map);
  for (intptr_t i = 0; i < rank; i++)
    places[i] = mlirAffineMapGetResult(map, i);
  places[d] = reading.is_backwards ? loop : from_the_end(loop, ts_place_extent(op, reading.loop));
  map = mlirAffineMapGet(context, mlirAffineMapGetNumDims(map), 0, rank, places);
  MlirAttribute list = ts_attribute(op, "indexing_maps");
  intptr_t num = mlirArrayAttrGetNumElements(list);
  MlirAttribute *maps = TS_NEW(arena, MlirAttribute, num);
  for (intptr_t i = 0; i < num; i++)
    maps[i] = i == k ? mlirAffineMapAttrGet(map) : mlirArrayAttrGetElement(list, i);
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("indexing_maps"),
                                  mlirArrayAttrGet(context, num, maps));
}

/* ---- values ---------------------------------------------------------------------------------- */

/* A generic of one input, of which it gives the elements, to each index of its result one. */
static bool only_moves(MlirOperation op) {
  if (!op.ptr || !ts_op_is(op, "linalg.generic") || ts_linalg_num_inputs(op) != 1 ||
      mlirOperationGetNumOperands(op) != 2 || mlirOperationGetNumResults(op) != 1 ||
      !mlirAffineMapIsIdentity(ts_linalg_map(op, 1)))
    return false;
  MlirBlock body = ts_linalg_body(op);
  MlirOperation first = mlirBlockGetFirstOperation(body);
  return ts_op_is(first, "linalg.yield") &&
         mlirValueEqual(mlirOperationGetOperand(first, 0), mlirBlockGetArgument(body, 0));
}

static bool keeps_type(MlirOperation op) {
  return mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, 0)),
                       mlirValueGetType(mlirOperationGetResult(op, 0)));
}

bool ts_is_copy(MlirOperation op) {
  return only_moves(op) && keeps_type(op) && mlirAffineMapIsIdentity(ts_linalg_map(op, 0));
}

MlirValue ts_reversed_value(MlirValue value, intptr_t d) {
  const MlirValue none = {NULL};
  MlirOperation op = ts_defining_op(value);
  if (!only_moves(op) || !keeps_type(op))
    return none;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(mlirValueGetType(value)); i++) {
    ts_reading reading = ts_reading_of(op, 0, i);
    if (reading.loop != i || reading.is_backwards != (i == d))
      return none;
  }
  return mlirOperationGetOperand(op, 0);
}

static bool is_filled(MlirOperation op) {
  static const char *const names[] = {"tensor.empty", "tensor.splat", "linalg.fill", NULL};
  MlirAttribute value =
      ts_op_is(op, "arith.constant") ? ts_attribute(op, "value") : (MlirAttribute){NULL};
  return ts_op_is_any(op, names) ||
         (!mlirAttributeIsNull(value) && mlirAttributeIsADenseElements(value) &&
          mlirDenseElementsAttrIsSplat(value));
}

static bool has_loop(MlirAffineMap map, intptr_t loop) {
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, d), loop))
      return true;
  return false;
}

typedef struct asked {
  intptr_t loop;
  int num;
} asked;

static void count_asked(MlirOperation op, void *user) {
  asked *index = user;
  index->num += ts_op_is(op, "linalg.index") && ts_op_int(op, "dim", -1) == index->loop;
}

/* How often the body asks for the index of the loop. */
static int num_asked(MlirOperation op, intptr_t loop) {
  asked index = {loop, 0};
  ts_each_op(op, count_asked, &index);
  return index.num;
}

/* What the destination starts with is the same for every index, or nobody reads it. */
static bool starts_alike(MlirOperation op, intptr_t k) {
  MlirOperation start = ts_defining_op(mlirOperationGetOperand(op, k));
  return (start.ptr && is_filled(start)) ||
         (!ts_num_uses(mlirBlockGetArgument(ts_linalg_body(op), k)) &&
          ts_linalg_covers(op, k - ts_linalg_num_inputs(op)));
}

/* A structured op that writes the same for each index of dimension `d`: nothing that it reads goes
 * along it. */
static bool spreads(MlirOperation op, intptr_t result, intptr_t d) {
  intptr_t num_inputs = ts_linalg_num_inputs(op);
  intptr_t loop = ts_reading_of(op, num_inputs + result, d).loop;
  if (loop < 0 || num_asked(op, loop))
    return false;
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); k++)
    if (has_loop(ts_linalg_map(op, k), loop) && (k < num_inputs || !starts_alike(op, k)))
      return false;
  return true;
}

bool ts_is_symmetric(MlirValue value, intptr_t d) {
  MlirOperation op = ts_defining_op(value);
  if (ts_known_extent(mlirValueGetType(value), d) == 1)
    return true;
  return op.ptr && (is_filled(op) ||
                    (ts_op_is_linalg(op) && spreads(op, mlirOpResultGetResultNumber(value), d)));
}

/* ---- loops ----------------------------------------------------------------------------------- */

static intptr_t loop_of_index(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  return op.ptr && ts_op_is(op, "linalg.index") ? ts_op_int(op, "dim", -1) : -1;
}

/* The comparison of the index of the loop with that of another, in `beside`, where the body asks
 * for either index for it alone; else null. */
static MlirOperation find_compared(MlirOperation op, intptr_t loop, intptr_t *beside) {
  const MlirOperation none = {NULL};
  for (MlirOperation inner = mlirBlockGetFirstOperation(ts_linalg_body(op)); inner.ptr;
       inner = mlirOperationGetNextInBlock(inner)) {
    if (!ts_op_is(inner, "arith.cmpi"))
      continue;
    intptr_t left = loop_of_index(mlirOperationGetOperand(inner, 0));
    intptr_t right = loop_of_index(mlirOperationGetOperand(inner, 1));
    if (left == right || left < 0 || right < 0 || (left != loop && right != loop))
      continue;
    *beside = left == loop ? right : left;
    bool is_alone = num_asked(op, loop) == 1 && num_asked(op, *beside) == 1 &&
                    ts_has_one_use(mlirOperationGetOperand(inner, 0)) &&
                    ts_has_one_use(mlirOperationGetOperand(inner, 1));
    return is_alone ? inner : none;
  }
  return none;
}

static bool combines(MlirOperation op) {
  static const char *const names[] = {
      "arith.addf",     "arith.addi",     "arith.mulf",    "arith.muli",
      "arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf",
      "arith.maxsi",    "arith.minsi",    "arith.maxui",   "arith.minui",
      "arith.andi",     "arith.ori",      "arith.xori",    NULL};
  return ts_op_is_any(op, names);
}

/* What was found so far is combined with what does not depend on it, or, where a choice says so,
 * stays as it is: the order of the elements does not count. */
static bool combines_in_any_order(MlirBlock body, intptr_t num_inputs, intptr_t result) {
  MlirValue before = mlirBlockGetArgument(body, num_inputs + result);
  MlirValue found = mlirOperationGetOperand(mlirBlockGetTerminator(body), result);
  MlirOperation op = ts_defining_op(found);
  int uses = 1;
  if (op.ptr && ts_op_is(op, "arith.select")) {
    bool is_first = mlirValueEqual(mlirOperationGetOperand(op, 1), before);
    if (!is_first && !mlirValueEqual(mlirOperationGetOperand(op, 2), before))
      return false;
    found = mlirOperationGetOperand(op, is_first ? 2 : 1);
    op = ts_defining_op(found);
    uses = 2;
  }
  return op.ptr && combines(op) && ts_num_uses(before) == uses && ts_has_one_use(found) &&
         mlirValueEqual(mlirOperationGetOperand(op, 0), before) !=
             mlirValueEqual(mlirOperationGetOperand(op, 1), before);
}

static bool is_in_any_order(MlirOperation op, intptr_t loop) {
  if (ts_linalg_iterator(op, loop) == 0)
    return true;
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++)
    if (!combines_in_any_order(ts_linalg_body(op), ts_linalg_num_inputs(op), r))
      return false;
  return true;
}

bool ts_may_reverse_loop(MlirOperation op, intptr_t loop, intptr_t *beside) {
  intptr_t num_inputs = ts_linalg_num_inputs(op);
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); k++) {
    MlirAffineMap map = ts_linalg_map(op, k);
    for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
      ts_reading reading = ts_reading_of(op, k, d);
      if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, d), loop) &&
          (reading.loop != loop || (k >= num_inputs && reading.is_backwards)))
        return false;
    }
  }
  *beside = -1;
  if (!is_in_any_order(op, loop))
    return false;
  return !num_asked(op, loop) || (find_compared(op, loop, beside).ptr &&
                                  ts_place_extent(op, loop) == ts_place_extent(op, *beside));
}

void ts_reverse_compared(MlirOperation op, intptr_t loop, intptr_t beside) {
  MlirOperation compare = find_compared(op, loop, &beside);
  MlirValue left = mlirOperationGetOperand(compare, 0), right = mlirOperationGetOperand(compare, 1);
  mlirOperationSetOperand(compare, 0, right);
  mlirOperationSetOperand(compare, 1, left);
}
