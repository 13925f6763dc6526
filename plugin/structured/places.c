/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Elements of tensors that are made of indices alone (counted, shifted, wrapped, joined to lists of
 * coordinates), followed back to the loops of the op that reads them. It knows scalar code and
 * slices; it must not know layouts. */
#include "structured/places.h"

#include "capi/capi.h"
#include "ir/build.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { MOST_STEPS = 400 };

/* The op whose loops places are of, and how many steps are left. */
typedef struct trail {
  MlirOperation op;
  int left;
} trail;

/* The loops of the op whose code is read, as places: NULL for the op of the trail itself. */
typedef struct scope {
  MlirOperation op;
  const ts_coordinate *loops;
} scope;

static bool read_scalar(trail *t, const scope *s, MlirValue value, ts_coordinate *place);

static bool read_constant(MlirOperation op, ts_coordinate *place) {
  MlirAttribute value = ts_attribute(op, "value");
  if (mlirAttributeIsADenseElements(value) && mlirDenseElementsAttrIsSplat(value))
    value = mlirDenseElementsAttrGetSplatValue(value);
  if (!mlirAttributeIsAInteger(value))
    return false;
  *place = ts_place_number(mlirIntegerAttrGetValueInt(value));
  return true;
}

/* ---- elements -------------------------------------------------------------------------------- */

static bool read_element(trail *t, MlirValue tensor, intptr_t rank, const ts_coordinate *at,
                         ts_coordinate *place);

/* Dimension `d` of a structured op's operand, as a loop. */
static bool loop_of(MlirAffineMap map, intptr_t d, intptr_t *loop) {
  MlirAffineExpr expr = mlirAffineMapGetResult(map, d);
  if (!mlirAffineExprIsADim(expr))
    return false;
  *loop = mlirAffineDimExprGetPosition(expr);
  return true;
}

/* The loops of a parallel structured op where it makes the element there of one of its results.
 * Where that has one element alone, its map may have a number. */
static bool loops_at(MlirValue result, intptr_t rank, const ts_coordinate *at,
                     ts_coordinate *loops) {
  bool is_found[TS_MAX_RANK] = {false};
  intptr_t num = 0;
  MlirOperation op = mlirOpResultGetOwner(result);
  if (!ts_op_is(op, "linalg.generic") || ts_linalg_num_loops(op) > rank)
    return false;
  MlirAffineMap map =
      ts_linalg_map(op, ts_linalg_num_inputs(op) + mlirOpResultGetResultNumber(result));
  for (intptr_t d = 0; d < rank; d++) {
    intptr_t loop;
    if (mlirAffineExprIsAConstant(mlirAffineMapGetResult(map, d)) &&
        mlirShapedTypeGetDimSize(mlirValueGetType(result), d) == 1)
      continue;
    if (!loop_of(map, d, &loop) || ts_linalg_iterator(op, loop) != 0 || is_found[loop])
      return false;
    is_found[loop] = true;
    loops[loop] = at[d];
    num++;
  }
  return num == ts_linalg_num_loops(op);
}

/* What the body of a structured op gives to one of its results. */
static MlirValue given_to(MlirValue result) {
  MlirBlock body = ts_linalg_body(mlirOpResultGetOwner(result));
  return mlirOperationGetOperand(mlirBlockGetTerminator(body), mlirOpResultGetResultNumber(result));
}

/* What a parallel structured op computes there. */
static bool read_computed(trail *t, MlirValue result, intptr_t rank, const ts_coordinate *at,
                          ts_coordinate *place) {
  ts_coordinate loops[TS_MAX_RANK];
  if (!loops_at(result, rank, at, loops))
    return false;
  const scope inside = {mlirOpResultGetOwner(result), loops};
  return read_scalar(t, &inside, given_to(result), place);
}

/* Reshapes that add or drop dimensions of one element alone: the others are the same, in turn. */
static bool read_reshaped(trail *t, MlirOperation op, intptr_t rank, const ts_coordinate *at,
                          ts_coordinate *place) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  MlirType from = mlirValueGetType(source), to = mlirValueGetType(mlirOperationGetResult(op, 0));
  intptr_t source_rank = mlirShapedTypeGetRank(from), d = 0;
  ts_coordinate there[TS_MAX_RANK];
  if (source_rank > TS_MAX_RANK)
    return false;
  for (intptr_t i = 0; i < source_rank; i++) {
    there[i] = ts_place_number(0);
    if (mlirShapedTypeGetDimSize(from, i) == 1)
      continue;
    while (d < rank && mlirShapedTypeGetDimSize(to, d) == 1)
      d++;
    if (d == rank || mlirShapedTypeGetDimSize(to, d) != mlirShapedTypeGetDimSize(from, i))
      return false;
    there[i] = at[d++];
  }
  while (d < rank && mlirShapedTypeGetDimSize(to, d) == 1)
    d++;
  return d == rank && read_element(t, source, source_rank, there, place);
}

