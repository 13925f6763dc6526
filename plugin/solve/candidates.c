/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Loop shardings to choose from. It knows loops and factors; it must not know prices. */
#include "solve/candidates.h"

#include "solve/growth.h"

/* ---- the list -------------------------------------------------------------------------------- */

static bool same(const ts_loop_sharding *a, const ts_loop_sharding *b) {
  for (int l = 0; l < a->num_loops; l++)
    if (!ts_dim_equal(&a->loops[l], &b->loops[l]))
      return false;
  return true;
}

static void add(const ts_op *op, const ts_loop_sharding *sharding, ts_candidates *out) {
  if (out->num == TS_MAX_CANDIDATES || same(sharding, op->sharding))
    return;
  for (int i = 0; i < out->num; i++)
    if (same(sharding, out->list[i]))
      return;
  out->list[out->num++] = sharding;
}

static bool follows(const ts_port *port, int l) {
  for (int d = 0; d < port->rank; d++)
    for (int i = 0; i < port->dims[d].num_loops; i++)
      if (port->dims[d].loops[i] == l)
        return true;
  return false;
}

/* The op's body looks up less than a tenth of what it looks into along loop `l`, a label of logits:
 * to sum up what each device finds is surely less than to move that. Of more, the fixpoint chooses.
 */
static bool looks_up_little(const ts_op *op, int l) {
  const double least = 10;
  bool looks = false;
  if (op->loops->loops[l].kind != TS_LOOP_LOOKUP || op->rule->does == TS_MOVES_DATA)
    return false;
  for (int i = 0; i < op->num_operands; i++) {
    if (!op->operands[i] || !follows(&op->loops->operands[i], l))
      continue;
    looks = true;
    for (int r = 0; r < op->num_results; r++)
      if (!op->results[r] || op->results[r]->bytes * least > op->operands[i]->bytes)
        return false;
  }
  return looks;
}

/* What only moves data is split along a loop that it reads ranges of only where those have a price;
 * and whether data says what an op needs is decided before, but for little that is looked up. */
static bool may_split(const ts_model *model, const ts_op *op, int l) {
  return op->loops->loops[l].kind != TS_LOOP_WHOLE &&
         (!ts_loop_may_be_given_up(&op->loops->loops[l]) || looks_up_little(op, l)) &&
         (model->prices_ranges || op->rule->does != TS_MOVES_DATA ||
          !ts_leads_window(op->loops, l));
}

/* ---- one axis -------------------------------------------------------------------------------- */

/* Splits the loop over one more axis, innermost. False if that is uneven or not known to be even.
 */
static bool append_axis(ts_arena *arena, const ts_grid *grid, ts_dim *dim, int axis) {
  if (dim->num_factors != 1)
    return false;
  ts_factor factor = dim->factors[0];
  int64_t shards = ts_factor_shards(grid, &factor);
  if (shards == TS_DYNAMIC || grid->shape[axis] == TS_DYNAMIC || factor.size == TS_DYNAMIC ||
      factor.size % (shards * grid->shape[axis]) != 0)
    return false;
  factor.axes[factor.num_axes++] = (int8_t)axis;
  *dim = ts_dim_of_factors(arena, 1, &factor);
  return true;
}

static ts_loop_sharding *copy_without(ts_arena *arena, const ts_loop_sharding *sharding, int axis) {
  ts_loop_sharding *copy = ts_arena_copy(arena, sharding, sizeof(*sharding));
  copy->loops = TS_NEW(arena, ts_dim, sharding->num_loops);
  for (int l = 0; l < sharding->num_loops; l++)
    copy->loops[l] = ts_dim_without(arena, sharding->grid, &sharding->loops[l], (ts_axes)1 << axis);
  return copy;
}

void ts_candidates_by_axis(ts_model *model, const ts_grid *grid, const ts_op *op,
                           ts_candidates *out) {
  ts_arena *arena = &model->scratch;
  for (int axis = 0; axis < grid->rank; axis++) {
    if (grid->shape[axis] == 1 || op->apart >> axis & 1)
      continue;
    for (int l = -1; l < op->loops->num_loops; l++) {
      ts_loop_sharding *moved = copy_without(arena, op->sharding, axis);
      if (l < 0 || (may_split(model, op, l) && append_axis(arena, grid, &moved->loops[l], axis) &&
                    ts_window_allows(op->loops, l, grid, &moved->loops[l]) &&
                    ts_loop_allows(&op->loops->loops[l], grid, &moved->loops[l])))
        add(op, moved, out);
    }
  }
}

