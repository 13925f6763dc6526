/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Programs of one device in annotated functions. It knows what they take and give; it must not know
 * what they do. */
#include "model/manual.h"
#include "model/reader.h"

/* A value of the solver's own that has just the layout that an operand has to take. */
static ts_value *manual_target(ts_reader *r, MlirOperation handle, intptr_t i, MlirType type) {
  const ts_sharding *layout = ts_manual_layout(r->model, r->function, handle, TS_TAKEN, i, type);
  ts_value *target = ts_reader_new_value(r, type);
  if (layout)
    target->layout = layout;
  else
    r->failed = true;
  target->is_fixed = true;
  return target;
}

bool ts_read_manual(ts_reader *r, MlirOperation handle) {
  ts_op *op = ts_reader_new_op(r, handle, TS_OP_FIXED);
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      op->targets[i] = manual_target(r, handle, i, op->operands[i]->type);
  ts_reader_use_operands(r, op);
  ts_reader_define_results(r, op);
  for (int i = 0; i < op->num_results; i++) {
    ts_value *result = op->results[i];
    const ts_sharding *layout =
        result ? ts_manual_layout(r->model, r->function, handle, TS_GIVEN, i, result->type) : NULL;
    if (result && !layout)
      return ts_reader_fail(r);
    if (result) {
      result->layout = layout;
      result->is_fixed = true;
    }
  }
  return !r->failed;
}
