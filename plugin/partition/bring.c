/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Moving the scalar code behind run-time numbers to where they are needed. It knows arithmetic and
 * queries of shape; it must not know layouts' meaning. */
#include "partition/bring.h"

#include "numbers/program_numbers.h"
#include "numbers/scalar_code.h"
#include "support/blocks.h"
#include "support/ir.h"

/* A block after the entry block comes after all that the entry block computes. */
static bool is_known(MlirBlock entry, MlirOperation op, MlirValue value) {
  bool first = mlirBlockEqual(ts_block_of(value), entry);
  return (first && !ts_ancestor_in(entry, op).ptr) || ts_known_before(value, op);
}

/* Moves what computes `value` before `op`, after all that it needs. False if that cannot be, such
 * as where it needs `op` itself. */
static bool bring(MlirBlock entry, MlirOperation op, MlirValue value) {
  if (is_known(entry, op, value))
    return true;
  MlirOperation source = ts_defining_op(value);
  bool is_query = source.ptr && ts_op_is(source, "tensor.dim"); /* which needs no data */
  if (!source.ptr || mlirOperationEqual(source, op) || !(is_query || ts_is_scalar_op(source)))
    return false;
  MlirOperation before = ts_ancestor_in(mlirOperationGetBlock(source), op);
  if (!before.ptr || mlirOperationEqual(source, before))
    return false;
  if (is_query) /* an annotation changes no shape */
    mlirOperationSetOperand(source, 0, ts_without_annotations(mlirOperationGetOperand(source, 0)));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(source); i++)
    if (!bring(entry, op, mlirOperationGetOperand(source, i)))
      return false;
  mlirOperationMoveBefore(source, before);
  return true;
}

static bool bring_number(MlirBlock entry, MlirOperation op, ts_number number) {
  if (!ts_is_run_time(number))
    return true;
  MlirValue value = ts_number_value(number);
  return !mlirValueIsNull(value) && bring(entry, op, value);
}

bool ts_bring_numbers(MlirBlock entry, MlirOperation op, const ts_sharding *layout, int d) {
  const ts_dim *dim = &layout->dims[d];
  if (dim->offsets)
    return bring_number(entry, op, dim->offsets[ts_dim_shards(layout->grid, dim)]);
  return bring_number(entry, op, dim->halo[0]) && bring_number(entry, op, dim->halo[1]);
}