typedef enum where { INSIDE, OUTSIDE, UNSURE } where;

/* Where the elements lie to a slice of `size` at `offset`; moves `place` into it. */
static where locate(const trail *t, int64_t offset, int64_t size, ts_coordinate *place) {
  int64_t least, most;
  if (!ts_place_bounds(t->op, place, &least, &most))
    return UNSURE;
  place->offset -= offset;
  if (least >= offset && most < offset + size)
    return INSIDE;
  return most < offset || least >= offset + size ? OUTSIDE : UNSURE;
}

static bool is_plain_slice(MlirOperation op, intptr_t rank) {
  MlirAttribute offsets = ts_attribute(op, "static_offsets");
  MlirAttribute sizes = ts_attribute(op, "static_sizes");
  MlirAttribute strides = ts_attribute(op, "static_strides");
  bool plain = mlirDenseArrayGetNumElements(offsets) == rank;
  for (intptr_t d = 0; plain && d < rank; d++)
    plain = mlirDenseI64ArrayGetElement(offsets, d) != mlirShapedTypeGetDynamicSize() &&
            mlirDenseI64ArrayGetElement(sizes, d) != mlirShapedTypeGetDynamicSize() &&
            mlirDenseI64ArrayGetElement(strides, d) == 1;
  return plain;
}

/* What was inserted there, or what was there before. */
static bool read_inserted(trail *t, MlirOperation op, intptr_t rank, const ts_coordinate *at,
                          ts_coordinate *place) {
  MlirValue slice = mlirOperationGetOperand(op, 0), into = mlirOperationGetOperand(op, 1);
  ts_coordinate there[TS_MAX_RANK];
  where all = INSIDE;
  if (!is_plain_slice(op, rank) || mlirShapedTypeGetRank(mlirValueGetType(slice)) != rank)
    return false;
  for (intptr_t d = 0; d < rank && all != OUTSIDE; d++) {
    there[d] = at[d];
    where here =
        locate(t, mlirDenseI64ArrayGetElement(ts_attribute(op, "static_offsets"), d),
               mlirDenseI64ArrayGetElement(ts_attribute(op, "static_sizes"), d), &there[d]);
    all = here == OUTSIDE || all == INSIDE ? here : all;
  }
  if (all == UNSURE)
    return false;
  return all == INSIDE ? read_element(t, slice, rank, there, place)
                       : read_element(t, into, rank, at, place);
}

static bool read_sliced(trail *t, MlirOperation op, intptr_t rank, const ts_coordinate *at,
                        ts_coordinate *place) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  ts_coordinate there[TS_MAX_RANK];
  if (!is_plain_slice(op, rank) || mlirShapedTypeGetRank(mlirValueGetType(source)) != rank)
    return false;
  for (intptr_t d = 0; d < rank; d++) {
    there[d] = at[d];
    there[d].offset += mlirDenseI64ArrayGetElement(ts_attribute(op, "static_offsets"), d);
  }
  return read_element(t, source, rank, there, place);
}

static bool read_joined(trail *t, MlirOperation op, intptr_t rank, const ts_coordinate *at,
                        ts_coordinate *place) {
  intptr_t dim = (intptr_t)ts_op_int(op, "dim", 0);
  int64_t offset = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue part = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(part);
    ts_coordinate there[TS_MAX_RANK];
    if (mlirShapedTypeIsDynamicDim(type, dim))
      return false;
    for (intptr_t d = 0; d < rank; d++)
      there[d] = at[d];
    int64_t size = mlirShapedTypeGetDimSize(type, dim);
    where here = locate(t, offset, size, &there[dim]);
    if (here != OUTSIDE)
      return here == INSIDE && read_element(t, part, rank, there, place);
    offset += size;
  }
  return false;
}

static const struct {
  const char *op;
  bool (*read)(trail *t, MlirOperation op, intptr_t rank, const ts_coordinate *at,
               ts_coordinate *place);
} makers[] = {
    {"tensor.collapse_shape", read_reshaped}, {"tensor.concat", read_joined},
    {"tensor.expand_shape", read_reshaped},   {"tensor.extract_slice", read_sliced},
    {"tensor.insert_slice", read_inserted},
};

static bool read_element(trail *t, MlirValue tensor, intptr_t rank, const ts_coordinate *at,
                         ts_coordinate *place) {
  MlirOperation op = ts_defining_op(tensor);
  if (!op.ptr || t->left-- <= 0 || rank > TS_MAX_RANK)
    return false;
  if (ts_op_is(op, "arith.constant"))
    return read_constant(op, place);
  if (ts_op_is(op, "linalg.generic"))
    return read_computed(t, tensor, rank, at, place);
  for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
    if (ts_op_is(op, makers[i].op))
      return makers[i].read(t, op, rank, at, place);
  return false;
}

