/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What one op needs whole that is split, and what that costs. It knows loops and layouts; it must
 * not know what follows from it. */
#include "solve/needs.h"

#include "reshard/reshard.h"
#include "solve/price.h"
#include "solve/views.h"
#include "support/blocks.h"
#include "support/captured.h"

/* ---- layouts --------------------------------------------------------------------------------- */

ts_axes ts_busy_axes(const ts_sharding *layout) {
  ts_axes axes = ts_sharding_split_axes(layout), busy = 0;
  for (int a = 0; axes >> a; a++)
    if (axes >> a & 1 && layout->grid->shape[a] != 1)
      busy |= (ts_axes)1 << a;
  return busy;
}

ts_axes ts_loop_axes(const ts_op *op) {
  ts_axes axes = 0;
  for (int l = 0; op->sharding && l < op->sharding->num_loops; l++)
    axes |= ts_dim_axes(&op->sharding->loops[l]);
  return axes;
}

/* The layout in which the value is made: where it has no other use it may be gathered at once. */
static const ts_sharding *made_in(const ts_value *value) {
  const ts_op *op = value->definition;
  const ts_sharding *natural = op && op->kind == TS_OP_RULE ? ts_natural_layout(value) : NULL;
  return natural ? natural : value->layout;
}

/* ---- loops ----------------------------------------------------------------------------------- */

static int num_tensors(const ts_op *op) {
  int num = 0;
  for (int i = 0; i < op->num_operands; i++)
    num += op->operands[i] != NULL;
  return num;
}

/* Where a tensor says places, there may be any number of them. */
bool ts_reads_one_place(const ts_op *op) {
  bool looks_up = false;
  for (int l = 0; op->kind == TS_OP_RULE && l < op->loops->num_loops; l++)
    looks_up |= op->loops->loops[l].kind == TS_LOOP_LOOKUP;
  return looks_up && num_tensors(op) == 1;
}

bool ts_has_work(const ts_op *op) {
  return op->kind == TS_OP_WHOLE || (op->kind == TS_OP_RULE && op->num_results && op->results[0] &&
                                     !ts_reads_one_place(op) && !ts_only_moves(op->handle));
}

static bool is_looked_up(const ts_op *op, int i, int d) {
  const ts_dim_loops *dim = &op->loops->operands[i].dims[d];
  return dim->num_loops == 1 && op->loops->loops[dim->loops[0]].kind == TS_LOOP_LOOKUP;
}

/* The op may not split what dimension `d` of operand `i` follows. What it takes at one place that
 * is known is where that is; other dimensions of it may be split. */
static bool keeps_whole(const ts_op *op, int i, int d) {
  if (op->kind == TS_OP_WHOLE)
    return true;
  const ts_dim_loops *dim = &op->loops->operands[i].dims[d];
  const ts_loop *loops = op->loops->loops;
  if (dim->window && dim->window->leader) {
    const ts_loop *leader = &loops[dim->window->leader - 1];
    return leader->kind == TS_LOOP_WHOLE && leader->size != 1;
  }
  bool whole = dim->num_loops == 0;
  for (int l = 0; l < dim->num_loops; l++)
    whole |= loops[dim->loops[l]].kind == TS_LOOP_WHOLE;
  return whole;
}

static bool allows(const ts_op *op, int l, const ts_grid *grid, const ts_dim *wish) {
  return !ts_dim_is_split(wish) || (ts_loop_allows(&op->loops->loops[l], grid, wish) &&
                                    ts_window_allows(op->loops, l, grid, wish));
}

/* The loops that dimension `d` of operand `i`, of layout `layout`, follows, or is read along,
 * cannot be split as it is. A slice of too few indices for all devices lies where it is. */
