/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tensor.concat: a loop for each dimension; along the joined one each operand is read through a
 * window. It knows extents; it must not know layouts. */
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "rules/build_loops.h"
#include "rules/late_windows.h"
#include "rules/rows.h"
#include "rules/tensor_numbers.h"

/* The same where only the launch knows where the parts begin: the loop is of no known extent then,
 * even if the result's is known. */
static void join_late(ts_arena *arena, ts_op_loops *out, int d) {
  int loop = ts_ports_add_loop(out, TS_LOOP_PARALLEL, TS_DYNAMIC);
  ts_ports_follow(arena, out, &out->results[0], d, loop, TS_DYNAMIC);
  for (int i = 0; i < out->num_operands; i++) {
    ts_ports_read_along(arena, &out->operands[i], d, loop, 1, 0, 1);
    ts_late_add_up(arena, &out->operands[i], d, 0);
  }
}

/* A loop along dimension `d` of the result; each operand is a part of it. */
static void join(ts_arena *arena, MlirOperation op, ts_op_loops *out, int d, int64_t extent) {
  int loop = ts_ports_add_loop(out, TS_LOOP_PARALLEL, extent);
  int64_t start = 0;
  ts_ports_follow(arena, out, &out->results[0], d, loop, extent);
  for (int i = 0; i < out->num_operands; i++) {
    ts_ports_read_along(arena, &out->operands[i], d, loop, 1, -start, 1);
    start += mlirShapedTypeGetDimSize(mlirValueGetType(mlirOperationGetOperand(op, i)), d);
  }
}

/* The extents of the parts are not all known. */
static bool is_open(MlirOperation op, int d) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (mlirShapedTypeIsDynamicDim(mlirValueGetType(mlirOperationGetOperand(op, i)), d))
      return true;
  return mlirShapedTypeIsDynamicDim(mlirValueGetType(mlirOperationGetResult(op, 0)), d);
}

bool ts_concat_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                     const char **remark) {
  (void)remark;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  int rank = (int)mlirShapedTypeGetRank(type);
  if (!ts_ports_init(arena, op, rank, out, reason))
    return false;
  const int64_t *shape = ts_shape_of(arena, type);
  int joined = (int)mlirIntegerAttrGetValueInt(ts_attribute(op, "dim"));
  for (int d = 0; d < rank; d++) {
    if (d == joined && out->num_operands > 1) {
      if (is_open(op, d))
        join_late(arena, out, d);
      else
        join(arena, op, out, d, shape[d]);
      continue;
    }
    int loop = ts_ports_add_loop(out, TS_LOOP_PARALLEL, shape[d]);
    ts_ports_follow(arena, out, &out->results[0], d, loop, shape[d]);
    for (int i = 0; i < out->num_operands; i++) {
      const int64_t *part = ts_shape_of(arena, mlirValueGetType(mlirOperationGetOperand(op, i)));
      ts_ports_follow(arena, out, &out->operands[i], d, loop, part[d]);
    }
  }
  ts_terms_of_parts(out, out->num_operands);
  ts_late_need_complete(arena, op, out);
  return true;
}

/* Parts whose sizes differ between devices are a piece that no type says to be as large as it is.
 */
bool ts_concat_localize(const ts_localize *context, MlirValue *results) {
  ts_emit *emit = context->emit;
  int joined = (int)mlirIntegerAttrGetValueInt(ts_attribute(context->op, "dim"));
  bool differ = false;
  for (int i = 0; i < context->loops->num_operands; i++)
    differ |= mlirShapedTypeIsDynamicDim(mlirValueGetType(context->operands[i]), joined);
  MlirType type = context->result_types[0];
  if (!differ || mlirShapedTypeIsDynamicDim(type, joined))
    return ts_run_on_pieces(context, results);
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *shape = TS_NEW(emit->arena, int64_t, rank);
  for (intptr_t d = 0; d < rank; d++)
    shape[d] = d == joined || mlirShapedTypeIsDynamicDim(type, d)
                   ? mlirShapedTypeGetDynamicSize()
                   : mlirShapedTypeGetDimSize(type, d);
  MlirType open = mlirRankedTensorTypeGet(rank, shape, mlirShapedTypeGetElementType(type),
                                          mlirRankedTensorTypeGetEncoding(type));
  MlirNamedAttribute dim = ts_named(emit->context, "dim", ts_attribute(context->op, "dim"));
  MlirOperation local = ts_emit_op(emit, "tensor.concat", context->loops->num_operands,
                                   context->operands, 1, &open, 1, &dim);
  results[0] = ts_emit_cast(emit, mlirOperationGetResult(local, 0), type);
  return true;
}
