/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Initial values that several ops start from. It knows tensor.empty and linalg.fill. */
#include "lowering/prepare/fills.h"

#include "capi/capi.h"
#include "ir/build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/arena.h"

/* Does `user` write over its operand number `operand`? */
static bool is_destination(MlirOperation user, intptr_t operand) {
  return ts_op_is_linalg(user) && operand >= ts_linalg_num_inputs(user);
}

/* A new tensor, or a reshape of one whose sizes are known. */
static bool is_new(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr)
    return false;
  if ((ts_op_is(op, "tensor.expand_shape") || ts_op_is(op, "tensor.collapse_shape")) &&
      mlirShapedTypeHasStaticShape(mlirValueGetType(value)))
    op = ts_defining_op(mlirOperationGetOperand(op, 0));
  return op.ptr && ts_op_is(op, "tensor.empty");
}

static MlirOperation insert_clone(MlirOperation op, MlirOperation user) {
  MlirOperation clone = mlirOperationClone(op);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(user), user, clone);
  return clone;
}

/* A copy of the new tensor, or of the fill of one, before `user`. */
static MlirValue clone_before(MlirOperation op, MlirOperation user) {
  if (ts_op_is(op, "tensor.empty"))
    return mlirOperationGetResult(insert_clone(op, user), 0);
  MlirValue destination = mlirOperationGetOperand(op, 1);
  ts_maker build = ts_make_before(user);
  if (!ts_op_is(ts_defining_op(destination), "tensor.empty"))
    return ts_make_fill(&build, mlirOperationGetOperand(op, 0), mlirValueGetType(destination));
  MlirOperation empty = insert_clone(ts_defining_op(destination), user);
  MlirOperation copy = insert_clone(op, user);
  mlirOperationSetOperand(copy, 1, mlirOperationGetResult(empty, 0));
  return mlirOperationGetResult(copy, 0);
}

/* Nothing is in it but what is computed anew. */
static bool is_initial(MlirOperation op) {
  return ts_op_is(op, "tensor.empty") ||
         (ts_op_is(op, "linalg.fill") && mlirOperationGetNumResults(op) == 1 &&
          is_new(mlirOperationGetOperand(op, 1)));
}

static void split(MlirOperation op, void *user) {
  ts_arena *arena = user;
  if (!is_initial(op))
    return;
  MlirValue value = mlirOperationGetResult(op, 0);
  intptr_t num = ts_num_uses(value);
  MlirOpOperand *uses = TS_NEW(arena, MlirOpOperand, num);
  intptr_t i = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    uses[i++] = use;
  for (i = 0; i < num && num > 1; i++) {
    MlirOperation owner = mlirOpOperandGetOwner(uses[i]);
    intptr_t position = mlirOpOperandGetOperandNumber(uses[i]);
    if (is_destination(owner, position))
      mlirOperationSetOperand(owner, position, clone_before(op, owner));
  }
}

void ts_fills_split(MlirOperation module) {
  ts_arena arena = {0};
  ts_each_op(module, split, &arena);
  ts_arena_free(&arena);
}

/* ---- constants ------------------------------------------------------------------------------- */

enum { LEAST_ELEMENTS = 1024 };

static bool is_number(MlirType element) {
  return mlirTypeIsAFloat(element) || mlirTypeIsAIndex(element) ||
         (mlirTypeIsAInteger(element) && mlirIntegerTypeIsSignless(element));
}

static bool is_large_splat(MlirOperation op) {
  if (!ts_op_is(op, "arith.constant"))
    return false;
  MlirAttribute value = ts_attribute(op, "value");
  return mlirAttributeIsADenseElements(value) && mlirDenseElementsAttrIsSplat(value) &&
         mlirElementsAttrGetNumElements(value) >= LEAST_ELEMENTS &&
         is_number(mlirShapedTypeGetElementType(mlirAttributeGetType(value)));
}

/* What `user` makes of this operand is written into memory that begins as a copy of it. */
static bool is_written_over(MlirOperation user, intptr_t operand) {
  enum { FIRST_CARRIED = 3, INSERTED_INTO = 1 };
  return is_destination(user, operand) || (ts_op_is(user, "scf.for") && operand >= FIRST_CARRIED) ||
         (ts_op_is(user, "tensor.insert_slice") && operand == INSERTED_INTO);
}

static MlirValue fill_before(MlirOperation user, MlirAttribute constant) {
  ts_maker build = ts_make_before(user);
  return ts_make_fill(&build,
                      ts_make_constant(&build, mlirDenseElementsAttrGetSplatValue(constant)),
                      mlirAttributeGetType(constant));
}

static void spell_constant(MlirOperation op, void *user) {
  (void)user;
  if (!is_large_splat(op))
    return;
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0)), next;
  for (; !mlirOpOperandIsNull(use); use = next) {
    MlirOperation owner = mlirOpOperandGetOwner(use);
    intptr_t position = mlirOpOperandGetOperandNumber(use);
    next = mlirOpOperandGetNextUse(use);
    if (is_written_over(owner, position))
      mlirOperationSetOperand(owner, position, fill_before(owner, ts_attribute(op, "value")));
  }
}

void ts_fills_spell_constants(MlirOperation module) {
  ts_each_op(module, spell_constant, NULL);
}
