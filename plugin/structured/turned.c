/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A scan between two reversals of the dimension that it goes along is a scan the other way, of what
 * was not reversed. It knows maps and scalar code; it must not know layouts. */
#include "capi/capi.h"
#include "ir/build.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"
#include "structured/places.h"
#include "structured/structured.h"

/* ---- reversals ------------------------------------------------------------------------------- */

static bool is_only_yielded(MlirBlock body) {
  MlirOperation first = mlirBlockGetFirstOperation(body);
  return ts_op_is(first, "linalg.yield") && mlirOperationGetNumOperands(first) == 1 &&
         mlirValueEqual(mlirOperationGetOperand(first, 0), mlirBlockGetArgument(body, 0));
}

/* The map that reads dimension `d` of `type` backwards, and the others as they are. */
static MlirAffineMap backwards(MlirType type, intptr_t d) {
  MlirContext context = mlirTypeGetContext(type);
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirAffineExpr results[TS_MAX_RANK];
  for (intptr_t i = 0; i < rank; i++)
    results[i] = mlirAffineDimExprGet(context, i);
  results[d] = mlirAffineAddExprGet(
      mlirAffineMulExprGet(results[d], mlirAffineConstantExprGet(context, -1)),
      mlirAffineConstantExprGet(context, mlirShapedTypeGetDimSize(type, d) - 1));
  return mlirAffineMapGet(context, rank, 0, rank, results);
}

/* A generic of one input and one result. */
static bool is_of_one(MlirOperation op) {
  return op.ptr && ts_op_is(op, "linalg.generic") && ts_linalg_num_inputs(op) == 1 &&
         mlirOperationGetNumOperands(op) == 2 && mlirOperationGetNumResults(op) == 1;
}

/* The dimension of which the op is nothing but the reversal, or -1. */
static intptr_t reversed_dim(MlirOperation op) {
  if (!is_of_one(op) || !is_only_yielded(ts_linalg_body(op)))
    return -1;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  intptr_t rank = mlirShapedTypeGetRank(type);
  if (rank > TS_MAX_RANK || !mlirAffineMapIsIdentity(ts_linalg_map(op, 1)) ||
      !mlirTypeEqual(type, mlirValueGetType(mlirOperationGetOperand(op, 0))))
    return -1;
  for (intptr_t d = 0; d < rank; d++)
    if (!mlirShapedTypeIsDynamicDim(type, d) &&
        mlirAffineMapEqual(ts_linalg_map(op, 0), backwards(type, d)))
      return d;
  return -1;
}

/* ---- scans ----------------------------------------------------------------------------------- */

/* The loop that alone is dimension `d` of the map; -1 if it is something else, or elsewhere too. */
static int loop_of_dim(MlirAffineMap map, intptr_t d) {
  if (!mlirAffineMapIsProjectedPermutation(map))
    return -1;
  MlirAffineExpr loop = mlirAffineMapGetResult(map, d);
  return mlirAffineExprIsADim(loop) ? (int)mlirAffineDimExprGetPosition(loop) : -1;
}

static bool has_loop(MlirAffineMap map, int loop) {
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, d), loop))
      return true;
  return false;
}

static int loop_of_index(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  return op.ptr && ts_op_is(op, "linalg.index") ? (int)ts_op_int(op, "dim", -1) : -1;
}

static bool compares(MlirOperation op, int a, int b) {
  if (!ts_op_is(op, "arith.cmpi"))
    return false;
  int left = loop_of_index(mlirOperationGetOperand(op, 0));
  int right = loop_of_index(mlirOperationGetOperand(op, 1));
  return (left == a && right == b) || (left == b && right == a);
}

/* The one comparison of the indices of the two loops; null if these are asked for in another way.
 */
