/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Scatters to places that are indices counted in steps (updates of every second row, or of all
 * backwards, or one of every row at a column that data says) as an elementwise op on the slice of
 * those places, put back in. It knows scalar code and maps; it must not know layouts. */
#include "capi/capi.h"
#include "ir/generic.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structured/parallel.h"
#include "structured/places.h"
#include "structured/slices.h"
#include "structured/structured.h"
#include "support/map.h"

/* Dimension `d` of the result is written where `place`, of a loop that combines, is; `holds` says
 * in the body whether that is at the element. Of other dimensions data may say more. */
typedef struct scatter {
  MlirOperation op;
  intptr_t d, rank, others; /* loops that combine, but for the place's */
  int64_t num;              /* places */
  ts_coordinate place;
  MlirValue holds;
  bool takes_numbers; /* for places */
} scatter;

/* ---- reading --------------------------------------------------------------------------------- */

/* One loop for each dimension of the result, in their order, and others behind them that combine.
 */
static bool has_loops(scatter *s) {
  MlirOperation op = s->op;
  if (mlirOperationGetNumResults(op) != 1 || ts_linalg_num_inits(op) != 1)
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirAffineMap map = ts_linalg_map(op, ts_linalg_num_inputs(op));
  s->rank = mlirTypeIsARankedTensor(type) ? mlirShapedTypeGetRank(type) : TS_MAX_RANK;
  s->others = ts_linalg_num_loops(op) - s->rank - 1;
  if (s->rank + s->others >= TS_MAX_RANK || s->others < 0 || !mlirShapedTypeHasStaticShape(type))
    return false;
  for (intptr_t l = s->rank; l <= s->rank + s->others; l++)
    if (ts_linalg_iterator(op, l) == 0)
      return false;
  for (intptr_t d = 0; d < s->rank; d++) {
    MlirAffineExpr expr = mlirAffineMapGetResult(map, d);
    if (ts_linalg_iterator(op, d) != 0 || !mlirAffineExprIsADim(expr) ||
        mlirAffineDimExprGetPosition(expr) != d)
      return false;
  }
  return true;
}

static bool is_index_of(MlirValue value, intptr_t *loop) {
  MlirOperation op = ts_defining_op(value);
  if (op.ptr && ts_op_is(op, "arith.index_cast"))
    op = ts_defining_op(mlirOperationGetOperand(op, 0));
  *loop = op.ptr && ts_op_is(op, "linalg.index") ? (intptr_t)ts_op_int(op, "dim", -1) : -1;
  return *loop >= 0;
}

/* A number is the place of a loop of one step that combines, if there is one. */
static void take_number(const scatter *s, ts_coordinate *place) {
  for (intptr_t l = s->rank; place->loop < 0 && l < ts_linalg_num_loops(s->op); l++)
    if (ts_place_extent(s->op, l) == 1)
      *place = (ts_coordinate){.loop = l, .sign = 1, .offset = place->offset};
}

static bool read_place(const scatter *s, MlirValue value, ts_coordinate *place) {
  if (!ts_place_read(s->op, value, place))
    return false;
  if (s->takes_numbers)
    take_number(s, place);
  return place->loop >= s->rank && place->sign;
}

/* The indices of loop `l`, of a dimension, do not wrap in numbers of the type of `value`. */
static bool fits(const scatter *s, intptr_t l, MlirValue value) {
  const ts_coordinate index = {.loop = l, .sign = 1};
  return ts_place_fits(s->op, &index, mlirValueGetType(value));
}

/* The comparison that `value` is, of the index of a dimension with a place of a loop that combines,
 * inside of the dimension for every index of that. */
static bool read_compare(scatter *s, MlirValue value) {
  enum { EQUAL = 0 }; /* arith's number */
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || !ts_op_is(op, "arith.cmpi") || ts_op_int(op, "predicate", -1) != EQUAL)
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(s->op, 0));
  for (intptr_t side = 0; side < 2; side++) {
    int64_t least, most;
    if (!is_index_of(mlirOperationGetOperand(op, side), &s->d) || s->d >= s->rank ||
        !fits(s, s->d, mlirOperationGetOperand(op, side)) ||
        !read_place(s, mlirOperationGetOperand(op, 1 - side), &s->place) ||
        !ts_place_bounds(s->op, &s->place, &least, &most))
      continue;
    s->num = ts_place_extent(s->op, s->place.loop);
    s->holds = value;
    return least >= 0 && most < mlirShapedTypeGetDimSize(type, s->d);
  }
  return false;
}