/* ---- scalar code ----------------------------------------------------------------------------- */

/* An index of a map that adds and multiplies. */
static bool read_affine(const scope *s, MlirAffineExpr expr, ts_coordinate *place) {
  ts_coordinate a, b;
  if (mlirAffineExprIsAConstant(expr)) {
    *place = ts_place_number(mlirAffineConstantExprGetValue(expr));
    return true;
  }
  if (mlirAffineExprIsADim(expr)) {
    intptr_t loop = mlirAffineDimExprGetPosition(expr);
    *place = s->loops ? s->loops[loop] : (ts_coordinate){.loop = loop, .sign = 1};
    return true;
  }
  bool adds = mlirAffineExprIsAAdd(expr);
  if ((!adds && !mlirAffineExprIsAMul(expr)) ||
      !read_affine(s, mlirAffineBinaryOpExprGetLHS(expr), &a) ||
      !read_affine(s, mlirAffineBinaryOpExprGetRHS(expr), &b))
    return false;
  return adds ? ts_place_add(&a, &b, 1, place) : ts_place_times(&a, &b, place);
}

/* An argument of a structured op's body: the element of its input. */
static bool read_argument(trail *t, const scope *s, MlirValue value, ts_coordinate *place) {
  intptr_t i = mlirBlockArgumentGetArgNumber(value);
  if (!mlirBlockEqual(mlirBlockArgumentGetOwner(value), ts_linalg_body(s->op)) ||
      i >= ts_linalg_num_inputs(s->op))
    return false;
  MlirValue input = mlirOperationGetOperand(s->op, i);
  MlirAffineMap map = ts_linalg_map(s->op, i);
  intptr_t rank = mlirAffineMapGetNumResults(map);
  ts_coordinate at[TS_MAX_RANK];
  for (intptr_t d = 0; d < rank; d++)
    if (rank > TS_MAX_RANK || !read_affine(s, mlirAffineMapGetResult(map, d), &at[d]))
      return false;
  return mlirTypeIsARankedTensor(mlirValueGetType(input)) &&
         read_element(t, input, rank, at, place);
}

static bool read_extract(trail *t, const scope *s, MlirOperation op, ts_coordinate *place) {
  intptr_t rank = mlirOperationGetNumOperands(op) - 1;
  ts_coordinate at[TS_MAX_RANK];
  for (intptr_t d = 0; d < rank; d++)
    if (rank > TS_MAX_RANK || !read_scalar(t, s, mlirOperationGetOperand(op, 1 + d), &at[d]))
      return false;
  return read_element(t, mlirOperationGetOperand(op, 0), rank, at, place);
}

/* Whether a comparison always holds (1), or never (0); else -1. */
static int read_condition(trail *t, const scope *s, MlirValue value) {
  enum { EQUAL, DIFFERENT, SLT, SLE, SGT, SGE }; /* arith's numbers */
  MlirOperation op = ts_defining_op(value);
  ts_coordinate a, b;
  int64_t a_ends[2], b_ends[2];
  if (!op.ptr || !ts_op_is(op, "arith.cmpi") ||
      !read_scalar(t, s, mlirOperationGetOperand(op, 0), &a) ||
      !read_scalar(t, s, mlirOperationGetOperand(op, 1), &b) ||
      !ts_place_bounds(t->op, &a, &a_ends[0], &a_ends[1]) ||
      !ts_place_bounds(t->op, &b, &b_ends[0], &b_ends[1]))
    return -1;
  bool same = a_ends[0] == a_ends[1] && b_ends[0] == b_ends[1] && a_ends[0] == b_ends[0];
  bool apart = a_ends[1] < b_ends[0] || a_ends[0] > b_ends[1];
  switch (ts_op_int(op, "predicate", -1)) {
  case EQUAL:
    return same ? 1 : apart ? 0 : -1;
  case DIFFERENT:
    return apart ? 1 : same ? 0 : -1;
  case SLT:
    return a_ends[1] < b_ends[0] ? 1 : a_ends[0] >= b_ends[1] ? 0 : -1;
  case SLE:
    return a_ends[1] <= b_ends[0] ? 1 : a_ends[0] > b_ends[1] ? 0 : -1;
  case SGT:
    return a_ends[0] > b_ends[1] ? 1 : a_ends[1] <= b_ends[0] ? 0 : -1;
  case SGE:
    return a_ends[0] >= b_ends[1] ? 1 : a_ends[1] < b_ends[0] ? 0 : -1;
  default:
    return -1;
  }
}

/* The condition may be an element of a tensor of comparisons: looked up like a number, of which
 * what is no comparison there is unsure. */