static bool is_unfit(ts_needs *needs, const ts_op *op, int i, int d, const ts_sharding *layout) {
  ts_arena *arena = &needs->model->scratch;
  const ts_dim_loops *loops = &op->loops->operands[i].dims[d];
  const ts_dim *dim = &layout->dims[d];
  if (loops->window && loops->window->leader)
    return !ts_dim_as_one(layout->grid, dim, needs->model->moves_borders) ||
           ts_grid_devices(layout->grid) == TS_DYNAMIC;
  ts_dim *wishes = TS_NEW(arena, ts_dim, loops->num_loops);
  bool fits = !(ts_loops_wished(arena, op->loops, layout->grid, loops, dim,
                                needs->model->moves_borders, wishes) &
                ts_busy_axes(layout));
  for (int l = 0; fits && l < loops->num_loops; l++)
    fits = allows(op, loops->loops[l], layout->grid, &wishes[l]);
  return !fits;
}

/* ---- costs ----------------------------------------------------------------------------------- */

static int number_of(MlirBlock block, const MlirBlock *blocks, int num) {
  int i = 0;
  while (i < num && !mlirBlockEqual(blocks[i], block))
    i++;
  return i;
}

/* Whether branches lead from `block`, or blocks behind it, back to it or blocks before it. */
static bool may_come_again(ts_arena *arena, MlirBlock block) {
  int num;
  MlirBlock *blocks = ts_blocks_in_order(arena, mlirBlockGetParentRegion(block), &num);
  int own = number_of(block, blocks, num);
  for (int i = own; i < num; i++) {
    MlirOperation end = mlirBlockGetTerminator(blocks[i]);
    for (intptr_t s = 0; s < mlirOperationGetNumSuccessors(end); s++)
      if (number_of(mlirOperationGetSuccessor(end, s), blocks, num) <= own)
        return true;
  }
  return false;
}

/* How often `block` runs each time its function does, and whether that is known. A branch that is
 * taken counts. */
static double times_of(ts_arena *arena, MlirBlock block, bool *known) {
  double times = 1;
  MlirOperation around = mlirBlockGetParentOperation(block);
  while (around.ptr && !ts_op_is(around, "func.func")) {
    double trips = ts_loop_trips(around);
    *known &= trips >= 0;
    times *= trips >= 0 ? trips : 1;
    block = mlirOperationGetBlock(around);
    around = mlirBlockGetParentOperation(block);
  }
  *known &= !may_come_again(arena, block);
  return times;
}

/* Adds `bytes` of `value`, received each time `block` runs. */
static void pay(ts_needs *needs, ts_idle *found, const ts_value *value, double bytes,
                MlirBlock block) {
  bool known = true;
  double times = times_of(&needs->model->scratch, block, &known);
  for (int d = 0; d < value->rank; d++)
    found->guesses |= value->shape[d] == TS_DYNAMIC;
  found->bytes += known ? times * bytes : bytes;
  found->repeats |= !known;
}

void ts_pay_for_parts(ts_needs *needs, ts_idle *found, const ts_op *op) {
  for (int r = 0; op->kind == TS_OP_RULE && r < op->num_results; r++) {
    const ts_value *result = op->results[r];
    if (!result)
      continue;
    ts_axes parts = ts_sharding_partial_axes(op->natural[r]) & found->axes;
    if (parts & ~ts_sharding_partial_axes(result->layout))
      pay(needs, found, result,
          ts_bytes_moved(&needs->model->scratch, result, op->natural[r], result->layout),
          mlirOperationGetBlock(op->handle));
  }
}

/* Counts the axes `lost` of `value`, which the op has as `given` and asks for as `required`. What
 * an op before has asked for so is there. */
static void lose(ts_needs *needs, ts_idle *found, const ts_value *value, MlirValue given,
                 ts_axes lost, const ts_sharding *required) {
  const ts_sharding *made = made_in(value);
  const ts_sharding *before = ts_map_get(&needs->given, value);
  required = ts_intern_layout(&needs->model->interned, required);
  ts_map_set(&needs->given, needs->model->arena, value, (void *)required);
  if (!found->value)
    found->value = value;
  found->axes |= lost;
  found->grid = made->grid;
  if (!before || !ts_sharding_equal(before, required))
    pay(needs, found, value, ts_bytes_moved(&needs->model->scratch, value, made, required),
        ts_block_of(given));
}

/* ---- operands -------------------------------------------------------------------------------- */

