/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Copying scalar code from one function to another. It knows which ops are scalar arithmetic; it
 * must not know what their results are for. */
#include "numbers/scalar_code.h"

#include <string.h>

#include "mlir-c/BuiltinTypes.h"

#include "support/ir.h"

void ts_copy_arguments(ts_scalar_copier *copier, MlirBlock from, MlirBlock to) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(from); i++)
    ts_map_set(&copier->copies, copier->arena, mlirBlockGetArgument(from, i).ptr,
               (void *)mlirBlockGetArgument(to, i).ptr);
}

bool ts_is_scalar_op(MlirOperation op) {
  if (strncmp(ts_op_name(op), "arith.", 6) != 0)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    if (mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetResult(op, i))))
      return false;
  return true;
}

MlirValue ts_without_annotations(MlirValue value) {
  while (mlirValueIsAOpResult(value) && ts_op_is(mlirOpResultGetOwner(value), "shard.shard"))
    value = mlirOperationGetOperand(mlirOpResultGetOwner(value), 0);
  return value;
}

static void place(const ts_scalar_copier *copier, MlirOperation op) {
  if (copier->before.ptr)
    mlirBlockInsertOwnedOperationBefore(copier->block, copier->before, op);
  else
    mlirBlockAppendOwnedOperation(copier->block, op);
}

MlirValue ts_copy_scalar(ts_scalar_copier *copier, MlirValue value) {
  MlirValue copy = {ts_map_get(&copier->copies, value.ptr)};
  if (copy.ptr || !mlirValueIsAOpResult(value))
    return copy;
  MlirOperation op = mlirOpResultGetOwner(value);
  bool asks_shape = ts_op_is(op, "tensor.dim");
  if (!asks_shape && !ts_is_scalar_op(op))
    return copy;
  intptr_t num = mlirOperationGetNumOperands(op);
  MlirValue *operands = TS_NEW(copier->arena, MlirValue, num);
  for (intptr_t i = 0; i < num; i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    operands[i] =
        ts_copy_scalar(copier, asks_shape && i == 0 ? ts_without_annotations(operand) : operand);
    if (mlirValueIsNull(operands[i]))
      return operands[i];
  }
  MlirOperation clone = mlirOperationClone(op);
  for (intptr_t i = 0; i < num; i++)
    mlirOperationSetOperand(clone, i, operands[i]);
  place(copier, clone);
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++)
    ts_map_set(&copier->copies, copier->arena, mlirOperationGetResult(op, r).ptr,
               (void *)mlirOperationGetResult(clone, r).ptr);
  return (MlirValue){ts_map_get(&copier->copies, value.ptr)};
}
