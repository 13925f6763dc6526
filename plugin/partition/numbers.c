/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Moving the scalar code behind run-time numbers to where they are needed. Knows arithmetic and
 * queries of shape, not layouts' meaning. */
#include "partition/numbers.h"

#include <string.h>

#include "mlir-c/BuiltinTypes.h"

/* A block after the entry block comes after all that the entry block computes. */
static bool is_known(const ts_partitioner *p, MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  MlirBlock block = op.ptr ? mlirOperationGetBlock(op) : mlirBlockArgumentGetOwner(value);
  if (mlirBlockEqual(block, p->emit.entry) && !ts_ancestor_in(block, p->current).ptr)
    return true;
  return ts_known_before(value, p->current);
}

/* Scalars from scalars, without effects; or a query, which needs no data. */
static bool can_move(MlirOperation op) {
  if (ts_op_is(op, "tensor.dim"))
    return true;
  if (strncmp(ts_op_name(op), "arith.", 6) != 0)
    return false;
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); ++r)
    if (mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetResult(op, r))))
      return false;
  return true;
}

/* An annotation changes no shape: the query may ask for that of what is annotated. */
static void ask_source(MlirOperation query) {
  MlirOperation source = ts_defining_op(mlirOperationGetOperand(query, 0));
  while (source.ptr && ts_op_is(source, "shard.shard")) {
    mlirOperationSetOperand(query, 0, mlirOperationGetOperand(source, 0));
    source = ts_defining_op(mlirOperationGetOperand(query, 0));
  }
}

/* Moves the op behind `value` before the current one, after all that it needs. False if that cannot
 * be, such as where it needs the current op itself. */
static bool bring(ts_partitioner *p, MlirValue value) {
  if (is_known(p, value))
    return true;
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || mlirOperationEqual(op, p->current) || !can_move(op))
    return false;
  MlirOperation before = ts_ancestor_in(mlirOperationGetBlock(op), p->current);
  if (!before.ptr || mlirOperationEqual(op, before))
    return false;
  if (ts_op_is(op, "tensor.dim"))
    ask_source(op);
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