static MlirOperation find_compare(MlirBlock body, int a, int b) {
  const MlirOperation none = {NULL};
  MlirOperation found = none;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (mlirOperationGetNumRegions(op))
      return none;
    if (compares(op, a, b)) {
      if (found.ptr)
        return none;
      found = op;
    }
    int64_t loop = ts_op_is(op, "linalg.index") ? ts_op_int(op, "dim", -1) : -1;
    if (loop < 0 || (loop != a && loop != b))
      continue;
    if (!ts_has_one_use(mlirOperationGetResult(op, 0)) ||
        !compares(mlirOpOperandGetOwner(mlirValueGetFirstUse(mlirOperationGetResult(op, 0))), a, b))
      return none;
  }
  return found;
}

static bool combines(MlirOperation op) {
  static const char *const names[] = {
      "arith.addf",     "arith.addi",    "arith.mulf",    "arith.muli",  "arith.maximumf",
      "arith.minimumf", "arith.maxnumf", "arith.minnumf", "arith.maxsi", "arith.minsi",
      "arith.maxui",    "arith.minui",   "arith.andi",    "arith.ori",   "arith.xori"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (ts_op_is(op, names[i]))
      return true;
  return false;
}

/* What was found so far is combined with what does not depend on it, or, where a choice says so,
 * stays as it is: the order of the elements does not count. */
static bool combines_in_any_order(MlirBlock body) {
  MlirValue before = mlirBlockGetArgument(body, 1);
  MlirValue found = mlirOperationGetOperand(mlirBlockGetTerminator(body), 0);
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

/* The same for every index of dimension `d`, so that it is its own reversal: a fill, or a generic
 * whose inputs do not go along it. */
static bool is_same_along(MlirOperation start, intptr_t d) {
  if (!start.ptr || ts_op_is(start, "linalg.fill"))
    return start.ptr;
  bool copies = is_of_one(start) && is_only_yielded(ts_linalg_body(start)) &&
                mlirAffineMapIsIdentity(ts_linalg_map(start, 1));
  return copies && !has_loop(ts_linalg_map(start, 0), (int)d);
}

/* The comparison that says which elements of the input count for which of the result, where the one
 * goes along dimension `from` and the other along `to`; null if the op is no such scan. */
static MlirOperation scan_compare(MlirOperation op, intptr_t from, intptr_t to) {
  const MlirOperation none = {NULL};
  if (!is_same_along(ts_defining_op(mlirOperationGetOperand(op, 1)), to))
    return none;
  MlirAffineMap in = ts_linalg_map(op, 0), out = ts_linalg_map(op, 1);
  int over = loop_of_dim(in, from), along = loop_of_dim(out, to);
  if (over < 0 || along < 0 || over == along || has_loop(out, over) || has_loop(in, along))
    return none;
  MlirType read = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType made = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (mlirShapedTypeGetDimSize(read, from) != mlirShapedTypeGetDimSize(made, to) ||
      !combines_in_any_order(ts_linalg_body(op)))
    return none;
  return find_compare(ts_linalg_body(op), over, along);
}

void ts_structure_turned(MlirOperation op) {
  intptr_t to = reversed_dim(op);
  MlirOperation scan = to < 0 ? op : ts_defining_op(mlirOperationGetOperand(op, 0));
  if (to < 0 || !is_of_one(scan) || !ts_has_one_use(mlirOperationGetResult(scan, 0)))
    return;
  MlirOperation first = ts_defining_op(mlirOperationGetOperand(scan, 0));
  intptr_t from = first.ptr ? reversed_dim(first) : -1;
  MlirOperation compare = from < 0 ? (MlirOperation){NULL} : scan_compare(scan, from, to);
  if (!compare.ptr)
    return;
  MlirValue left = mlirOperationGetOperand(compare, 0), right = mlirOperationGetOperand(compare, 1);
  mlirOperationSetOperand(compare, 0, right);
  mlirOperationSetOperand(compare, 1, left);
  mlirOperationSetOperand(scan, 0, mlirOperationGetOperand(first, 0));
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), mlirOperationGetResult(scan, 0));
  mlirOperationDestroy(op);
}
