/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around one-shot-bufferize, which does not know that what the second region of an scf.while
 * yields is what the first one may write: a tensor from outside of the loop, function arguments
 * included, would be written. Can go when upstream copies it, as it does for scf.for. It knows
 * which ops may give the memory of an operand. */
#include "lowering/workarounds/while_yields.h"

#include "capi/capi.h"
#include "ir/build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/blocks.h"
#include "support/map.h"

typedef struct tracing {
  ts_arena arena;
  MlirBlock block; /* of the second region */
  ts_map answers;  /* value -> whether it may be one of outside */
} tracing;

static const char yes, no;

static bool may_be_outside(tracing *t, MlirValue value);

/* One of the operands `first` to `end` that is a tensor may be. */
static bool may_operands(tracing *t, MlirOperation op, intptr_t first, intptr_t end) {
  for (intptr_t i = first; i < end; i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (mlirTypeIsATensor(mlirValueGetType(operand)) && may_be_outside(t, operand))
      return true;
  }
  return false;
}

/* Result `number` of a branch is what one of its blocks yields. */
static bool may_branches(tracing *t, MlirOperation op, intptr_t number) {
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    if (block.ptr &&
        may_be_outside(t, mlirOperationGetOperand(mlirBlockGetTerminator(block), number)))
      return true;
  }
  return false;
}

/* Ops that compute, and insertions, give memory that nobody else reads; views give their source's.
 */
static bool may_result(tracing *t, MlirOperation op, MlirValue value) {
  static const char *const views[] = {"tensor.extract_slice",  "tensor.cast",
                                      "tensor.collapse_shape", "tensor.expand_shape",
                                      "tensor.reshape",        "bufferization.to_tensor"};
  for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++)
    if (ts_op_is(op, views[i]))
      return may_operands(t, op, 0, 1);
  if (ts_op_is(op, "scf.if"))
    return may_branches(t, op, mlirOpResultGetResultNumber(value));
  if (ts_op_is(op, "func.call") || ts_op_is(op, "arith.select"))
    return may_operands(t, op, 0, mlirOperationGetNumOperands(op));
  return ts_op_is(op, "arith.constant") ||
         (mlirOperationGetNumRegions(op) > 0 && !ts_op_is_linalg(op));
}

static bool may_be_outside(tracing *t, MlirValue value) {
  const char *known = ts_map_get(&t->answers, value.ptr);
  if (known)
    return known == &yes;
  bool answer = true;
  if (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    answer = !ts_ancestor_in(t->block, op).ptr || may_result(t, op, value);
  } else {
    answer = !mlirBlockEqual(mlirBlockArgumentGetOwner(value), t->block);
  }
  ts_map_set(&t->answers, &t->arena, value.ptr, (void *)(answer ? &yes : &no));
  return answer;
}

static MlirValue copy(const ts_maker *build, MlirValue value) {
  int32_t segments[] = {0, 1, 0};
  MlirNamedAttribute attribute = ts_named(build->context, "operandSegmentSizes",
                                          mlirDenseI32ArrayGet(build->context, 3, segments));
  return ts_make_value(build, "bufferization.alloc_tensor", 1, &value, mlirValueGetType(value), 1,
                       &attribute);
}

static void visit(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "scf.while"))
    return;
  tracing t = {.block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 1))};
  MlirOperation yield = mlirBlockGetTerminator(t.block);
  ts_maker build = ts_make_before(yield);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++) {
    MlirValue value = mlirOperationGetOperand(yield, i);
    if (mlirTypeIsATensor(mlirValueGetType(value)) && may_be_outside(&t, value))
      mlirOperationSetOperand(yield, i, copy(&build, value));
  }
  ts_arena_free(&t.arena);
}

void ts_while_yields_copy(MlirOperation module) {
  ts_each_op(module, visit, NULL);
}
