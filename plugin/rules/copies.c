/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tensor.cast, and bufferization.materialize_in_destination on tensors: copies, the latter with a
 * destination that is not read; tensor.bitcast, which copies bits; tensor.from_elements, which
 * copies scalars that every device has. It knows one loop a dimension; it must not know buffers. */
#include "mlir-c/BuiltinTypes.h"

#include "rules/build_loops.h"
#include "rules/rows.h"

bool ts_copy_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                   const char **remark) {
  (void)remark;
  if (mlirOperationGetNumResults(op) != 1) {
    *reason = "its destination is a memref";
    return false;
  }
  MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  int rank = mlirTypeIsARankedTensor(type) ? (int)mlirShapedTypeGetRank(type) : 0;
  if (!ts_ports_init(arena, op, rank, out, reason))
    return false;
  for (int d = 0; d < rank; d++)
    ts_ports_add_loop(out, TS_LOOP_PARALLEL, TS_DYNAMIC);
  for (int p = 0; p <= out->num_operands; p++) {
    bool operand = p < out->num_operands;
    MlirValue value = operand ? mlirOperationGetOperand(op, p) : mlirOperationGetResult(op, 0);
    const int64_t *shape = ts_shape_of(arena, mlirValueGetType(value));
    for (int d = 0; d < rank; d++)
      ts_ports_follow(arena, out, operand ? &out->operands[p] : &out->results[0], d, d, shape[d]);
  }
  if (out->num_operands > 1)
    out->result_init[0] = 1;
  ts_terms_copy(out, 0, 0);
  return true;
}

bool ts_bits_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                   const char **remark) {
  if (!ts_copy_loops(arena, op, out, reason, remark))
    return false;
  out->terms[0] = (ts_terms){.num_terms = 0}; /* bits of a sum are no sum of bits */
  return true;
}

/* The small tensor is whole on every device, and cut where less is wanted. */
bool ts_scalars_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                      const char **remark) {
  (void)remark;
  return ts_ports_init(arena, op, 0, out, reason);
}
