/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Elementwise ops of arith, math, complex and tosa on tensors: one loop a dimension. It knows
 * broadcasting; it must not know what an op computes (linear_terms.c does). */
#include "mlir-c/BuiltinTypes.h"

#include "rules/build_loops.h"
#include "rules/linear_terms.h"
#include "rules/rows.h"

/* Operands that are data rather than parameters of the op (tosa.mul's shift, zero points). */
static int num_data_operands(MlirOperation op) {
  const ts_rule *rule = ts_rule_named(op);
  return rule && rule->num_data ? rule->num_data : (int)mlirOperationGetNumOperands(op);
}

typedef enum extent_role {
  ROLE_FOLLOWS,   /* has the loop's extent */
  ROLE_BROADCAST, /* extent 1, read by every iteration */
  ROLE_UNKNOWN    /* either, known at run time only */
} extent_role;

static extent_role role_of(ts_ones ones, int num_data, int64_t extent, int64_t result) {
  if (extent == result && extent != TS_DYNAMIC)
    return ROLE_FOLLOWS;
  if (ones == TS_ONES_ARE_EXTENTS || num_data == 1)
    return ROLE_FOLLOWS;
  if (extent == TS_DYNAMIC)
    return ROLE_UNKNOWN;
  return extent == 1 ? ROLE_BROADCAST : ROLE_FOLLOWS;
}

static void read_operand(ts_arena *arena, MlirOperation op, ts_op_loops *out, int i,
                         const int64_t *result, const char **remark) {
  ts_port *port = &out->operands[i];
  if (!port->is_tensor || port->rank != out->num_loops)
    return;
  int num_data = num_data_operands(op);
  ts_ones ones = ts_rule_find(op)->ones;
  const int64_t *shape = ts_shape_of(arena, mlirValueGetType(mlirOperationGetOperand(op, i)));
  for (int d = 0; d < port->rank; d++) {
    extent_role role = role_of(ones, num_data, shape[d], result[d]);
    if (role == ROLE_FOLLOWS)
      ts_ports_follow(arena, out, port, d, d, shape[d]);
    if (role != ROLE_UNKNOWN)
      continue;
    out->loops[d].kind = TS_LOOP_WHOLE;
    *remark = ts_arena_format(arena,
                              "dimension %d of '%s' stays whole on every device: whether "
                              "operand %d broadcasts along it is known at run time only",
                              d, ts_op_name(op), i);
  }
}

static void read_terms(ts_arena *arena, MlirOperation op, ts_op_loops *out) {
  ts_poly *inputs = TS_NEW(arena, ts_poly, out->num_operands);
  for (int i = 0; i < out->num_operands; i++)
    inputs[i] = out->operands[i].is_tensor ? ts_poly_input(i)
                                           : ts_poly_of_constant(mlirOperationGetOperand(op, i));
  ts_poly poly = ts_poly_of_op(op, inputs);
  for (int r = 0; r < out->num_results; r++)
    out->terms[r] = ts_poly_terms(&poly);
}

bool ts_elementwise_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                          const char **remark) {
  if (mlirOperationGetNumResults(op) == 0)
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  int rank = mlirTypeIsARankedTensor(type) ? (int)mlirShapedTypeGetRank(type) : 0;
  if (!ts_ports_init(arena, op, rank, out, reason) || !out->results[0].is_tensor)
    return false;
  const int64_t *shape = ts_shape_of(arena, type);
  for (int d = 0; d < rank; d++)
    ts_ports_add_loop(out, TS_LOOP_PARALLEL, shape[d]);
  for (int i = 0; i < num_data_operands(op); i++)
    read_operand(arena, op, out, i, shape, remark);
  for (int r = 0; r < out->num_results; r++)
    for (int d = 0; d < rank && out->results[r].rank == rank; d++)
      ts_ports_follow(arena, out, &out->results[r], d, d, shape[d]);
  const ts_rule *rule = ts_rule_named(op);
  out->picks = rule && rule->linear.form == TS_FORM_CHOOSE && !out->operands[0].is_tensor;
  read_terms(arena, op, out);
  return true;
}
