/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* scf.forall on tensors as loops that carry what it builds, which have rules: its trips do not
 * meet, so that their order is free. It must not know layouts. */
#include <string.h>

#include "ir/control_flow.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structured/structured.h"
#include "support/arena.h"

/* A loop, and the nest that it becomes. */
typedef struct forall {
  MlirOperation op;
  intptr_t num_loops, num_outputs;
  MlirBlock body, insertions; /* what ends the body puts the slices in */
  intptr_t next_bound;        /* operand of the next bound that the run tells */
  ts_arena arena;
  MlirValue *carried;
} forall;

static bool read_forall(MlirOperation op, forall *f) {
  f->op = op;
  f->num_outputs = mlirOperationGetNumResults(op);
  f->body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  f->num_loops = mlirDenseArrayGetNumElements(ts_attribute(op, "staticUpperBound"));
  if (f->num_outputs == 0)
    return false;
  MlirRegion end = mlirOperationGetRegion(mlirBlockGetTerminator(f->body), 0);
  f->insertions = mlirRegionGetFirstBlock(end);
  for (MlirOperation in = mlirBlockGetFirstOperation(f->insertions); in.ptr;
       in = mlirOperationGetNextInBlock(in))
    if (!ts_op_is(in, "tensor.parallel_insert_slice"))
      return false;
  return true;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* The bounds named `name` as indices, in front of the op; `none` for the one loop of an op without
 * loops. */
static void make_bounds(const ts_maker *build, forall *f, const char *name, int64_t none,
                        MlirValue *bounds) {
  MlirAttribute list = ts_attribute(f->op, name);
  if (!f->num_loops)
    bounds[0] = ts_make_index(build, none);
  for (intptr_t d = 0; d < f->num_loops; d++) {
    int64_t known = mlirDenseI64ArrayGetElement(list, d);
    bounds[d] = known == mlirShapedTypeGetDynamicSize()
                    ? mlirOperationGetOperand(f->op, f->next_bound++)
                    : ts_make_index(build, known);
  }
}

/* One loop in the other; each of them gives what the one inside it does. An op without loops runs
 * once. Returns where the innermost body is to be built. */
static ts_maker make_loops(forall *f, MlirValue *results) {
  ts_maker build = ts_make_before(f->op), at = build;
  intptr_t num = f->num_loops ? f->num_loops : 1;
  MlirValue *from = TS_NEW(&f->arena, MlirValue, num);
  MlirValue *to = TS_NEW(&f->arena, MlirValue, num);
  MlirValue *step = TS_NEW(&f->arena, MlirValue, num);
  MlirValue *given = TS_NEW(&f->arena, MlirValue, f->num_outputs);
  f->carried = TS_NEW(&f->arena, MlirValue, f->num_outputs);
  make_bounds(&build, f, "staticLowerBound", 0, from);
  make_bounds(&build, f, "staticUpperBound", 1, to);
  make_bounds(&build, f, "staticStep", 1, step);
  for (intptr_t i = 0; i < f->num_outputs; i++)
    f->carried[i] = mlirOperationGetOperand(f->op, f->next_bound + i);
  for (intptr_t d = 0; d < num; d++) {
    ts_for loop = ts_make_for(&at, from[d], to[d], step[d], f->num_outputs, f->carried);
    if (f->num_loops)
      mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(f->body, d), loop.iv);
    for (intptr_t i = 0; i < f->num_outputs; i++) {
      given[i] = mlirOperationGetResult(loop.op, i);
      f->carried[i] = mlirBlockGetArgument(loop.body, 1 + i);
    }
    if (d > 0)
      ts_make_yield(&at, f->num_outputs, given);
    else
      memcpy(results, given, sizeof(given[0]) * (size_t)f->num_outputs);
    at = ts_make_at_end(loop.body, build.location);
  }
  return at;
}

/* ---- the body -------------------------------------------------------------------------------- */

static bool same_numbers(MlirOperation insertion, MlirOperation slice) {
  static const char *const lists[] = {"static_offsets", "static_sizes", "static_strides"};
  intptr_t num = mlirOperationGetNumOperands(slice) - 1;
  bool same = mlirOperationGetNumOperands(insertion) - 2 == num;
  for (size_t i = 0; same && i < sizeof(lists) / sizeof(lists[0]); i++)
    same = mlirAttributeEqual(ts_attribute(insertion, lists[i]), ts_attribute(slice, lists[i]));
  for (intptr_t i = 0; same && i < num; i++)
    same = mlirValueEqual(mlirOperationGetOperand(insertion, 2 + i),
                          mlirOperationGetOperand(slice, 1 + i));
  return same;
}