static bool comes_again(const ts_op *op, int i) {
  for (int before = 0; before < i; before++)
    if (op->operands[before] == op->operands[i])
      return true;
  return false;
}

/* Sets `found->kind` and `dim` to how dimension `d` of operand `i` is lost; false if it is not. */
static bool is_lost(ts_needs *needs, const ts_op *op, int i, int d, const ts_sharding *layout,
                    ts_idle *found) {
  ts_idle_kind kind = TS_IDLE_WHOLE;
  if (keeps_whole(op, i, d))
    kind = TS_IDLE_WHOLE;
  else if (ts_reads_one_place(op) && is_looked_up(op, i, d))
    kind = TS_IDLE_GATHERED;
  else if (is_unfit(needs, op, i, d, layout))
    kind = TS_IDLE_UNFIT;
  else
    return false;
  if (found->dim < 0) {
    found->kind = kind;
    found->operand = i;
    found->dim = d;
  }
  return true;
}

/* The axes that operand `i` is split over where the op may not be, or is not, and nowhere in the
 * op. */
static ts_axes lost_axes(ts_needs *needs, const ts_op *op, int i, ts_idle *found) {
  const ts_sharding *layout = made_in(op->operands[i]);
  ts_axes lost = 0, used = ts_loop_axes(op);
  for (int d = 0; d < layout->rank; d++) {
    ts_axes axes = ts_dim_axes(&layout->dims[d]) & ts_busy_axes(layout) & ~used;
    if (axes && is_lost(needs, op, i, d, layout, found))
      lost |= axes;
  }
  return lost;
}

/* What operand `i` of an op is brought as: of a window what is read of it. */
static const ts_sharding *asked_of(ts_needs *needs, const ts_op *op, int i) {
  if (op->kind != TS_OP_RULE)
    return op->required[i];
  for (int d = 0; d < op->operands[i]->rank; d++)
    if (ts_window_is_late(op->loops, &op->loops->operands[i], d, op->operands[i]->shape) &&
        !ts_is_read_late(op, i, d))
      return op->required[i];
  return ts_asked_by(&needs->model->scratch, op, op->sharding, i);
}

static void measure_operands(ts_needs *needs, const ts_op *op, ts_idle *found) {
  for (int i = 0; i < op->num_operands; i++) {
    const ts_value *value = op->operands[i];
    if (!value || value->is_free || !op->required[i] || comes_again(op, i) ||
        value->layout->grid != op->required[i]->grid)
      continue;
    ts_idle own = *found;
    ts_axes lost = lost_axes(needs, op, i, &own);
    const ts_sharding *asked = lost ? asked_of(needs, op, i) : NULL;
    lost &= asked ? ~ts_busy_axes(asked) : 0;
    if (!lost)
      continue;
    *found = own;
    lose(needs, found, value, ts_op_operand(op, i), lost, asked);
  }
}

static bool is_operand(const ts_op *op, const ts_value *value) {
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i] == value)
      return true;
  return false;
}

/* Whether something in the op needs more than the shape of the captured tensor. */
static bool needs_data(const ts_captured *captured, int k) {
  for (int u = 0; u < captured->num_uses; u++)
    if (captured->uses[u].value == k && !ts_asks_shape(captured->uses[u].user))
      return true;
  return false;
}

/* What the regions of an op that runs whole read of the tensors around it, all of each. */
static void measure_captured(ts_needs *needs, const ts_op *op, ts_idle *found) {
  ts_arena *arena = &needs->model->scratch;
  if (op->kind != TS_OP_WHOLE || !mlirOperationGetNumRegions(op->handle))
    return;
  ts_captured captured = ts_captured_tensors(arena, op->handle);
  for (int k = 0; k < captured.num; k++) {
    const ts_value *value = ts_model_value(needs->model, captured.values[k]);
    if (!value || value->is_free || is_operand(op, value) || !needs_data(&captured, k) ||
        !ts_busy_axes(made_in(value)))
      continue;
    const ts_sharding *whole =
        ts_sharding_replicated(arena, made_in(value)->grid, value->rank, value->shape);
    lose(needs, found, value, captured.values[k], ts_busy_axes(made_in(value)), whole);
  }
}