/* The first such comparison of those that all have to hold: the others stay. */
static bool read_compares(scatter *s, MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  if (op.ptr && ts_op_is(op, "arith.andi"))
    return read_compares(s, mlirOperationGetOperand(op, 0)) ||
           read_compares(s, mlirOperationGetOperand(op, 1));
  return read_compare(s, value);
}

static bool is_zero(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || !ts_op_is(op, "arith.constant"))
    return false;
  MlirAttribute number = ts_attribute(op, "value");
  return (mlirAttributeIsAFloat(number) && mlirFloatAttrGetValueDouble(number) == 0) ||
         (mlirAttributeIsAInteger(number) && mlirIntegerAttrGetValueInt(number) == 0);
}

/* The body leaves the element as it is where the place is another: it chooses between something and
 * the element, or adds what it chooses from something and zero. */
static bool read_body(scatter *s) {
  MlirBlock body = ts_linalg_body(s->op);
  MlirValue kept = mlirBlockGetArgument(body, ts_linalg_num_inputs(s->op));
  MlirValue given = mlirOperationGetOperand(mlirBlockGetTerminator(body), 0);
  MlirOperation op = ts_defining_op(given);
  if (!op.ptr)
    return false;
  if (ts_op_is(op, "arith.select"))
    return mlirValueEqual(mlirOperationGetOperand(op, 2), kept) &&
           read_compares(s, mlirOperationGetOperand(op, 0));
  if (!ts_op_is(op, "arith.addf") && !ts_op_is(op, "arith.addi"))
    return false;
  for (intptr_t side = 0; side < 2; side++) {
    MlirOperation chosen = ts_defining_op(mlirOperationGetOperand(op, 1 - side));
    if (mlirValueEqual(mlirOperationGetOperand(op, side), kept) && chosen.ptr &&
        ts_op_is(chosen, "arith.select") && is_zero(mlirOperationGetOperand(chosen, 2)))
      return read_compares(s, mlirOperationGetOperand(chosen, 0));
  }
  return false;
}

/* What is computed of `value` goes into the comparison and nowhere else. */
static bool is_compared_alone(const scatter *s, ts_map *seen, ts_arena *arena, MlirValue value) {
  if (mlirValueEqual(value, s->holds))
    return true;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (ts_map_get(seen, user.ptr))
      continue;
    ts_map_set(seen, arena, user.ptr, user.ptr);
    if (mlirOperationGetNumResults(user) != 1 ||
        !is_compared_alone(s, seen, arena, mlirOperationGetResult(user, 0)))
      return false;
  }
  return true;
}

static bool is_moved_loop(const scatter *s, MlirOperation op) {
  int64_t loop = ts_op_is(op, "linalg.index") ? ts_op_int(op, "dim", -1) : -1;
  return loop == s->d || loop == s->place.loop;
}

/* Where the place is, only the comparison asks. */
static bool asks_for_place_alone(const scatter *s, ts_arena *arena) {
  ts_map seen = {0};
  MlirBlock body = ts_linalg_body(s->op);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (mlirOperationGetNumRegions(op) ||
        (is_moved_loop(s, op) &&
         !is_compared_alone(s, &seen, arena, mlirOperationGetResult(op, 0))))
      return false;
  return true;
}

static bool follows(MlirAffineMap map, intptr_t loop) {
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, d), loop))
      return true;
  return false;
}

/* Nor does any input follow the dimension. */
static bool is_scatter_along(scatter *s) {
  if (!read_body(s))
    return false;
  ts_arena arena = {0};
  bool alone = asks_for_place_alone(s, &arena);
  ts_arena_free(&arena);
  for (intptr_t i = 0; alone && i < ts_linalg_num_inputs(s->op); i++)
    alone = !follows(ts_linalg_map(s->op, i), s->d);
  return alone;
}

