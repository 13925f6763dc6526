/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that run on shards of explicit offsets as they are: elementwise ones whose operands all have
 * the same. It knows loops and layouts; it must not know what ops compute. */
#include "solve/explicit_offsets.h"

#include "rules/linalg.h"
#include "sharding/known.h"

/* Dimension d follows loop d, and nothing else does. */
static bool is_identity(const ts_port *port, int num_loops) {
  bool same = port->rank == num_loops;
  for (int d = 0; same && d < port->rank; d++)
    same = port->dims[d].num_loops == 1 && port->dims[d].loops[0] == d;
  return same;
}

static bool is_elementwise(const ts_op *op) {
  for (int l = 0; l < op->loops->num_loops; l++)
    if (op->loops->loops[l].kind != TS_LOOP_PARALLEL)
      return false;
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i] && !is_identity(&op->loops->operands[i], op->loops->num_loops))
      return false;
  for (int r = 0; r < op->num_results; r++)
    if (!op->results[r] || !is_identity(&op->loops->results[r], op->loops->num_loops))
      return false;
  /* An index would have to be shifted by an offset that it is not shifted by. */
  return op->num_results > 0 && !ts_linalg_uses_index(op->handle);
}

/* Explicit offsets, and nothing else that an op could not run on. */
static bool has_offsets_alone(const ts_sharding *layout) {
  bool any = false;
  for (int d = 0; d < layout->rank; d++) {
    if (ts_dim_has_halo(&layout->dims[d]) || layout->dims[d].num_factors != 1)
      return false;
    any = any || layout->dims[d].offsets;
  }
  return any && !layout->num_partial;
}

/* `layout`, of one factor a dimension, as a tensor of `shape` writes it: types differ in what they
 * know of an extent. NULL if its offsets cannot be those of such a tensor. */
static const ts_sharding *of_shape(ts_arena *arena, const ts_sharding *layout,
                                   const int64_t *shape) {
  for (int d = 0; d < layout->rank; d++) {
    if (ts_dim_size(&layout->dims[d]) == shape[d])
      continue;
    ts_dim dim = layout->dims[d];
    ts_factor *factor = ts_arena_copy(arena, dim.factors, sizeof(*factor));
    factor->size = shape[d];
    dim.factors = factor;
    layout = ts_sharding_with_dim(arena, layout, d, dim);
  }
  return ts_sharding_mistake(arena, layout, layout->rank, shape) ? NULL : layout;
}

/* The layout that all operands with data of their own have, for the loops' extents, or NULL. */
static const ts_sharding *common_layout(ts_arena *arena, const ts_op *op, const int64_t *extents) {
  const ts_sharding *common = NULL;
  for (int i = 0; i < op->num_operands; i++) {
    const ts_value *value = op->operands[i];
    if (!value || ts_free_source(op->operands[i]))
      continue;
    if (!has_offsets_alone(value->layout))
      return NULL;
    const ts_sharding *layout = of_shape(arena, value->layout, extents);
    if (!layout || (common && !ts_sharding_equal(common, layout)))
      return NULL;
    common = layout;
  }
  return common;
}

static const int64_t *extents_of_loops(ts_arena *arena, const ts_op_loops *loops) {
  int64_t *extents = TS_NEW(arena, int64_t, loops->num_loops);
  for (int l = 0; l < loops->num_loops; l++)
    extents[l] = loops->loops[l].size;
  return extents;
}

/* `layout` for each operand and result, as its type writes it. False if one of them cannot have it.
 */
static bool lay_out(ts_arena *arena, const ts_op *op, const ts_sharding *layout,
                    const ts_sharding **required, const ts_sharding **natural) {
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i]) {
      required[i] = of_shape(arena, layout, op->operands[i]->shape);
      if (!required[i])
        return false;
    }
  for (int r = 0; r < op->num_results; r++) {
    natural[r] = of_shape(arena, layout, op->results[r]->shape);
    if (!natural[r])
      return false;
  }
  return true;
}

void ts_run_on_offsets(ts_model *model, ts_op *op) {
  ts_arena *arena = model->arena;
  if (!is_elementwise(op))
    return;
  const ts_sharding *layout =
      common_layout(arena, op, extents_of_loops(&model->scratch, op->loops));
  if (!layout || !ts_layout_known_before(layout, op->handle))
    return;
  const ts_sharding **required = TS_NEW(arena, const ts_sharding *, op->num_operands);
  const ts_sharding **natural = TS_NEW(arena, const ts_sharding *, op->num_results);
  if (!lay_out(arena, op, layout, required, natural))
    return;
  ts_loop_sharding *sharding = ts_arena_copy(arena, op->sharding, sizeof(*sharding));
  sharding->loops =
      ts_arena_copy(arena, layout->dims, sizeof(ts_dim) * (size_t)sharding->num_loops);
  op->sharding = sharding;
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      op->required[i] = required[i];
  for (int r = 0; r < op->num_results; r++) {
    ts_value *result = op->results[r];
    op->natural[r] = natural[r];
    /* A result that nobody asked to be elsewhere stays where it is made. */
    if (!result->is_fixed &&
        ts_sharding_equal(result->layout, ts_sharding_balanced(arena, natural[r])))
      result->layout = natural[r];
  }
}