/* ---- ops ------------------------------------------------------------------------------------- */

ts_idle ts_needed_whole(ts_needs *needs, const ts_op *op, bool noted) {
  ts_idle found = {.op = op, .dim = -1};
  measure_operands(needs, op, &found);
  measure_captured(needs, op, &found);
  found.is_in_op = found.axes && (ts_has_work(op) || (noted && found.kind == TS_IDLE_WHOLE));
  return found;
}

ts_idle ts_sent_to_all(ts_needs *needs, const ts_op *op) {
  ts_arena *arena = &needs->model->scratch;
  ts_idle found = {.op = op, .kind = TS_IDLE_SENT, .dim = -1};
  if (!ts_reads_one_place(op))
    return found;
  while (!op->operands[found.operand])
    found.operand++;
  const ts_sharding *held = op->required[found.operand];
  for (int d = held->rank; d-- > 0;)
    if (is_looked_up(op, found.operand, d) && ts_dim_axes(&held->dims[d]) & ts_busy_axes(held)) {
      found.axes |= ts_dim_axes(&held->dims[d]) & ts_busy_axes(held);
      found.dim = d;
    }
  found.value = op->operands[found.operand];
  found.grid = held->grid;
  if (!found.axes)
    return found;
  if (op->results[0]) {
    found.axes &= ~ts_busy_axes(op->results[0]->layout);
    ts_pay_for_parts(needs, &found, op);
    return found;
  }
  const ts_sharding *one = ts_sharding_replicated(arena, held->grid, 0, NULL);
  double elements = ts_reshard_cost(arena, ts_add_partial(arena, one, found.axes, TS_SUM), one);
  pay(needs, &found, found.value, elements * ts_bytes_of_element(found.value),
      mlirOperationGetBlock(op->handle));
  found.guesses = false; /* of one element */
  return found;
}

/* Between functions on different grids all tensors pass whole, results too. */
static void measure_results(ts_needs *needs, const ts_op *op, ts_idle *found) {
  for (int r = 0; r < op->num_results; r++) {
    const ts_value *given = op->callee->results[r];
    if (!given || given->layout->grid == op->natural[r]->grid || !ts_busy_axes(given->layout))
      continue;
    const ts_sharding *whole = ts_sharding_replicated(&needs->model->scratch, given->layout->grid,
                                                      given->rank, given->shape);
    pay(needs, found, given, ts_bytes_moved(&needs->model->scratch, given, given->layout, whole),
        mlirOperationGetBlock(op->handle));
  }
}

/* An annotation says how it lies, or how an argument does that it is to take the place of. */
static bool is_asked_for(const ts_value *target, const ts_sharding *layout) {
  bool is_asked = target->annotation.ptr;
  for (int c = 0; c < target->num_choices && !is_asked; c++)
    is_asked = ts_sharding_equal(target->choices[c], layout);
  return is_asked;
}

ts_idle ts_passed_whole(ts_needs *needs, const ts_op *op) {
  ts_idle found = {.op = op, .kind = TS_IDLE_PASSED, .dim = -1};
  bool returns = ts_op_is(op->handle, "func.return");
  if (returns)
    found.kind = TS_IDLE_RETURNED;
  for (int i = 0; (returns || op->callee) && i < op->num_operands; i++) {
    const ts_value *value = op->operands[i], *target = op->targets[i];
    if (!value || !target || value->is_free || !op->required[i])
      continue;
    const ts_sharding *made = made_in(value);
    bool on_one_grid = target->layout->grid == made->grid;
    ts_axes lost = ts_busy_axes(made) & ~ts_busy_axes(op->required[i]);
    bool is_asked = on_one_grid && is_asked_for(target, op->required[i]);
    bool is_only_use = value->num_users < 2 || ts_busy_axes(value->layout) & lost;
    if (!lost || is_asked || (returns && (found.axes || !is_only_use)))
      continue;
    found.operand = found.axes ? found.operand : i;
    lose(needs, &found, value, ts_op_operand(op, i), lost, op->required[i]);
  }
  if (op->callee && found.axes)
    measure_results(needs, op, &found);
  return found;
}