/* Places that loops count say more than numbers do. */
static bool is_scatter(scatter *s) {
  bool is = has_loops(s) && is_scatter_along(s);
  s->takes_numbers = true;
  return is || (has_loops(s) && is_scatter_along(s));
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Where loop `l` is when that of the place is gone. */
static intptr_t moved(const scatter *s, intptr_t l) {
  return l > s->place.loop ? l - 1 : l;
}

/* Map `map` of an input, with the loop of the dimension in place of that of the place: the places
 * upwards. */
static MlirAttribute upwards(const scatter *s, MlirAffineMap map) {
  MlirContext context = mlirAffineMapGetContext(map);
  MlirAffineExpr loops[TS_MAX_RANK + 1], results[TS_MAX_RANK];
  for (intptr_t l = 0; l <= s->rank + s->others; l++)
    loops[l] = mlirAffineDimExprGet(context, moved(s, l));
  loops[s->place.loop] = loops[s->d];
  if (s->place.sign < 0)
    loops[s->place.loop] = mlirAffineAddExprGet(
        mlirAffineMulExprGet(loops[s->d], mlirAffineConstantExprGet(context, -1)),
        mlirAffineConstantExprGet(context, s->num - 1));
  intptr_t num = mlirAffineMapGetNumResults(map);
  for (intptr_t d = 0; d < num; d++) {
    MlirAffineExpr expr = mlirAffineMapGetResult(map, d);
    results[d] = mlirAffineExprIsADim(expr) ? loops[mlirAffineDimExprGetPosition(expr)] : expr;
  }
  return mlirAffineMapAttrGet(mlirAffineMapGet(context, s->rank + s->others, 0, num, results));
}

/* Maps of dimensions and numbers alone. */
static bool has_plain_maps(const scatter *s) {
  for (intptr_t i = 0; i < ts_linalg_num_inputs(s->op); i++) {
    MlirAffineMap map = ts_linalg_map(s->op, i);
    for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
      MlirAffineExpr expr = mlirAffineMapGetResult(map, d);
      if (!mlirAffineExprIsADim(expr) && !mlirAffineExprIsAConstant(expr))
        return false;
    }
  }
  return ts_linalg_num_inputs(s->op) < TS_MAX_RANK;
}

static void set_stride(MlirValue sliced, const scatter *s) {
  int64_t strides[TS_MAX_RANK];
  for (intptr_t d = 0; d < s->rank; d++)
    strides[d] = 1;
  strides[s->d] = s->place.sign < 0 ? -s->place.sign : s->place.sign;
  MlirOperation op = ts_defining_op(sliced);
  mlirOperationSetAttributeByName(
      op, mlirStringRefCreateFromCString("static_strides"),
      mlirDenseI64ArrayGet(mlirOperationGetContext(op), s->rank, strides));
}

static void move_indices(const scatter *s, MlirBlock body) {
  MlirType i64 = mlirIntegerTypeGet(mlirOperationGetContext(s->op), 64);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (ts_op_is(op, "linalg.index"))
      mlirOperationSetAttributeByName(
          op, mlirStringRefCreateFromCString("dim"),
          mlirIntegerAttrGet(i64, moved(s, (intptr_t)ts_op_int(op, "dim", 0))));
}

/* Whether input `i`, of which the body reads nothing any more, is the last one to say the extent of
 * a loop that combines: in `said` are those of which inputs that stay say it. */
static bool says_extent(const scatter *s, intptr_t i, const bool *said) {
  for (intptr_t l = s->rank; l <= s->rank + s->others; l++) {
    bool is_last = l != s->place.loop && !said[l] && follows(ts_linalg_map(s->op, i), l);
    for (intptr_t j = i + 1; is_last && j < ts_linalg_num_inputs(s->op); j++)
      is_last = !follows(ts_linalg_map(s->op, j), l);
    if (is_last)
      return true;
  }
  return false;
}

