/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Initial values that several ops start from. It knows linalg.fill. */
#include "lowering/prepare/fills.h"

#include "capi/capi.h"
#include "ir/build.h"
#include "support/arena.h"

static intptr_t count_uses(MlirValue value) {
  intptr_t num = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    num++;
  return num;
}

/* Does `user` write over its operand number `operand`? */
static bool is_destination(MlirOperation user, intptr_t operand) {
  return ts_op_is_linalg(user) && operand >= ts_linalg_num_inputs(user);
}

/* A copy of the fill and of its tensor.empty before `user`. */
static MlirValue clone_before(MlirOperation fill, MlirOperation user) {
  MlirValue destination = mlirOperationGetOperand(fill, 1);
  MlirBlock block = mlirOperationGetBlock(user);
  MlirOperation empty = mlirOperationClone(mlirOpResultGetOwner(destination));
  MlirOperation copy = mlirOperationClone(fill);
  mlirBlockInsertOwnedOperationBefore(block, user, empty);
  mlirBlockInsertOwnedOperationBefore(block, user, copy);
  mlirOperationSetOperand(copy, 1, mlirOperationGetResult(empty, 0));
  return mlirOperationGetResult(copy, 0);
}

static void split(MlirOperation op, void *user) {
  ts_arena *arena = user;
  if (!ts_op_is(op, "linalg.fill") || mlirOperationGetNumResults(op) != 1)
    return;
  MlirValue destination = mlirOperationGetOperand(op, 1), value = mlirOperationGetResult(op, 0);
  if (!mlirValueIsAOpResult(destination) ||
      !ts_op_is(mlirOpResultGetOwner(destination), "tensor.empty"))
    return;
  intptr_t num = count_uses(value);
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