static int read_condition_of(trail *t, const scope *s, MlirValue value) {
  if (mlirValueIsAOpResult(value))
    return read_condition(t, s, value);
  intptr_t i = mlirBlockArgumentGetArgNumber(value);
  if (!mlirBlockEqual(mlirBlockArgumentGetOwner(value), ts_linalg_body(s->op)) ||
      i >= ts_linalg_num_inputs(s->op))
    return -1;
  MlirValue tensor = mlirOperationGetOperand(s->op, i);
  MlirOperation op = ts_defining_op(tensor);
  MlirAffineMap map = ts_linalg_map(s->op, i);
  intptr_t rank = mlirAffineMapGetNumResults(map);
  ts_coordinate at[TS_MAX_RANK], loops[TS_MAX_RANK];
  for (intptr_t d = 0; d < rank; d++) {
    intptr_t from;
    if (!loop_of(map, d, &from))
      return -1;
    at[d] = s->loops ? s->loops[from] : (ts_coordinate){.loop = from, .sign = 1};
  }
  if (!op.ptr || t->left-- <= 0 || !loops_at(tensor, rank, at, loops))
    return -1;
  const scope inside = {op, loops};
  return read_condition_of(t, &inside, given_to(tensor));
}

static bool read_selected(trail *t, const scope *s, MlirOperation op, ts_coordinate *place) {
  int holds = read_condition_of(t, s, mlirOperationGetOperand(op, 0));
  return holds >= 0 && read_scalar(t, s, mlirOperationGetOperand(op, holds ? 1 : 2), place);
}

static bool read_two(trail *t, const scope *s, MlirOperation op, ts_coordinate *place) {
  ts_coordinate a, b;
  if (!read_scalar(t, s, mlirOperationGetOperand(op, 0), &a) ||
      !read_scalar(t, s, mlirOperationGetOperand(op, 1), &b))
    return false;
  bool known;
  if (ts_op_is(op, "arith.addi") || ts_op_is(op, "arith.subi"))
    known = ts_place_add(&a, &b, ts_op_is(op, "arith.subi") ? -1 : 1, place);
  else if (ts_op_is(op, "arith.muli"))
    known = ts_place_times(&a, &b, place);
  else
    known = ts_place_larger(t->op, &a, &b, ts_op_is(op, "arith.maxsi") ? 1 : -1, place);
  return known && ts_place_fits(t->op, place, mlirValueGetType(mlirOperationGetResult(op, 0)));
}

/* What is left of a division by a number that is larger than all that is divided. */
static bool read_rest(trail *t, const scope *s, MlirOperation op, ts_coordinate *place) {
  ts_coordinate by;
  int64_t least, most;
  return read_scalar(t, s, mlirOperationGetOperand(op, 0), place) &&
         read_scalar(t, s, mlirOperationGetOperand(op, 1), &by) && by.loop < 0 &&
         ts_place_bounds(t->op, place, &least, &most) && least >= 0 && most < by.offset;
}

/* Conversions keep what fits. */
static bool read_converted(trail *t, const scope *s, MlirOperation op, ts_coordinate *place) {
  return read_scalar(t, s, mlirOperationGetOperand(op, 0), place) &&
         ts_place_fits(t->op, place, mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static bool read_scalar(trail *t, const scope *s, MlirValue value, ts_coordinate *place) {
  static const char *const conversions[] = {"arith.index_cast", "arith.extsi", "arith.trunci",
                                            NULL};
  static const char *const two[] = {"arith.addi",  "arith.subi",  "arith.muli",
                                    "arith.maxsi", "arith.minsi", NULL};
  MlirOperation op = ts_defining_op(value);
  if (t->left-- <= 0)
    return false;
  if (!op.ptr)
    return read_argument(t, s, value, place);
  if (ts_op_is(op, "arith.constant"))
    return read_constant(op, place);
  if (ts_op_is(op, "linalg.index")) {
    intptr_t loop = (intptr_t)ts_op_int(op, "dim", -1);
    *place = s->loops ? s->loops[loop] : (ts_coordinate){.loop = loop, .sign = 1};
    return mlirOperationEqual(mlirOperationGetParentOperation(op), s->op);
  }
  if (ts_op_is_any(op, conversions))
    return read_converted(t, s, op, place);
  if (ts_op_is_any(op, two))
    return read_two(t, s, op, place);
  if (ts_op_is(op, "arith.remsi") || ts_op_is(op, "arith.remui"))
    return read_rest(t, s, op, place);
  if (ts_op_is(op, "arith.select"))
    return read_selected(t, s, op, place);
  return ts_op_is(op, "tensor.extract") && read_extract(t, s, op, place);
}

bool ts_place_read(MlirOperation op, MlirValue value, ts_coordinate *place) {
  trail t = {op, MOST_STEPS};
  const scope own = {op, NULL};
  return ts_linalg_num_loops(op) <= TS_MAX_RANK && read_scalar(&t, &own, value, place);
}
