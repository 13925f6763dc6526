/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that run on shards of explicit offsets as they are: elementwise ones whose operands all have
 * the same. Knows loops and layouts, not what ops compute. */
#include "rules/linalg.h"
#include "solve/model.h"

/* Dimension d follows loop d, and nothing else does. */
static bool is_identity(const ts_port *port, int num_loops) {
  bool same = port->rank == num_loops;
  for (int d = 0; same && d < port->rank; ++d)
    same = port->dims[d].num_loops == 1 && port->dims[d].loops[0] == d;
  return same;
}

static bool is_elementwise(const ts_op *op) {
  for (int l = 0; l < op->loops->num_loops; ++l)
    if (op->loops->loops[l].kind != TS_LOOP_PARALLEL)
      return false;
  for (int i = 0; i < op->num_operands; ++i)
    if (op->operands[i] && !is_identity(&op->loops->operands[i], op->loops->num_loops))
      return false;
  for (int r = 0; r < op->num_results; ++r)
    if (!op->results[r] || !is_identity(&op->loops->results[r], op->loops->num_loops))
      return false;
  /* An index would have to be shifted by an offset that it is not shifted by. */
  return op->num_results > 0 && !ts_linalg_uses_index(op->handle);
}

/* Explicit offsets, and nothing else that an op could not run on. */
static bool has_offsets_alone(const ts_sharding *layout) {
  bool any = false;
  for (int d = 0; d < layout->rank; ++d) {
    if (layout->dims[d].halo[0] || layout->dims[d].halo[1] || layout->dims[d].num_factors != 1)
      return false;
    any = any || layout->dims[d].offsets;
  }
  return any && !layout->num_partial;
}

/* The layout that all operands with data of their own have, or NULL. */
static const ts_sharding *common_layout(const ts_op *op) {
  const ts_sharding *common = NULL;
  for (int i = 0; i < op->num_operands; ++i) {
    const ts_value *value = op->operands[i];
    if (!value || ts_free_source(op->operands[i]))
      continue;
    if (common && !ts_sharding_equal(common, value->layout))
      return NULL;
    common = value->layout;
  }
  return common;
}

static const ts_sharding *balanced(ts_arena *arena, const ts_sharding *layout) {
  for (int d = 0; d < layout->rank; ++d)
    layout = ts_sharding_with_dim(
        arena, layout, d,
        ts_dim_of_factors(arena, layout->dims[d].num_factors, layout->dims[d].factors));
  return layout;
}

void ts_run_on_offsets(ts_model *model, ts_op *op) {
  const ts_sharding *layout = common_layout(op);
  if (!layout || !has_offsets_alone(layout) || !is_elementwise(op) ||
      !ts_layout_known_before(model, layout, op->handle))
    return;
  const ts_sharding *even = balanced(model->arena, layout);
  op->sharding.loops =
      ts_arena_copy(model->arena, layout->dims, sizeof(ts_dim) * (size_t)op->loops->num_loops);
  for (int i = 0; i < op->num_operands; ++i)
    if (op->operands[i])
      op->required[i] = layout;
  for (int r = 0; r < op->num_results; ++r) {
    ts_value *result = op->results[r];
    op->natural[r] = layout;
    /* A result that nobody asked to be elsewhere stays where it is made. */
    if (!result->is_fixed && ts_sharding_equal(result->layout, even))
      result->layout = layout;
  }
}
