/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What rules say and ask of windows of unknown extents. */
#include "rules/late_windows.h"

#include "rules/build_loops.h"

void ts_late_add_up(ts_arena *arena, ts_port *port, int d, int64_t added) {
  ts_window *window = ts_arena_copy(arena, port->dims[d].window, sizeof(*window));
  window->adds_up = true;
  window->added = added;
  ts_ports_window(arena, port, d, window);
}

static bool has_late_window(ts_arena *arena, MlirValue operand, const ts_op_loops *loops,
                            const ts_port *port) {
  const int64_t *shape = port->is_tensor ? ts_shape_of(arena, mlirValueGetType(operand)) : NULL;
  for (int d = 0; d < port->rank; d++)
    if (ts_window_is_late(loops, port, d, shape))
      return true;
  return false;
}

void ts_late_need_complete(ts_arena *arena, MlirOperation op, ts_op_loops *out) {
  intptr_t num = mlirOperationGetNumOperands(op);
  for (int i = 0; i < num; i++) {
    if (!has_late_window(arena, mlirOperationGetOperand(op, i), out, &out->operands[i]))
      continue;
    for (int r = 0; r < out->num_results; r++) {
      out->terms[r].must_be_complete |= i < TS_MAX_TERM_OPERANDS ? UINT32_C(1) << i : 0;
      if (i >= TS_MAX_TERM_OPERANDS)
        out->terms[r].num_terms = 0;
    }
  }
}

bool ts_is_cut_to_reads(const ts_localize *context, int i, int d) {
  return context->reads[i][d].of || !mlirValueIsNull(context->late[i][d].first);
}

ts_local_range ts_late_piece(ts_emit *emit, const ts_loop_sharding *loops,
                             const ts_extents *extents, int loop) {
  const ts_dim *split = &loops->loops[loop];
  MlirValue extent = extents->get(extents->user, loop);
  if (mlirValueIsNull(extent))
    return (ts_local_range){extent, extent};
  if (!ts_dim_is_split(split))
    return (ts_local_range){ts_emit_index(emit, 0), extent};
  MlirValue first = ts_emit_factor_offset(emit, loops->grid, &split->factors[0], extent);
  MlirValue size = ts_emit_factor_size(emit, loops->grid, &split->factors[0], extent);
  return (ts_local_range){first, ts_emit_add(emit, first, size)};
}
