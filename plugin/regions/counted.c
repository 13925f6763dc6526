/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reads what an scf.while counts, as scalars or, as importers write it, in tensors of rank 0. It
 * knows scalar code; it must not know what the trips are for. */
#include "regions/counted.h"

#include <math.h>

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/ir.h"

/* Ops that are looked through. */
enum { MOST_STEPS = 64 };

/* ---- numbers --------------------------------------------------------------------------------- */

/* An argument of one of the loop's blocks, or nothing, and a number. */
typedef struct sum {
  MlirValue argument;
  double number;
} sum;

static bool is_of_one(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsARankedTensor(type) && mlirShapedTypeGetRank(type) == 0;
}

/* What `value`, of one element, is the same number as; `value` if nothing simpler. */
static MlirValue before(MlirValue value) {
  static const char *const same[] = {"arith.extsi",          "arith.index_cast", "linalg.fill",
                                     "tensor.from_elements", "shard.shard",      NULL};
  if (mlirValueIsABlockArgument(value)) {
    MlirBlock block = mlirBlockArgumentGetOwner(value);
    MlirOperation around = mlirBlockGetParentOperation(block);
    bool inside =
        around.ptr && ts_op_is(around, "linalg.generic") && ts_linalg_num_loops(around) == 0;
    return inside ? mlirOperationGetOperand(around, mlirBlockArgumentGetArgNumber(value)) : value;
  }
  MlirOperation op = ts_defining_op(value);
  if (ts_op_is(op, "tensor.extract") && is_of_one(mlirOperationGetOperand(op, 0)))
    return mlirOperationGetOperand(op, 0);
  if (ts_op_is(op, "linalg.generic") && is_of_one(value))
    return mlirOperationGetOperand(mlirBlockGetTerminator(ts_linalg_body(op)),
                                   mlirOpResultGetResultNumber(value));
  bool passes = ts_op_is_any(op, same) &&
                (is_of_one(value) || !mlirTypeIsARankedTensor(mlirValueGetType(value)));
  return passes ? mlirOperationGetOperand(op, 0) : value;
}

static MlirValue simplest(MlirValue value, int *left) {
  MlirValue simpler = before(value);
  while (!mlirValueEqual(simpler, value) && (*left)-- > 0) {
    value = simpler;
    simpler = before(value);
  }
  return value;
}

static bool read_constant(MlirOperation op, sum *out) {
  MlirAttribute value = ts_attribute(op, "value");
  if (mlirAttributeIsADenseElements(value) && mlirDenseElementsAttrIsSplat(value))
    value = mlirDenseElementsAttrGetSplatValue(value);
  out->number = mlirAttributeIsAInteger(value) ? (double)mlirIntegerAttrGetValueInt(value) : 0;
  return mlirAttributeIsAInteger(value);
}

static bool read_sum(MlirValue value, int *left, sum *out) {
  *out = (sum){{NULL}, 0};
  value = simplest(value, left);
  if (mlirValueIsABlockArgument(value)) {
    out->argument = value;
    return true;
  }
  MlirOperation op = ts_defining_op(value);
  if (ts_op_is(op, "arith.constant"))
    return read_constant(op, out);
  bool adds = ts_op_is(op, "arith.addi");
  sum a, b;
  if ((*left)-- <= 0 || (!adds && !ts_op_is(op, "arith.subi")) ||
      !read_sum(mlirOperationGetOperand(op, 0), left, &a) ||
      !read_sum(mlirOperationGetOperand(op, 1), left, &b) ||
      (b.argument.ptr && (a.argument.ptr || !adds)))
    return false;
  out->argument = a.argument.ptr ? a.argument : b.argument;
  out->number = a.number + (adds ? b.number : -b.number);
  return true;
}

/* ---- loops ----------------------------------------------------------------------------------- */

static MlirBlock block_of(MlirOperation op, int region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}

static bool is_argument_of(MlirBlock block, const sum *sum) {
  return sum->argument.ptr && mlirBlockEqual(mlirBlockArgumentGetOwner(sum->argument), block);
}

/* The loop goes on while the counter, argument `counter` of its first block, stays on this side of
 * the bound. */
typedef enum side { BELOW, ABOVE, NOT_AT } side;

typedef struct condition {
  intptr_t counter;
  side side;
  double bound;
} condition;

/* By arith's number of the predicate: which side, and how much further than the bound. */
typedef struct predicate {
  side side;
  double more;
} predicate;

static const predicate predicates[] = {
    [1] = {NOT_AT, 0}, [2] = {BELOW, 0}, [3] = {BELOW, 1}, [4] = {ABOVE, 0},  [5] = {ABOVE, -1},
    [6] = {BELOW, 0},  [7] = {BELOW, 1}, [8] = {ABOVE, 0}, [9] = {ABOVE, -1},
};

static bool read_condition(MlirOperation op, int *left, condition *out) {
  MlirBlock block = block_of(op, 0);
  MlirValue holds = simplest(mlirOperationGetOperand(mlirBlockGetTerminator(block), 0), left);
  MlirOperation compare = ts_defining_op(holds);
  if (!compare.ptr || !ts_op_is(compare, "arith.cmpi"))
    return false;
  int64_t number = ts_op_int(compare, "predicate", 0);
  sum sides[2];
  for (int i = 0; i < 2; i++)
    if (!read_sum(mlirOperationGetOperand(compare, i), left, &sides[i]))
      return false;
  bool turned = is_argument_of(block, &sides[1]);
  const sum *counter = &sides[turned], *bound = &sides[!turned];
  if (number < 1 || number > 9 || !is_argument_of(block, counter) || bound->argument.ptr)
    return false;
  predicate p = predicates[number];
  if (turned && p.side != NOT_AT)
    p = (predicate){p.side == BELOW ? ABOVE : BELOW, -p.more};
  *out = (condition){mlirBlockArgumentGetArgNumber(counter->argument), p.side,
                     bound->number + p.more - counter->number};
  return true;
}

/* By how much each trip changes the counter: in the first region, and in the second one. */
static bool read_step(MlirOperation op, intptr_t counter, int *left, double *step) {
  sum passed, next;
  MlirOperation end = mlirBlockGetTerminator(block_of(op, 1));
  MlirOperation condition = mlirBlockGetTerminator(block_of(op, 0));
  if (!read_sum(mlirOperationGetOperand(end, counter), left, &next) ||
      !is_argument_of(block_of(op, 1), &next))
    return false;
  intptr_t given = 1 + mlirBlockArgumentGetArgNumber(next.argument);
  if (!read_sum(mlirOperationGetOperand(condition, given), left, &passed) ||
      !is_argument_of(block_of(op, 0), &passed) ||
      mlirBlockArgumentGetArgNumber(passed.argument) != counter)
    return false;
  *step = next.number + passed.number;
  return true;
}

bool ts_counted_trips(MlirOperation op, double *trips) {
  int left = MOST_STEPS;
  condition until;
  sum first;
  double step;
  if (!read_condition(op, &left, &until) || !read_step(op, until.counter, &left, &step) ||
      !read_sum(mlirOperationGetOperand(op, until.counter), &left, &first) || first.argument.ptr)
    return false;
  double way = until.bound - first.number;
  bool runs = until.side == NOT_AT ? way != 0 : until.side == BELOW ? way > 0 : way < 0;
  *trips = runs ? ceil(way / step) : 0;
  if (!runs)
    return true;
  return step != 0 && way / step > 0 && (until.side != NOT_AT || *trips * step == way);
}
