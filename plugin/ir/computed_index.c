/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Interprets scalar code, element by element through the tensors on its way. Floats are computed as
 * the program does, rounded to their type after each operation, so that what is cut to an index is
 * the same number. It must not know what it is for. */
#include "ir/computed_index.h"

#include <math.h>
#include <string.h>

#include "capi/capi.h"
#include "ir/build.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { MOST_STEPS = 1000 };

/* An index that is not known. */
#define ANY INT64_MIN

typedef struct number {
  bool is_float;
  int64_t i;
  double f;
} number;

/* The structured op whose body is read, and the indices of its loops. */
typedef struct scope {
  MlirOperation op;
  const int64_t *loops;
} scope;

/* The value, of a tensor the element `at`. */
static bool read_value(int *left, const scope *s, MlirValue value, const int64_t *at, number *out);

/* ---- numbers --------------------------------------------------------------------------------- */

static MlirType element_type(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsARankedTensor(type) ? mlirShapedTypeGetElementType(type) : type;
}

static int width_of(MlirType type) {
  return mlirTypeIsAInteger(type) ? (int)mlirIntegerTypeGetWidth(type) : 64;
}

/* An integer, unless a number of the type could not be it: nothing wraps. Of one bit, 0 or 1. */
static bool integer(MlirType type, int64_t i, number *out) {
  int width = width_of(type);
  *out = (number){.i = i};
  if (width == 1)
    return i == 0 || i == 1;
  return width <= 64 &&
         (width == 64 || (i >= -(INT64_C(1) << (width - 1)) && i < INT64_C(1) << (width - 1)));
}

static bool is_float(MlirType type) {
  return mlirTypeIsAF32(type) || mlirTypeIsAF64(type);
}

/* A float, rounded to its type. */
static bool floating(MlirType type, double f, number *out) {
  *out = (number){.is_float = true, .f = mlirTypeIsAF32(type) ? (double)(float)f : f};
  return is_float(type) && isfinite(out->f);
}

