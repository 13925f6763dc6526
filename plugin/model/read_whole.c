/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that run whole on every device. It knows what of their insides counts; it must not know what
 * they compute. */
#include "model/reader.h"
#include "support/diagnostics.h"

typedef struct whole_walk {
  ts_model *model;
  MlirOperation whole;
} whole_walk;

static MlirWalkResult note_ignored(MlirOperation op, void *user) {
  const whole_walk *walk = user;
  if (ts_op_is(op, "shard.shard"))
    ts_remark(walk->model, op, "annotation inside '%s', which runs whole on every device: ignored",
              ts_op_name(walk->whole));
  else if (ts_op_is(op, "func.call") && op.ptr != walk->whole.ptr &&
           ts_callee(walk->model, op)->is_active)
    ts_remark(walk->model, op,
              "call of the annotated @%s inside '%s', which runs whole on every device: a copy "
              "without annotations is called",
              ts_callee(walk->model, op)->name, ts_op_name(walk->whole));
  return MlirWalkResultAdvance;
}

/* What the regions of an op that runs whole use of the values around it is data in use. */
static MlirWalkResult note_captured(MlirOperation op, void *user) {
  const whole_walk *walk = user;
  if (ts_asks_shape(op))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    ts_value *value = ts_model_value(walk->model, mlirOperationGetOperand(op, i));
    if (value)
      value->is_captured = true;
  }
  return MlirWalkResultAdvance;
}

bool ts_read_whole(ts_reader *r, MlirOperation handle, const char *reason) {
  ts_op *op = ts_reader_new_op(r, handle, TS_OP_WHOLE);
  whole_walk walk = {r->model, handle};
  if (mlirOperationGetNumRegions(handle))
    mlirOperationWalk(handle, note_captured, &walk, MlirWalkPreOrder);
  ts_remark(r->model, handle, "'%s' runs whole on every device%s%s", ts_op_name(handle),
            reason ? ": " : "", reason ? reason : "");
  if (mlirOperationGetNumRegions(handle))
    mlirOperationWalk(handle, note_ignored, &walk, MlirWalkPreOrder);
  ts_reader_use_operands(r, op);
  ts_reader_define_results(r, op);
  return true;
}
