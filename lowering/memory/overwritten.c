/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Initial values of loops that nobody reads. It knows scf.for and insertions; it must not know
 * buffers. */
#include "lowering/memory/overwritten.h"

#include "ir/build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { FROM, TO, STEP, FIRST_CARRIED }; /* operands of scf.for */

/* Numbers of this size neither overflow an i32 nor each other's sums. */
static const int64_t most = INT64_C(1) << 30;

/* ---- numbers of a loop ----------------------------------------------------------------------- */

static bool constant(MlirValue value, int64_t *number) {
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || !ts_op_is(op, "arith.constant"))
    return false;
  *number = ts_op_int(op, "value", most + 1);
  return -most <= *number && *number <= most;
}

/* The steps of a loop: from, from + 1, ... */
typedef struct steps {
  MlirValue variable;
  int64_t from, num;
} steps;

static bool read_steps(MlirOperation loop, steps *s) {
  int64_t to, step;
  s->variable = mlirBlockGetArgument(mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0)), 0);
  if (!constant(mlirOperationGetOperand(loop, FROM), &s->from) ||
      !constant(mlirOperationGetOperand(loop, TO), &to) ||
      !constant(mlirOperationGetOperand(loop, STEP), &step) || step != 1 || to <= s->from)
    return false;
  s->num = to - s->from;
  return true;
}

/* Types in which those numbers are what they are. */
static bool is_wide(MlirType type) {
  return mlirTypeIsAIndex(type) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) >= 32 &&
          mlirIntegerTypeGetWidth(type) <= 64);
}

/* A value that goes up, or down, by one in each step: its smallest one. */
typedef struct progress {
  int direction; /* 1 or -1 */
  int64_t least;
} progress;

static bool read_progress(const steps *s, MlirValue value, progress *p);

/* A sum or difference with one constant. */
static bool read_shifted(const steps *s, MlirOperation op, progress *p) {
  MlirValue a = mlirOperationGetOperand(op, 0), b = mlirOperationGetOperand(op, 1);
  bool is_sum = ts_op_is(op, "arith.addi");
  int64_t number;
  if (constant(b, &number) && read_progress(s, a, p)) {
    p->least += is_sum ? number : -number;
    return true;
  }
  if (!constant(a, &number) || !read_progress(s, b, p))
    return false;
  if (is_sum) {
    p->least += number;
  } else {
    p->least = number - (p->least + s->num - 1);
    p->direction = -p->direction;
  }
  return true;
}

/* A bound that is never reached. */
static bool read_bounded(const steps *s, MlirOperation op, progress *p) {
  int64_t bound;
  if (!constant(mlirOperationGetOperand(op, 1), &bound) ||
      !read_progress(s, mlirOperationGetOperand(op, 0), p))
    return false;
  return ts_op_is(op, "arith.maxsi") ? bound <= p->least : bound >= p->least + s->num - 1;
}

static bool is_small(const steps *s, const progress *p) {
  return -most <= p->least && p->least + s->num <= most;
}

static bool read_progress(const steps *s, MlirValue value, progress *p) {
  if (!is_wide(mlirValueGetType(value)))
    return false;
  if (mlirValueEqual(value, s->variable)) {
    *p = (progress){1, s->from};
    return is_small(s, p);
  }
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr)
    return false;
  bool good = false;
  if (ts_op_is(op, "arith.index_cast"))
    good = read_progress(s, mlirOperationGetOperand(op, 0), p);
  else if (ts_op_is(op, "arith.addi") || ts_op_is(op, "arith.subi"))
    good = read_shifted(s, op, p);
  else if (ts_op_is(op, "arith.maxsi") || ts_op_is(op, "arith.minsi"))
    good = read_bounded(s, op, p);
  return good && is_small(s, p);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static MlirOperation only_user(MlirValue value, intptr_t *operand) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return (MlirOperation){NULL};
  *operand = mlirOpOperandGetOperandNumber(use);
  return mlirOpOperandGetOwner(use);
}

/* The insertion writes, along one dimension, at an offset that takes each index once in the steps;
 * along all others everything. */
static bool covers(const steps *s, MlirOperation insertion) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(insertion, 0));
  MlirAttribute offsets = ts_attribute(insertion, "static_offsets");
  MlirAttribute sizes = ts_attribute(insertion, "static_sizes");
  MlirAttribute strides = ts_attribute(insertion, "static_strides");
  int num_rows = 0;
  if (!mlirShapedTypeHasStaticShape(type) || mlirOperationGetNumOperands(insertion) != 3)
    return false;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++) {
    int64_t extent = mlirShapedTypeGetDimSize(type, d);
    int64_t offset = mlirDenseI64ArrayGetElement(offsets, d);
    int64_t size = mlirDenseI64ArrayGetElement(sizes, d);
    if (mlirDenseI64ArrayGetElement(strides, d) != 1)
      return false;
    if (offset == 0 && size == extent)
      continue;
    progress p;
    if (offset != mlirShapedTypeGetDynamicSize() || size != 1 || extent != s->num ||
        !read_progress(s, mlirOperationGetOperand(insertion, 2), &p) || p.least != 0)
      return false;
    num_rows++;
  }
  return num_rows == 1;
}

/* All that the loop does with what it carries there is to write over it. */
static bool is_overwritten(MlirOperation loop, const steps *s, intptr_t carried) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  intptr_t position;
  MlirOperation insertion = only_user(mlirBlockGetArgument(body, 1 + carried), &position);
  if (!insertion.ptr || !ts_op_is(insertion, "tensor.insert_slice") || position != 1 ||
      !mlirBlockEqual(mlirOperationGetBlock(insertion), body))
    return false;
  MlirOperation yield = only_user(mlirOperationGetResult(insertion, 0), &position);
  return yield.ptr && mlirOperationEqual(yield, mlirBlockGetTerminator(body)) &&
         position == carried && covers(s, insertion);
}

/* ---- rewriting ------------------------------------------------------------------------------- */

static bool is_fill(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  return op.ptr && ts_op_is(op, "linalg.fill") &&
         mlirShapedTypeHasStaticShape(mlirValueGetType(value));
}

static void visit(MlirOperation op, void *user) {
  (void)user;
  steps s;
  if (!ts_op_is(op, "scf.for") || !read_steps(op, &s))
    return;
  for (intptr_t i = FIRST_CARRIED; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue initial = mlirOperationGetOperand(op, i);
    if (!is_fill(initial) || !is_overwritten(op, &s, i - FIRST_CARRIED))
      continue;
    ts_maker build = ts_make_before(op);
    mlirOperationSetOperand(
        op, i, ts_make_value(&build, "tensor.empty", 0, NULL, mlirValueGetType(initial), 0, NULL));
  }
}

static void drop_unused(MlirOperation op, void *user) {
  (void)user;
  if (ts_op_is(op, "linalg.fill") && mlirOperationGetNumResults(op) == 1 &&
      mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, 0))))
    mlirOperationDestroy(op);
}

void ts_memory_skip_overwritten(MlirOperation module) {
  ts_each_op(module, visit, NULL);
  ts_each_op(module, drop_unused, NULL);
}