static bool read_attribute(MlirAttribute value, MlirType type, number *out) {
  if (mlirAttributeIsAFloat(value))
    return floating(type, mlirFloatAttrGetValueDouble(value), out);
  if (!mlirAttributeIsAInteger(value) || width_of(type) > 64)
    return false;
  int64_t i = mlirIntegerAttrGetValueInt(value);
  return integer(type, width_of(type) == 1 ? i & 1 : i, out);
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

typedef enum arithmetic {
  ADD,
  SUBTRACT,
  MULTIPLY,
  DIVIDE,
  DIVIDE_DOWN,
  DIVIDE_UP,
  REMAINDER,
  SMALLER,
  LARGER,
} arithmetic;

static bool integers(arithmetic what, int64_t a, int64_t b, int64_t *out) {
  bool divides = what >= DIVIDE && what <= REMAINDER;
  if (divides && (b == 0 || b == -1))
    return false;
  switch (what) {
  case ADD:
    return !__builtin_add_overflow(a, b, out);
  case SUBTRACT:
    return !__builtin_sub_overflow(a, b, out);
  case MULTIPLY:
    return !__builtin_mul_overflow(a, b, out);
  case DIVIDE:
    *out = a / b;
    return true;
  case DIVIDE_DOWN:
    *out = floor_div(a, b);
    return true;
  case DIVIDE_UP:
    *out = floor_div(a, b) + (a % b != 0);
    return true;
  case REMAINDER:
    *out = a % b;
    return true;
  case SMALLER:
    *out = a < b ? a : b;
    return true;
  case LARGER:
    *out = a > b ? a : b;
    return true;
  }
  return false;
}

/* Sums, products and quotients of two f32 numbers are the same in double, rounded once more. */
static bool floats(arithmetic what, double a, double b, double *out) {
  switch (what) {
  case ADD:
    *out = a + b;
    return true;
  case SUBTRACT:
    *out = a - b;
    return true;
  case MULTIPLY:
    *out = a * b;
    return true;
  case DIVIDE:
    *out = a / b;
    return true;
  case SMALLER:
    *out = a < b ? a : b;
    return true;
  case LARGER:
    *out = a > b ? a : b;
    return true;
  default:
    return false;
  }
}

static const struct {
  const char *op;
  arithmetic what;
  bool is_unsigned; /* means the same of what is not negative */
} pairs[] = {
    {"arith.addf", ADD, false},
    {"arith.addi", ADD, false},
    {"arith.ceildivsi", DIVIDE_UP, false},
    {"arith.ceildivui", DIVIDE_UP, true},
    {"arith.divf", DIVIDE, false},
    {"arith.divsi", DIVIDE, false},
    {"arith.divui", DIVIDE, true},
    {"arith.floordivsi", DIVIDE_DOWN, false},
    {"arith.maximumf", LARGER, false},
    {"arith.maxnumf", LARGER, false},
    {"arith.maxsi", LARGER, false},
    {"arith.maxui", LARGER, true},
    {"arith.minimumf", SMALLER, false},
    {"arith.minnumf", SMALLER, false},
    {"arith.minsi", SMALLER, false},
    {"arith.minui", SMALLER, true},
    {"arith.mulf", MULTIPLY, false},
    {"arith.muli", MULTIPLY, false},
    {"arith.remsi", REMAINDER, false},
    {"arith.remui", REMAINDER, true},
    {"arith.subf", SUBTRACT, false},
    {"arith.subi", SUBTRACT, false},
};

static bool read_pair(int *left, const scope *s, MlirOperation op, size_t p, const int64_t *at,
                      number *out) {
  MlirType type = element_type(mlirOperationGetResult(op, 0));
  number a, b;
  int64_t i;
  double f;
  if (!read_value(left, s, mlirOperationGetOperand(op, 0), at, &a) ||
      !read_value(left, s, mlirOperationGetOperand(op, 1), at, &b))
    return false;
  if (a.is_float)
    return floats(pairs[p].what, a.f, b.f, &f) && floating(type, f, out);
  bool counts = !pairs[p].is_unsigned || (a.i >= 0 && b.i >= 0);
  return counts && integers(pairs[p].what, a.i, b.i, &i) && integer(type, i, out);
}

/* -1, 0 or 1, as `a` comes before, with or after `b`. */
static int order(number a, number b) {
  return a.is_float ? (a.f > b.f) - (a.f < b.f) : (a.i > b.i) - (a.i < b.i);
}

/* arith's numbers of predicates; none is of NaN here. */
static bool read_comparison(int *left, const scope *s, MlirOperation op, const int64_t *at,
                            number *out) {
  enum { EQ, NE, SLT, SLE, SGT, SGE, ULT };
  static const int8_t of_floats[] = {-1, EQ,  SGT, SGE, SLT, SLE, NE, -1,
                                     EQ, SGT, SGE, SLT, SLE, NE,  -1, -1};
  int64_t predicate = ts_op_int(op, "predicate", -1);
  number a, b;
  if (predicate < 0 || !read_value(left, s, mlirOperationGetOperand(op, 0), at, &a) ||
      !read_value(left, s, mlirOperationGetOperand(op, 1), at, &b))
    return false;
  if (a.is_float)
    predicate = predicate < (int64_t)sizeof(of_floats) ? of_floats[predicate] : -1;
  else if (predicate >= ULT)
    predicate = a.i >= 0 && b.i >= 0 ? predicate - ULT + SLT : -1;
  int o = order(a, b);
  const bool holds[] = {o == 0, o != 0, o < 0, o <= 0, o > 0, o >= 0};
  bool is_known = predicate >= EQ && predicate <= SGE;
  *out = (number){.i = is_known && holds[predicate]};
  return is_known;
}

static bool read_choice(int *left, const scope *s, MlirOperation op, const int64_t *at,
                        number *out) {
  number holds;
  return read_value(left, s, mlirOperationGetOperand(op, 0), at, &holds) &&
         read_value(left, s, mlirOperationGetOperand(op, holds.i ? 1 : 2), at, out);
}

typedef enum conversion {
  SAME, /* the same number */
  SAME_UNLESS_NEGATIVE,
  CUT, /* towards 0 */
  CUT_UNLESS_NEGATIVE,
  NEGATE,
  DOWN,
  UP,
  TO_EVEN,
} conversion;

static const struct {
  const char *op;
  conversion what;
} conversions[] = {
    {"arith.extf", SAME},
    {"arith.extsi", SAME},
    {"arith.extui", SAME_UNLESS_NEGATIVE},
    {"arith.fptosi", CUT},
    {"arith.fptoui", CUT_UNLESS_NEGATIVE},
    {"arith.index_cast", SAME},
    {"arith.index_castui", SAME_UNLESS_NEGATIVE},
    {"arith.negf", NEGATE},
    {"arith.sitofp", SAME},
    {"arith.truncf", SAME},
    {"arith.trunci", SAME},
    {"arith.uitofp", SAME_UNLESS_NEGATIVE},
    {"math.ceil", UP},
    {"math.floor", DOWN},
    {"math.roundeven", TO_EVEN},
};

/* A number of one bit that becomes a wider one is a sign, by some of these: left to others. */
static bool is_bit(MlirValue value) {
  MlirType type = element_type(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

static bool read_conversion(int *left, const scope *s, MlirOperation op, conversion what,
                            const int64_t *at, number *out) {
  MlirValue from = mlirOperationGetOperand(op, 0), to = mlirOperationGetResult(op, 0);
  MlirType type = element_type(to);
  number a;
  if (!read_value(left, s, from, at, &a) || is_bit(to) ||
      (is_bit(from) && what != SAME_UNLESS_NEGATIVE))
    return false;
  bool is_negative = a.is_float ? a.f < 0 : a.i < 0;
  if (is_negative && (what == SAME_UNLESS_NEGATIVE || what == CUT_UNLESS_NEGATIVE))
    return false;
  if (what == CUT || what == CUT_UNLESS_NEGATIVE)
    return fabs(a.f) < 0x1p62 && integer(type, (int64_t)a.f, out);
  double f = a.is_float ? a.f : (double)a.i;
  f = what == NEGATE    ? -f
      : what == DOWN    ? floor(f)
      : what == UP      ? ceil(f)
      : what == TO_EVEN ? nearbyint(f)
                        : f;
  if (is_float(type) && !a.is_float && (int64_t)f != a.i)
    return false;
  return is_float(type) ? floating(type, f, out) : !a.is_float && integer(type, a.i, out);
}

/* ---- elements -------------------------------------------------------------------------------- */

static bool shape_of(MlirValue tensor, intptr_t *rank, int64_t *shape) {
  MlirType type = mlirValueGetType(tensor);
  *rank = mlirShapedTypeGetRank(type);
  if (*rank > TS_MAX_RANK || !mlirShapedTypeHasStaticShape(type))
    return false;
  for (intptr_t d = 0; d < *rank; d++)
    shape[d] = mlirShapedTypeGetDimSize(type, d);
  return true;
}

/* The number of the element in row-major order, or ANY. */
static int64_t number_of(intptr_t rank, const int64_t *shape, const int64_t *at) {
  int64_t n = 0;
  for (intptr_t d = 0; d < rank; d++) {
    int64_t i = shape[d] == 1 ? 0 : at[d];
    if (i == ANY || i < 0 || i >= shape[d])
      return ANY;
    n = n * shape[d] + i;
  }
  return n;
}

static bool read_dense(MlirAttribute value, MlirType type, int64_t n, number *out) {
  int width = width_of(type);
  if (n == ANY)
    return false;
  if (mlirTypeIsAF32(type))
    return floating(type, (double)mlirDenseElementsAttrGetFloatValue(value, n), out);
  if (mlirTypeIsAF64(type))
    return floating(type, mlirDenseElementsAttrGetDoubleValue(value, n), out);
  if (width == 1)
    return integer(type, mlirDenseElementsAttrGetBoolValue(value, n), out);
  if (width == 32)
    return integer(type, mlirDenseElementsAttrGetInt32Value(value, n), out);
  return width == 64 && !is_float(type) &&
         integer(type, mlirDenseElementsAttrGetInt64Value(value, n), out);
}

static bool read_constant(MlirOperation op, const int64_t *at, number *out) {
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirAttribute value = ts_attribute(op, "value");
  MlirType type = element_type(result);
  int64_t shape[TS_MAX_RANK];
  intptr_t rank;
  if (!mlirAttributeIsADenseElements(value))
    return read_attribute(value, type, out);
  if (mlirDenseElementsAttrIsSplat(value))
    return read_attribute(mlirDenseElementsAttrGetSplatValue(value), type, out);
  return shape_of(result, &rank, shape) && read_dense(value, type, number_of(rank, shape, at), out);
}

static bool read_reshaped(int *left, const scope *s, MlirOperation op, const int64_t *at,
                          number *out) {
  MlirValue source = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  int64_t from[TS_MAX_RANK], to[TS_MAX_RANK], there[TS_MAX_RANK];
  intptr_t from_rank, to_rank;
  if (!shape_of(source, &from_rank, from) || !shape_of(result, &to_rank, to))
    return false;
  int64_t n = number_of(to_rank, to, at);
  if (n == ANY)
    return false;
  for (intptr_t d = from_rank - 1; d >= 0; d--) {
    there[d] = n % from[d];
    n /= from[d];
  }
  return read_value(left, s, source, there, out);
}

/* The numbers of a slice or an insertion of as many dimensions as its tensor. */
static bool read_numbers(MlirOperation op, MlirValue slice, intptr_t *rank, int64_t *offsets,
                         int64_t *sizes, int64_t *strides) {
  MlirAttribute lists[3] = {ts_attribute(op, "static_offsets"), ts_attribute(op, "static_sizes"),
                            ts_attribute(op, "static_strides")};
  int64_t *const numbers[3] = {offsets, sizes, strides};
  *rank = mlirDenseArrayGetNumElements(lists[0]);
  if (*rank > TS_MAX_RANK || mlirShapedTypeGetRank(mlirValueGetType(slice)) != *rank)
    return false;
  for (int k = 0; k < 3; k++)
    for (intptr_t d = 0; d < *rank; d++) {
      numbers[k][d] = mlirDenseI64ArrayGetElement(lists[k], d);
      if (numbers[k][d] == mlirShapedTypeGetDynamicSize())
        return false;
    }
  return true;
}

static bool read_slice(int *left, const scope *s, MlirOperation op, const int64_t *at,
                       number *out) {
  int64_t offsets[TS_MAX_RANK], sizes[TS_MAX_RANK], strides[TS_MAX_RANK], there[TS_MAX_RANK];
  intptr_t rank;
  if (!read_numbers(op, mlirOperationGetResult(op, 0), &rank, offsets, sizes, strides))
    return false;
  for (intptr_t d = 0; d < rank; d++)
    there[d] = sizes[d] == 1 ? offsets[d] : at[d] == ANY ? ANY : offsets[d] + strides[d] * at[d];
  return read_value(left, s, mlirOperationGetOperand(op, 0), there, out);
}

/* What was inserted there, or what was there before. */
static bool read_insertion(int *left, const scope *s, MlirOperation op, const int64_t *at,
                           number *out) {
  int64_t offsets[TS_MAX_RANK], sizes[TS_MAX_RANK], strides[TS_MAX_RANK], there[TS_MAX_RANK];
  intptr_t rank;
  bool inside = true;
  if (!read_numbers(op, mlirOperationGetOperand(op, 0), &rank, offsets, sizes, strides))
    return false;
  for (intptr_t d = 0; d < rank; d++) {
    if (at[d] == ANY)
      return false;
    int64_t behind = at[d] - offsets[d];
    inside &= behind >= 0 && behind % strides[d] == 0 && behind / strides[d] < sizes[d];
    there[d] = behind / strides[d];
  }
  return read_value(left, s, mlirOperationGetOperand(op, inside ? 0 : 1), inside ? there : at, out);
}

static bool read_join(int *left, const scope *s, MlirOperation op, const int64_t *at, number *out) {
  intptr_t dim = (intptr_t)ts_op_int(op, "dim", 0), rank;
  int64_t shape[TS_MAX_RANK], there[TS_MAX_RANK];
  if (!shape_of(mlirOperationGetResult(op, 0), &rank, shape) || at[dim] == ANY)
    return false;
  memcpy(there, at, sizeof(*at) * (size_t)rank);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue part = mlirOperationGetOperand(op, i);
    if (!shape_of(part, &rank, shape))
      return false;
    if (there[dim] < shape[dim])
      return read_value(left, s, part, there, out);
    there[dim] -= shape[dim];
  }
  return false;
}

/* ---- structured ops -------------------------------------------------------------------------- */

/* The index that a map says; ANY where that is not known. */
static int64_t index_of(const scope *s, MlirAffineExpr expr) {
  if (mlirAffineExprIsAConstant(expr))
    return mlirAffineConstantExprGetValue(expr);
  if (mlirAffineExprIsADim(expr))
    return s->loops[mlirAffineDimExprGetPosition(expr)];
  if (mlirAffineExprIsASymbol(expr))
    return ANY;
  int64_t a = index_of(s, mlirAffineBinaryOpExprGetLHS(expr)), out;
  int64_t b = index_of(s, mlirAffineBinaryOpExprGetRHS(expr));
  bool is_mod = mlirAffineExprIsAMod(expr);
  arithmetic what = mlirAffineExprIsAAdd(expr)       ? ADD
                    : mlirAffineExprIsAMul(expr)     ? MULTIPLY
                    : mlirAffineExprIsACeilDiv(expr) ? DIVIDE_UP
                                                     : DIVIDE_DOWN;
  if (a == ANY || b == ANY || !integers(what, a, b, &out))
    return ANY;
  return is_mod ? a - b * out : out;
}

/* An argument of the body: the element of its input. */
static bool read_argument(int *left, const scope *s, MlirValue value, number *out) {
  intptr_t i = mlirBlockArgumentGetArgNumber(value);
  int64_t at[TS_MAX_RANK];
  if (!s->op.ptr || !mlirBlockEqual(mlirBlockArgumentGetOwner(value), ts_linalg_body(s->op)) ||
      i >= ts_linalg_num_inputs(s->op))
    return false;
  MlirAffineMap map = ts_linalg_map(s->op, i);
  intptr_t rank = mlirAffineMapGetNumResults(map);
  for (intptr_t d = 0; d < rank && rank <= TS_MAX_RANK; d++)
    at[d] = index_of(s, mlirAffineMapGetResult(map, d));
  return rank <= TS_MAX_RANK && read_value(left, s, mlirOperationGetOperand(s->op, i), at, out);
}

static bool read_loop(const scope *s, MlirOperation index, number *out) {
  MlirOperation owner = mlirOperationGetParentOperation(index);
  while (owner.ptr && !ts_op_is_linalg(owner))
    owner = mlirOperationGetParentOperation(owner);
  if (!s->op.ptr || !mlirOperationEqual(owner, s->op))
    return false;
  *out = (number){.i = s->loops[ts_op_int(index, "dim", 0)]};
  return out->i != ANY;
}

static bool read_extract(int *left, const scope *s, MlirOperation op, number *out) {
  intptr_t rank = mlirOperationGetNumOperands(op) - 1;
  int64_t at[TS_MAX_RANK];
  for (intptr_t d = 0; d < rank && rank <= TS_MAX_RANK; d++) {
    number index;
    bool is_known = read_value(left, s, mlirOperationGetOperand(op, 1 + d), NULL, &index);
    at[d] = is_known ? index.i : ANY;
  }
  return rank <= TS_MAX_RANK && read_value(left, s, mlirOperationGetOperand(op, 0), at, out);
}

/* What a structured op that reduces nothing computes there. */
static bool read_computed(int *left, MlirValue value, const int64_t *at, number *out) {
  MlirOperation op = ts_defining_op(value);
  intptr_t num = ts_linalg_num_loops(op), r = mlirOpResultGetResultNumber(value);
  int64_t loops[TS_MAX_RANK];
  if (num > TS_MAX_RANK)
    return false;
  for (intptr_t l = 0; l < num; l++) {
    loops[l] = ANY;
    if (ts_linalg_iterator(op, l) != 0)
      return false;
  }
  MlirAffineMap map = ts_linalg_map(op, ts_linalg_num_inputs(op) + r);
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
    MlirAffineExpr expr = mlirAffineMapGetResult(map, d);
    if (!mlirAffineExprIsADim(expr))
      return false;
    loops[mlirAffineDimExprGetPosition(expr)] = at[d];
  }
  const scope inside = {op, loops};
  MlirOperation yield = mlirBlockGetTerminator(ts_linalg_body(op));
  return read_value(left, &inside, mlirOperationGetOperand(yield, r), NULL, out);
}

static bool read_same(int *left, const scope *s, MlirOperation op, const int64_t *at, number *out) {
  return read_value(left, s, mlirOperationGetOperand(op, 0), at, out);
}

static const struct {
  const char *op;
  bool (*read)(int *left, const scope *s, MlirOperation op, const int64_t *at, number *out);
} makers[] = {
    {"arith.cmpf", read_comparison},      {"arith.cmpi", read_comparison},
    {"arith.select", read_choice},        {"shard.shard", read_same},
    {"tensor.cast", read_same},           {"tensor.collapse_shape", read_reshaped},
    {"tensor.concat", read_join},         {"tensor.expand_shape", read_reshaped},
    {"tensor.extract_slice", read_slice}, {"tensor.insert_slice", read_insertion},
    {"tensor.splat", read_same},
};

static bool read_value(int *left, const scope *s, MlirValue value, const int64_t *at, number *out) {
  MlirOperation op = ts_defining_op(value);
  if ((*left)-- <= 0)
    return false;
  if (!op.ptr)
    return read_argument(left, s, value, out);
  if (ts_op_is(op, "arith.constant"))
    return read_constant(op, at, out);
  if (ts_op_is(op, "linalg.index"))
    return read_loop(s, op, out);
  if (ts_op_is(op, "tensor.extract"))
    return read_extract(left, s, op, out);
  if (ts_op_is_linalg(op))
    return read_computed(left, value, at, out);
  for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
    if (ts_op_is(op, pairs[i].op))
      return read_pair(left, s, op, i, at, out);
  for (size_t i = 0; i < sizeof(conversions) / sizeof(conversions[0]); i++)
    if (ts_op_is(op, conversions[i].op))
      return read_conversion(left, s, op, conversions[i].what, at, out);
  for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
    if (ts_op_is(op, makers[i].op))
      return makers[i].read(left, s, op, at, out);
  return false;
}

bool ts_computed_index(MlirOperation op, MlirValue value, intptr_t loop, int64_t index,
                       int64_t *result) {
  int64_t loops[TS_MAX_RANK];
  int left = MOST_STEPS;
  number found;
  if (ts_linalg_num_loops(op) > TS_MAX_RANK)
    return false;
  for (int l = 0; l < TS_MAX_RANK; l++)
    loops[l] = l == loop ? index : ANY;
  const scope own = {op, loops};
  if (!read_value(&left, &own, value, NULL, &found) || found.is_float)
    return false;
  *result = found.i;
  return true;
}
