/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reads scalar code as sums of steps of loops. What follows from one loop, or from a tensor of
 * places, it has read as a coordinate. It must not know what is read there. */
#include "structured/place_sums.h"

#include "capi/capi.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structured/places.h"

enum { MOST_STEPS = 100 };

/* The op whose loops are added, and how many steps are left. */
typedef struct reader {
  MlirOperation op;
  int left;
} reader;

static bool read_sum(reader *r, MlirValue value, ts_place_sum *sum);

/* ---- numbers --------------------------------------------------------------------------------- */

/* Each loop's part is a coordinate, whose bounds are known to be small; so their sum does not wrap
 * in 64 bits, and is held to what integers of 32 bits have. */
static bool find_bounds(MlirOperation op, ts_place_sum *sum) {
  sum->least = sum->most = sum->offset;
  for (intptr_t l = 0; l < ts_linalg_num_loops(op); l++) {
    ts_coordinate part = {.loop = l, .sign = sum->steps[l]};
    int64_t least, most;
    if (sum->steps[l] == 0)
      continue;
    if (ts_place_extent(op, l) < 1 || !ts_place_bounds(op, &part, &least, &most))
      return false;
    if (ts_place_extent(op, l) == 1)
      sum->steps[l] = 0;
    sum->least += least;
    sum->most += most;
  }
  ts_coordinate ends[] = {ts_place_number(sum->least), ts_place_number(sum->most)};
  return ts_place_fits(op, &ends[0], mlirIntegerTypeGet(mlirOperationGetContext(op), 32)) &&
         ts_place_fits(op, &ends[1], mlirIntegerTypeGet(mlirOperationGetContext(op), 32));
}

static bool is_number(const ts_place_sum *sum) {
  return sum->least == sum->most;
}

/* `a` plus `turn` times `b`. */
static bool add(MlirOperation op, const ts_place_sum *a, const ts_place_sum *b, int64_t turn,
                ts_place_sum *sum) {
  ts_place_sum both = {.offset = a->offset + turn * b->offset, .is_new = true};
  for (intptr_t l = 0; l < ts_linalg_num_loops(op); l++)
    both.steps[l] = a->steps[l] + turn * b->steps[l];
  *sum = both;
  return find_bounds(op, sum);
}

static bool multiply(MlirOperation op, const ts_place_sum *a, const ts_place_sum *b,
                     ts_place_sum *sum) {
  const ts_place_sum none = {.offset = 0}, *of = is_number(a) ? b : a;
  int64_t times = is_number(a) ? a->offset : b->offset;
  return (is_number(a) || is_number(b)) && add(op, &none, of, times, sum);
}

/* ---- scalar code ----------------------------------------------------------------------------- */

static bool read_coordinate(reader *r, MlirValue value, ts_place_sum *sum) {
  ts_coordinate place;
  if (!ts_place_read(r->op, value, &place) || place.loop >= TS_MAX_RANK)
    return false;
  *sum = (ts_place_sum){.offset = place.offset};
  if (place.loop >= 0)
    sum->steps[place.loop] = place.sign;
  return find_bounds(r->op, sum);
}

/* An index of an affine.apply that adds and multiplies. */
static bool read_affine(reader *r, MlirOperation apply, intptr_t num_dims, MlirAffineExpr expr,
                        ts_place_sum *sum) {
  ts_place_sum a, b;
  if (mlirAffineExprIsAConstant(expr)) {
    *sum = (ts_place_sum){.offset = mlirAffineConstantExprGetValue(expr)};
    return find_bounds(r->op, sum);
  }
  if (mlirAffineExprIsADim(expr))
    return read_sum(r, mlirOperationGetOperand(apply, mlirAffineDimExprGetPosition(expr)), sum);
  if (mlirAffineExprIsASymbol(expr))
    return read_sum(
        r, mlirOperationGetOperand(apply, num_dims + mlirAffineSymbolExprGetPosition(expr)), sum);
  bool adds = mlirAffineExprIsAAdd(expr);
  if ((!adds && !mlirAffineExprIsAMul(expr)) ||
      !read_affine(r, apply, num_dims, mlirAffineBinaryOpExprGetLHS(expr), &a) ||
      !read_affine(r, apply, num_dims, mlirAffineBinaryOpExprGetRHS(expr), &b))
    return false;
  return adds ? add(r->op, &a, &b, 1, sum) : multiply(r->op, &a, &b, sum);
}

static bool read_apply(reader *r, MlirOperation apply, ts_place_sum *sum) {
  MlirAffineMap map = mlirAffineMapAttrGetValue(ts_attribute(apply, "map"));
  bool known =
      read_affine(r, apply, mlirAffineMapGetNumDims(map), mlirAffineMapGetResult(map, 0), sum);
  sum->is_new = true;
  return known;
}

static bool read_two(reader *r, MlirOperation op, ts_place_sum *sum) {
  ts_place_sum a, b;
  if (!read_sum(r, mlirOperationGetOperand(op, 0), &a) ||
      !read_sum(r, mlirOperationGetOperand(op, 1), &b))
    return false;
  return ts_op_is(op, "arith.muli") ? multiply(r->op, &a, &b, sum)
                                    : add(r->op, &a, &b, ts_op_is(op, "arith.subi") ? -1 : 1, sum);
}

/* Whether integers of the type have all that a sum may be. */
static bool is_wide(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAIndex(type) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) >= 32);
}

static bool read_sum(reader *r, MlirValue value, ts_place_sum *sum) {
  static const char *const conversions[] = {"arith.index_cast", "arith.extsi", "arith.trunci",
                                            NULL};
  static const char *const two[] = {"arith.addi", "arith.subi", "arith.muli", NULL};
  MlirOperation op = ts_defining_op(value);
  if (r->left-- <= 0)
    return false;
  if (read_coordinate(r, value, sum))
    return true;
  if (!op.ptr || !is_wide(value))
    return false;
  if (ts_op_is(op, "affine.apply"))
    return read_apply(r, op, sum);
  if (ts_op_is_any(op, two))
    return read_two(r, op, sum);
  return ts_op_is_any(op, conversions) && read_sum(r, mlirOperationGetOperand(op, 0), sum);
}

bool ts_place_read_sum(MlirOperation op, MlirValue value, ts_place_sum *sum) {
  reader r = {op, MOST_STEPS};
  return ts_linalg_num_loops(op) <= TS_MAX_RANK && read_sum(&r, value, sum);
}
