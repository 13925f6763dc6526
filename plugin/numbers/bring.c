/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Moving the scalar code behind run-time numbers to where they are needed. Knows arithmetic and
 * queries of shape, not layouts' meaning. */
#include "numbers/bring.h"

#include "numbers/scalar_code.h"

/* A block after the entry block comes after all that the entry block computes. */
static bool is_known(const ts_partitioner *p, MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  MlirBlock block = op.ptr ? mlirOperationGetBlock(op) : mlirBlockArgumentGetOwner(value);
  if (mlirBlockEqual(block, p->emit.entry) && !ts_ancestor_in(block, p->current).ptr)
    return true;
  return ts_known_before(value, p->current);
}

/* Moves the op behind `value` before the current one, after all that it needs. False if that cannot
 * be, such as where it needs the current op itself. */
static bool bring(ts_partitioner *p, MlirValue value) {
  if (is_known(p, value))
    return true;
  MlirOperation op = ts_defining_op(value);
  bool is_query = op.ptr && ts_op_is(op, "tensor.dim"); /* which needs no data */
  if (!op.ptr || mlirOperationEqual(op, p->current) || !(is_query || ts_is_scalar_op(op)))
    return false;
  MlirOperation before = ts_ancestor_in(mlirOperationGetBlock(op), p->current);
  if (!before.ptr || mlirOperationEqual(op, before))
    return false;
  if (is_query) /* an annotation changes no shape */
    mlirOperationSetOperand(op, 0, ts_without_annotations(mlirOperationGetOperand(op, 0)));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!bring(p, mlirOperationGetOperand(op, i)))
      return false;
  mlirOperationMoveBefore(op, before);
  return true;
}

static bool bring_number(ts_partitioner *p, int64_t number) {
  if (!ts_is_run_time(number))
    return true;
  MlirValue value = ts_number_value(p->emit.numbers, number);
  return !mlirValueIsNull(value) && bring(p, value);
}

bool ts_bring_numbers(ts_partitioner *p, const ts_sharding *layout, int d) {
  const ts_dim *dim = &layout->dims[d];
  if (dim->offsets)
    return bring_number(p, dim->offsets[ts_dim_shards(layout->grid, dim)]);
  return bring_number(p, dim->halo[0]) && bring_number(p, dim->halo[1]);
}
