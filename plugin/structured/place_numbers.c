/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Places as numbers: bounds, sums, and the index that a place is. It must not know where places
 * come from. */
#include "structured/places.h"

#include "capi/capi.h"
#include "ir/build.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"
#include "structured/parallel.h"

/* Indices are followed as numbers that no integer type on the way wraps. */
static const int64_t most_index = INT64_C(1) << 30;

static bool is_small(int64_t number) {
  return number > -most_index && number < most_index;
}

ts_coordinate ts_place_number(int64_t number) {
  return (ts_coordinate){.loop = -1, .sign = 1, .offset = number};
}

int64_t ts_place_extent(MlirOperation op, intptr_t loop) {
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

bool ts_place_bounds(MlirOperation op, const ts_coordinate *place, int64_t *least, int64_t *most) {
  int64_t size = place->loop < 0 ? 1 : ts_place_extent(op, place->loop);
  if (size < 0) { /* only the run knows it */
    *least = place->sign > 0 ? place->offset : INT64_MIN;
    *most = place->sign > 0 ? INT64_MAX : place->offset;
    return place->sign * place->sign == 1 && is_small(place->offset);
  }
  if (size < 1 || size > most_index)
    return false;
  int64_t last = place->offset + place->sign * (size - 1);
  *least = last < place->offset ? last : place->offset;
  *most = last < place->offset ? place->offset : last;
  return is_small(*least) && is_small(*most);
}

bool ts_place_fits(MlirOperation op, const ts_coordinate *place, MlirType type) {
  int64_t least, most;
  if (!ts_place_bounds(op, place, &least, &most))
    return false;
  if (mlirTypeIsAIndex(type))
    return true;
  unsigned width = mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 0;
  return width >= 64 || (width >= 32 && is_small(least) && is_small(most));
}

bool ts_place_add(const ts_coordinate *a, const ts_coordinate *b, int64_t turn,
                  ts_coordinate *sum) {
  if (a->loop >= 0 && b->loop >= 0)
    return false;
  *sum = (ts_coordinate){.loop = a->loop >= 0 ? a->loop : b->loop,
                         .sign = a->loop >= 0 ? a->sign : turn * b->sign,
                         .offset = a->offset + turn * b->offset};
  return true;
}

bool ts_place_times(const ts_coordinate *a, const ts_coordinate *b, ts_coordinate *product) {
  if (a->loop >= 0 && b->loop >= 0)
    return false;
  const ts_coordinate *place = a->loop >= 0 ? a : b, *times = a->loop >= 0 ? b : a;
  int64_t number = times->offset;
  if (!is_small(place->sign) || !is_small(place->offset) || !is_small(number))
    return false;
  *product = (ts_coordinate){place->loop, place->sign * number, place->offset * number};
  return is_small(product->sign) && is_small(product->offset);
}

bool ts_place_larger(MlirOperation op, const ts_coordinate *a, const ts_coordinate *b, int64_t turn,
                     ts_coordinate *place) {
  int64_t a_ends[2], b_ends[2];
  if (!ts_place_bounds(op, a, &a_ends[0], &a_ends[1]) ||
      !ts_place_bounds(op, b, &b_ends[0], &b_ends[1]))
    return false;
  bool is_a = turn > 0 ? a_ends[0] >= b_ends[1] : a_ends[1] <= b_ends[0];
  bool is_b = turn > 0 ? b_ends[0] >= a_ends[1] : b_ends[1] <= a_ends[0];
  *place = is_a ? *a : *b;
  return is_a || is_b;
}

MlirValue ts_place_make(MlirOperation before, const ts_coordinate *place) {
  ts_maker build = ts_make_before(before);
  MlirValue offset = ts_make_index(&build, place->offset);
  if (place->loop < 0)
    return offset;
  MlirValue index = ts_make_loop_index(&build, place->loop);
  if (place->sign < 0)
    return ts_make_binary(&build, "arith.subi", offset, index);
  return place->offset ? ts_make_binary(&build, "arith.addi", index, offset) : index;
}