/* What the body computes where the comparison holds; inputs that told places alone go with it. */
static MlirValue compute(const ts_maker *build, const scatter *s, MlirValue before) {
  MlirBlock body = ts_linalg_body(s->op);
  ts_maker inside = ts_make_before(mlirBlockGetFirstOperation(body));
  MlirType i1 = mlirIntegerTypeGet(build->context, 1);
  mlirValueReplaceAllUsesOfWith(s->holds, ts_make_constant(&inside, ts_int_attribute(i1, 1)));
  ts_drop_unused_in(body);
  move_indices(s, body);
  MlirValue operands[TS_MAX_RANK + 1];
  MlirAttribute maps[TS_MAX_RANK + 1], iterators[TS_MAX_RANK];
  bool said[TS_MAX_RANK] = {false};
  intptr_t num = 0;
  for (intptr_t i = 0; i < ts_linalg_num_inputs(s->op); i++) {
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(mlirBlockGetArgument(body, num))) &&
        !says_extent(s, i, said)) {
      mlirBlockEraseArgument(body, (unsigned)num);
      continue;
    }
    for (intptr_t l = s->rank; l <= s->rank + s->others; l++)
      said[l] |= follows(ts_linalg_map(s->op, i), l);
    operands[num] = mlirOperationGetOperand(s->op, i);
    maps[num++] = upwards(s, ts_linalg_map(s->op, i));
  }
  operands[num] = before;
  intptr_t loops = s->rank + s->others;
  MlirAffineExpr written[TS_MAX_RANK];
  for (intptr_t d = 0; d < s->rank; d++)
    written[d] = mlirAffineDimExprGet(build->context, d);
  maps[num] = mlirAffineMapAttrGet(mlirAffineMapGet(build->context, loops, 0, s->rank, written));
  ts_parallel_iterators(build->context, loops, iterators);
  for (intptr_t l = s->rank; l < loops; l++)
    iterators[l] = ts_reduction_iterator(build->context);
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(s->op, 0));
  MlirType type = mlirValueGetType(before);
  MlirOperation made = ts_make_generic(build, &(ts_new_generic){.num_inputs = num,
                                                                .num_outputs = 1,
                                                                .operands = operands,
                                                                .maps = maps,
                                                                .num_loops = loops,
                                                                .iterators = iterators,
                                                                .results = &type,
                                                                .body = region});
  return mlirOperationGetResult(made, 0);
}

/* In place of the scatter where it writes part of the dimension: the slice of the places, computed
 * and put back. */
static MlirValue write_slice(const ts_maker *build, const scatter *s, MlirValue into) {
  int64_t last = s->place.offset + s->place.sign * (s->num - 1);
  ts_told offsets[TS_MAX_RANK], sizes[TS_MAX_RANK];
  for (intptr_t d = 0; d < s->rank; d++) {
    offsets[d] = ts_told_known(0);
    sizes[d] = ts_told_known(mlirShapedTypeGetDimSize(mlirValueGetType(into), d));
  }
  offsets[s->d] = ts_told_known(s->place.sign < 0 ? last : s->place.offset);
  sizes[s->d] = ts_told_known(s->num);
  MlirValue before = ts_make_extract_slice(build, into, s->rank, offsets, sizes);
  set_stride(before, s);
  MlirValue made =
      ts_make_insert_slice(build, compute(build, s, before), into, s->rank, offsets, sizes);
  set_stride(made, s);
  return made;
}

/* What the scatter `op` gives, made before it; null if it is none. The op's body is gone then. */
static MlirValue write(MlirOperation op) {
  scatter s = {.op = op};
  MlirValue made = {NULL};
  if (!is_scatter(&s) || !has_plain_maps(&s)) {
    MlirOperation split = has_loops(&s) ? ts_unmerge_last_loop(op) : (MlirOperation){NULL};
    if (split.ptr) {
      made = write(split);
      mlirOperationDestroy(split);
    }
    return made;
  }
  ts_maker build = ts_make_before(op);
  MlirValue into = mlirOperationGetOperand(op, ts_linalg_num_inputs(op));
  if (s.num != mlirShapedTypeGetDimSize(mlirValueGetType(into), s.d))
    return write_slice(&build, &s, into);
  made = compute(&build, &s, into);
  MlirValue again = write(mlirOpResultGetOwner(made)); // of another dimension
  if (mlirValueIsNull(again))
    return made;
  mlirOperationDestroy(mlirOpResultGetOwner(made));
  return again;
}

bool ts_structure_scattered(MlirOperation op) {
  MlirValue made = write(op);
  if (mlirValueIsNull(made))
    return false;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), made);
  mlirOperationDestroy(op);
  return true;
}
