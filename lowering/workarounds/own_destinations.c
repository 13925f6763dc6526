/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around eliminate-empty-tensors, which puts a slice of an insertion's destination in place
 * of an empty tensor inside of the branch or loop that gives the destination itself, or an offset
 * or size of the insertion: an op counts as dominating what is inside of it. Can go when upstream
 * asks whether the values do. It knows insertions. */
#include "lowering/workarounds/own_destinations.h"

#include "lowering/workarounds/stand_ins.h"
#include "mlir-c/BuiltinTypes.h"

static const char mark_name[] = "tessera.own_destination";

enum { MOST_LOOKS = 64 };

/* `value` may be made of what `giver` gives: it is after so many looks for certain. */
static bool may_come_from(MlirValue value, MlirOperation giver, int *looks) {
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr)
    return false;
  if (mlirOperationEqual(op, giver) || --*looks < 0)
    return true;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (mlirTypeIsATensor(mlirValueGetType(operand)) && may_come_from(operand, giver, looks))
      return true;
  }
  return false;
}

static void part(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "tensor.insert_slice") &&
      !ts_op_is(op, "bufferization.materialize_in_destination"))
    return;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op); i++) {
    int looks = MOST_LOOKS;
    MlirValue value = mlirOperationGetOperand(op, i);
    MlirOperation giver = ts_defining_op(value);
    if (!giver.ptr || mlirOperationGetNumRegions(giver) == 0 ||
        !may_come_from(mlirOperationGetOperand(op, 0), giver, &looks))
      continue;
    ts_maker build = ts_make_before(mlirOperationGetNextInBlock(giver));
    mlirOperationSetOperand(op, i, ts_stand_in(&build, value, value, mark_name));
  }
}

void ts_own_destinations_part(MlirOperation module) {
  ts_each_op(module, part, NULL);
}

void ts_own_destinations_join(MlirOperation module) {
  ts_stand_ins_drop(module, mark_name);
}
