/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around upstream's passes on tensors, which take a destination that a body does not read for
 * bare memory, though maps may write a part of it alone. Can go when they ask what is written. It
 * knows bodies of linalg.generic; it must not know what they compute. */
#include "lowering/workarounds/partial_writes.h"

#include "capi/capi.h"
#include "ir/build.h"
#include "ir/linalg_covers.h"
#include "lowering/workarounds/stand_ins.h"

static const char mark_name[] = "tessera.writes_part";

static void mark(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "linalg.generic") || mlirOperationGetNumResults(op) == 0)
    return;
  MlirBlock body = ts_linalg_body(op);
  MlirOperation yield = mlirBlockGetTerminator(body);
  ts_maker build = ts_make_before(yield);
  for (intptr_t i = 0; i < ts_linalg_num_inits(op); i++) {
    MlirValue before = mlirBlockGetArgument(body, ts_linalg_num_inputs(op) + i);
    if (!ts_linalg_covers(op, i) && mlirOpOperandIsNull(mlirValueGetFirstUse(before)))
      mlirOperationSetOperand(
          yield, i, ts_stand_in(&build, mlirOperationGetOperand(yield, i), before, mark_name));
  }
}

void ts_partial_writes_mark(MlirOperation module) {
  ts_each_op(module, mark, NULL);
}

void ts_partial_writes_unmark(MlirOperation module) {
  ts_stand_ins_drop(module, mark_name);
}
