/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around eliminate-empty-tensors, which puts a slice of an insertion's destination in place
 * of an empty tensor inside of the branch or loop that gives the destination itself, or an offset
 * or size of the insertion: an op counts as dominating what is inside of it. Can go when upstream
 * asks whether the values do. It knows insertions. */
#include "lowering/workarounds/own_destinations.h"

#include "capi/capi.h"
#include "lowering/workarounds/stand_ins.h"

static const char mark_name[] = "tessera.own_destination";

static bool inserts(MlirOperation op) {
  static const char *const names[] = {"tensor.insert_slice", "tensor.parallel_insert_slice",
                                      "linalg.copy", "bufferization.materialize_in_destination"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (ts_op_is(op, names[i]))
      return true;
  return false;
}

/* Whether what is inserted comes from that op is not asked: what comes behind it may still be
 * computed in the destination. No tensor comes out of the body of a structured op. */
static void part(MlirOperation op, void *user) {
  (void)user;
  for (intptr_t i = 1; inserts(op) && i < mlirOperationGetNumOperands(op); i++) {
    MlirValue value = mlirOperationGetOperand(op, i);
    MlirOperation giver = ts_defining_op(value);
    if (!giver.ptr || mlirOperationGetNumRegions(giver) == 0 || ts_op_is_linalg(giver))
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