/* ---- ports ----------------------------------------------------------------------------------- */

/* As the op is at least. */
static ts_loop_sharding *unsplit(ts_arena *arena, const ts_grid *grid, const ts_op *op) {
  const ts_op_loops *loops = op->loops;
  ts_loop_sharding *sharding = TS_NEW(arena, ts_loop_sharding, 1);
  *sharding = (ts_loop_sharding){.grid = grid, .num_loops = loops->num_loops};
  sharding->loops = TS_NEW(arena, ts_dim, loops->num_loops);
  for (int l = 0; l < loops->num_loops; l++)
    sharding->loops[l] =
        op->dealt ? op->dealt[l] : ts_dim_plain(arena, loops->loops[l].size, 0, NULL);
  return sharding;
}

/* Lets `wish` split loop `l` further, where windows allow that. */
static void extend(ts_arena *arena, const ts_op *op, int l, const ts_dim *wish,
                   ts_loop_sharding *sharding, ts_axes *used) {
  ts_dim extended;
  ts_dim_extend(arena, sharding->grid, &sharding->loops[l], wish,
                *used & ~ts_dim_axes(&sharding->loops[l]), &extended);
  if (!ts_window_allows(op->loops, l, sharding->grid, &extended) ||
      !ts_loop_allows(&op->loops->loops[l], sharding->grid, &extended))
    return;
  sharding->loops[l] = extended;
  *used |= ts_dim_axes(&extended);
}

/* The leader of a window is split as the dimension is that it reads. */
static void add_window(ts_model *model, const ts_op *op, const ts_window *window,
                       const ts_dim *layout, ts_loop_sharding *sharding, ts_axes *used) {
  const ts_factor *split = ts_dim_as_one(sharding->grid, layout, model->moves_borders);
  if (!window || !window->leader || !split || !may_split(model, op, window->leader - 1))
    return;
  int l = window->leader - 1;
  ts_dim wish =
      ts_dim_plain(&model->scratch, op->loops->loops[l].size, split->num_axes, split->axes);
  extend(&model->scratch, op, l, &wish, sharding, used);
}

/* Lets dimension `d` of the layout split the loops that it follows. */
static void add_dim(ts_model *model, const ts_op *op, const ts_dim_loops *dim, const ts_dim *layout,
                    ts_loop_sharding *sharding, ts_axes *used) {
  ts_arena *arena = &model->scratch;
  if (ts_dim_is_split(layout) && !dim->num_loops)
    add_window(model, op, dim->window, layout, sharding, used);
  if (!dim->num_loops || !ts_dim_is_split(layout))
    return;
  ts_dim *wishes = TS_NEW(arena, ts_dim, dim->num_loops);
  ts_loops_wished(arena, op->loops, sharding->grid, dim, layout, model->moves_borders, wishes);
  for (int i = 0; i < dim->num_loops; i++) {
    int l = dim->loops[i];
    if (!may_split(model, op, l))
      continue;
    extend(arena, op, l, &wishes[i], sharding, used);
  }
}

void ts_candidates_from(ts_model *model, const ts_grid *grid, const ts_op *op, int port,
                        const ts_sharding *layout, ts_candidates *out) {
  ts_arena *arena = &model->scratch;
  layout = ts_sharding_balanced(arena, layout);
  const ts_port *loops = ts_op_port(op->loops, port);
  ts_loop_sharding *alone = unsplit(arena, grid, op);
  ts_axes used = op->apart;
  for (int d = 0; d < loops->rank; d++)
    add_dim(model, op, &loops->dims[d], &layout->dims[d], alone, &used);
  ts_loop_sharding *more = ts_arena_copy(arena, alone, sizeof(*alone));
  more->loops = ts_arena_copy(arena, alone->loops, sizeof(ts_dim) * (size_t)alone->num_loops);
  for (int l = 0; l < more->num_loops; l++)
    extend(arena, op, l, &op->sharding->loops[l], more, &used);
  add(op, more, out);
  add(op, alone, out);
}