/* A trip that reads the very slice that it writes finds it as it was, for no other wrote there. */
static bool reads_own_slice(MlirOperation user, MlirOperation insertion) {
  return ts_op_is(user, "tensor.extract_slice") && same_numbers(insertion, user);
}

/* What the body reads of an output is what that was before the loop. */
static void replace_reads(forall *f, intptr_t output) {
  MlirValue old = mlirBlockGetArgument(f->body, f->num_loops + output);
  MlirValue before = mlirOperationGetOperand(f->op, f->next_bound + output);
  MlirOperation insertion = {NULL};
  int num = 0;
  for (MlirOperation in = mlirBlockGetFirstOperation(f->insertions); in.ptr;
       in = mlirOperationGetNextInBlock(in))
    if (mlirValueEqual(mlirOperationGetOperand(in, 1), old)) {
      insertion = in;
      num++;
    }
  MlirOpOperand next;
  for (MlirOpOperand use = mlirValueGetFirstUse(old); !mlirOpOperandIsNull(use); use = next) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    intptr_t operand = mlirOpOperandGetOperandNumber(use);
    next = mlirOpOperandGetNextUse(use);
    if (mlirBlockEqual(mlirOperationGetBlock(user), f->insertions) && operand == 1)
      continue;
    bool own = num == 1 && reads_own_slice(user, insertion);
    mlirOperationSetOperand(user, operand, own ? f->carried[output] : before);
  }
}

static void move_body(forall *f, MlirBlock block) {
  MlirOperation end = mlirBlockGetTerminator(f->body);
  for (MlirOperation next, inner = mlirBlockGetFirstOperation(f->body);
       !mlirOperationEqual(inner, end); inner = next) {
    next = mlirOperationGetNextInBlock(inner);
    mlirOperationRemoveFromParent(inner);
    mlirBlockAppendOwnedOperation(block, inner);
  }
}

/* What one insertion makes of the output that it is into. */
static void insert(forall *f, const ts_maker *at, MlirOperation insertion) {
  ts_arena arena = {0};
  intptr_t num = mlirOperationGetNumOperands(insertion);
  intptr_t num_attributes = mlirOperationGetNumAttributes(insertion);
  intptr_t output =
      mlirBlockArgumentGetArgNumber(mlirOperationGetOperand(insertion, 1)) - f->num_loops;
  MlirValue *operands = TS_NEW(&arena, MlirValue, num);
  MlirNamedAttribute *attributes = TS_NEW(&arena, MlirNamedAttribute, num_attributes);
  for (intptr_t i = 0; i < num; i++)
    operands[i] = i == 1 ? f->carried[output] : mlirOperationGetOperand(insertion, i);
  for (intptr_t i = 0; i < num_attributes; i++)
    attributes[i] = mlirOperationGetAttribute(insertion, i);
  ts_maker build = *at;
  build.location = mlirOperationGetLocation(insertion);
  f->carried[output] =
      ts_make_value(&build, "tensor.insert_slice", num, operands,
                    mlirValueGetType(f->carried[output]), num_attributes, attributes);
  ts_arena_free(&arena);
}

void ts_structure_forall(MlirOperation op) {
  forall f = {0};
  if (!read_forall(op, &f))
    return;
  MlirValue *results = TS_NEW(&f.arena, MlirValue, f.num_outputs);
  ts_maker at = make_loops(&f, results);
  for (intptr_t i = 0; i < f.num_outputs; i++)
    replace_reads(&f, i);
  move_body(&f, at.block);
  for (MlirOperation in = mlirBlockGetFirstOperation(f.insertions); in.ptr;
       in = mlirOperationGetNextInBlock(in))
    insert(&f, &at, in);
  ts_make_yield(&at, f.num_outputs, f.carried);
  for (intptr_t i = 0; i < f.num_outputs; i++)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), results[i]);
  mlirOperationDestroy(op);
  ts_arena_free(&f.arena);
}

static void structure(MlirOperation op, void *user) {
  (void)user;
  if (ts_op_is(op, "scf.forall"))
    ts_structure_forall(op);
}

void ts_structure_foralls(MlirOperation module) {
  ts_each_op(module, structure, NULL);
}
