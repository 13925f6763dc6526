/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that need whole what is split, and what follows from them, in one walk in program order. It
 * knows what the solver found; it must not know how, nor what ops compute. */
#include "solve/idle.h"

#include "capi/capi.h"
#include "reshard/reshard.h"
#include "solve/price.h"
#include "solve/views.h"
#include "support/blocks.h"
#include "support/captured.h"

/* What costs no more a step than this, which is what a message costs, is not told of an op without
 * a note. Of loops whose trips only the launch knows, so many count for it. */
static const double least_bytes = 256, trips_not_known = 1024;

typedef struct walk {
  ts_model *model;
  ts_is_noted is_noted;
  const void *user;
  ts_map roots; /* ts_value -> ts_idle: why axes of it idle */
  ts_map lost;  /* ts_value -> the first ts_idle that it is whole for */
  ts_idle *first, *last;
} walk;

/* ---- layouts --------------------------------------------------------------------------------- */

/* Axes of more than one device. */
static ts_axes busy_axes(const ts_sharding *layout) {
  ts_axes axes = ts_sharding_split_axes(layout), busy = 0;
  for (int a = 0; axes >> a; a++)
    if (axes >> a & 1 && layout->grid->shape[a] != 1)
      busy |= (ts_axes)1 << a;
  return busy;
}

static ts_axes loop_axes(const ts_op *op) {
  ts_axes axes = 0;
  for (int l = 0; op->sharding && l < op->sharding->num_loops; l++)
    axes |= ts_dim_axes(&op->sharding->loops[l]);
  return axes;
}

/* The layout in which the value is made: where it has no other use it may be gathered at once. */
static const ts_sharding *made_in(const ts_value *value) {
  const ts_op *op = value->definition;
  if (op && op->kind == TS_OP_RULE)
    for (int r = 0; r < op->num_results; r++)
      if (op->results[r] == value && op->natural[r])
        return op->natural[r];
  return value->layout;
}

/* ---- dimensions ------------------------------------------------------------------------------ */

/* The op reads one place of one tensor, which only the run says: no tensor says places, of which
 * there could be any number. */
static bool reads_one_place(const ts_op *op) {
  int tensors = 0;
  bool looks_up = false;
  for (int i = 0; op->kind == TS_OP_RULE && i < op->num_operands; i++)
    tensors += op->operands[i] != NULL;
  for (int l = 0; tensors == 1 && l < op->loops->num_loops; l++)
    looks_up |= op->loops->loops[l].kind == TS_LOOP_LOOKUP;
  return looks_up;
}

/* The op does work that devices could share. */
static bool computes_tensors(const ts_op *op) {
  return op->kind == TS_OP_WHOLE || (op->kind == TS_OP_RULE && op->num_results && op->results[0] &&
                                     !reads_one_place(op) && !ts_only_moves(op->handle));
}

static bool is_looked_up(const ts_op *op, int i, int d) {
  const ts_dim_loops *dim = &op->loops->operands[i].dims[d];
  return dim->num_loops == 1 && op->loops->loops[dim->loops[0]].kind == TS_LOOP_LOOKUP;
}

/* The op may not split what dimension `d` of operand `i` follows. */
static bool keeps_whole(const ts_op *op, int i, int d) {
  if (op->kind == TS_OP_WHOLE)
    return true;
  const ts_dim_loops *dim = &op->loops->operands[i].dims[d];
  bool led = dim->window && dim->window->leader;
  bool whole =
      led ? op->loops->loops[dim->window->leader - 1].kind == TS_LOOP_WHOLE : dim->num_loops == 0;
  for (int l = 0; l < dim->num_loops; l++)
    whole |= op->loops->loops[dim->loops[l]].kind == TS_LOOP_WHOLE;
  return whole;
}

/* The axes that operand `i` is split over where the op may not be, or reads one place, and nowhere
 * in the op. `*dim` is the first dimension of these. */
static ts_axes lost_axes(const ts_op *op, int i, int *dim) {
  const ts_sharding *layout = made_in(op->operands[i]);
  bool one = reads_one_place(op);
  ts_axes lost = 0, used = loop_axes(op);
  for (int d = layout->rank; d-- > 0;) {
    ts_axes axes = ts_dim_axes(&layout->dims[d]) & busy_axes(layout) & ~used;
    if (!axes || !(keeps_whole(op, i, d) || (one && is_looked_up(op, i, d))))
      continue;
    lost |= axes;
    *dim = d;
  }
  return lost;
}

static bool comes_again(const ts_op *op, int i) {
  for (int before = 0; before < i; before++)
    if (op->operands[before] == op->operands[i])
      return true;
  return false;
}

/* ---- costs ----------------------------------------------------------------------------------- */

/* How often `block` runs each time its function does; with `*known` unset, as often as it does each
 * time that what only the launch knows lets it. A branch that is taken counts. */
static double times_of(MlirBlock block, bool *known) {
  double times = 1;
  MlirOperation around = mlirBlockGetParentOperation(block);
  while (around.ptr && !ts_op_is(around, "func.func")) {
    double trips = ts_loop_trips(around);
    *known &= trips >= 0;
    times *= trips >= 0 ? trips : 1;
    block = mlirOperationGetBlock(around);
    around = mlirBlockGetParentOperation(block);
  }
  *known &= !around.ptr || mlirBlockEqual(block, ts_function_entry(around));
  return times;
}

/* Adds what is received `times_of(block)` times. Where not all of it comes equally often, the op's
 * own turn is what counts. */
static void pay(ts_idle *found, const ts_value *value, double bytes, MlirBlock block) {
  bool known = true;
  double times = times_of(block, &known);
  for (int d = 0; value && d < value->rank; d++)
    found->guesses |= value->shape[d] == TS_DYNAMIC;
  found->bytes += known ? times * bytes : bytes;
  found->repeats |= !known;
}

/* Counts the axes `lost` of `value`, which the op is given as `given` and asks for as `required`. A
 * piece that an op before has asked for is there. */
static void lose(walk *w, ts_idle *found, ts_value *value, MlirValue given, ts_axes lost,
                 const ts_sharding *required) {
  const ts_sharding *made = made_in(value);
  const ts_idle *before = ts_map_get(&w->lost, value);
  if (!found->value)
    found->value = value;
  found->axes |= lost;
  found->grid = made->grid;
  if (!before || lost & ~before->axes)
    pay(found, value, ts_bytes_moved(&w->model->scratch, value, made, required),
        ts_block_of(given));
}

/* ---- what is lost at an op ------------------------------------------------------------------- */

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
static void measure_captured(walk *w, const ts_op *op, ts_idle *found) {
  ts_arena *arena = &w->model->scratch;
  if (op->kind != TS_OP_WHOLE || !mlirOperationGetNumRegions(op->handle))
    return;
  ts_captured captured = ts_captured_tensors(arena, op->handle);
  for (int k = 0; k < captured.num; k++) {
    ts_value *value = ts_model_value(w->model, captured.values[k]);
    if (!value || value->is_free || is_operand(op, value) || !needs_data(&captured, k) ||
        !busy_axes(made_in(value)))
      continue;
    const ts_sharding *whole =
        ts_sharding_replicated(arena, made_in(value)->grid, value->rank, value->shape);
    lose(w, found, value, captured.values[k], busy_axes(made_in(value)), whole);
  }
}

/* What operand `i` of an op is brought as: of a window what is read of it. */
static const ts_sharding *asked_of(walk *w, const ts_op *op, int i) {
  return op->kind == TS_OP_RULE ? ts_asked_by(&w->model->scratch, op, op->sharding, i)
                                : op->required[i];
}

/* What of the op idles by itself. */
static ts_idle measure_needs(walk *w, const ts_op *op) {
  ts_idle found = {.op = op, .dim = -1};
  bool gathers = reads_one_place(op);
  for (int i = 0; i < op->num_operands; i++) {
    ts_value *value = op->operands[i];
    if (!value || value->is_free || !op->required[i] || comes_again(op, i) ||
        value->layout->grid != op->required[i]->grid)
      continue;
    int dim = -1;
    ts_axes lost = lost_axes(op, i, &dim);
    if (lost && !found.axes) {
      found.dim = dim;
      found.operand = i;
      found.kind = gathers && !keeps_whole(op, i, dim) ? TS_IDLE_GATHERED : TS_IDLE_WHOLE;
    }
    if (lost)
      lose(w, &found, value, ts_op_operand(op, i), lost, asked_of(w, op, i));
  }
  measure_captured(w, op, &found);
  return found;
}

/* What the op looks up in pieces, and everybody is sent. */
static ts_idle measure_sent(walk *w, const ts_op *op) {
  ts_arena *arena = &w->model->scratch;
  ts_idle found = {.op = op, .kind = TS_IDLE_SENT, .dim = -1};
  if (!reads_one_place(op))
    return found;
  int i = 0;
  while (!op->operands[i])
    i++;
  const ts_sharding *held = op->required[i];
  for (int d = held->rank; d-- > 0;)
    if (is_looked_up(op, i, d) && ts_dim_axes(&held->dims[d]) & busy_axes(held)) {
      found.axes |= ts_dim_axes(&held->dims[d]) & busy_axes(held);
      found.dim = d;
    }
  if (!found.axes)
    return found;
  const ts_value *result = op->results[0];
  found.value = op->operands[i];
  found.operand = i;
  found.grid = held->grid;
  if (result) {
    ts_axes shared = busy_axes(result->layout) | ts_sharding_partial_axes(result->layout);
    found.axes &= ~shared;
    pay(&found, result, ts_bytes_moved(arena, result, op->natural[0], result->layout),
        mlirOperationGetBlock(op->handle));
    return found;
  }
  const ts_sharding *one = ts_sharding_replicated(arena, held->grid, 0, NULL);
  double elements = ts_reshard_cost(arena, ts_add_partial(arena, one, found.axes, TS_SUM), one);
  pay(&found, NULL, elements * ts_bytes_of_element(found.value), mlirOperationGetBlock(op->handle));
  return found;
}

/* What passes from what is split to where nobody asks for it whole: to a function on another grid,
 * or out of this one. */
static ts_idle measure_passed(walk *w, const ts_op *op) {
  ts_idle found = {.op = op, .dim = -1};
  bool returns = ts_op_is(op->handle, "func.return");
  if (!returns && !op->callee)
    return found;
  found.kind = returns ? TS_IDLE_RETURNED : TS_IDLE_PASSED;
  for (int i = 0; i < op->num_operands; i++) {
    ts_value *value = op->operands[i];
    const ts_value *target = op->targets[i];
    if (!value || !target || value->is_free || !op->required[i] || target->annotation.ptr)
      continue;
    const ts_sharding *made = made_in(value);
    ts_axes lost = busy_axes(made) & ~busy_axes(op->required[i]);
    bool is_only_use = value->num_users < 2 || busy_axes(value->layout) & lost;
    if (!lost || (returns && (found.axes || !is_only_use)))
      continue;
    found.operand = found.axes ? found.operand : i;
    lose(w, &found, value, ts_op_operand(op, i), lost, op->required[i]);
  }
  return found;
}

/* ---- the walk -------------------------------------------------------------------------------- */

static bool is_noted(const walk *w, const ts_op *op) {
  return w->is_noted(w->user, op->handle);
}

static bool has_place(MlirLocation location) {
  char text[8];
  return ts_location_text(location, text, sizeof(text)) > 0;
}

/* What was found at another op that the same op of the source has become, or at it in a copy of its
 * function. */
static ts_idle *at_same_place(const walk *w, const ts_idle *found) {
  MlirLocation location = mlirOperationGetLocation(found->op->handle);
  for (ts_idle *at = has_place(location) ? w->first : NULL; at; at = at->next)
    if (at->kind == found->kind && at->grid == found->grid &&
        mlirLocationEqual(mlirOperationGetLocation(at->op->handle), location))
      return at;
  return NULL;
}

/* Keeps what was found, by itself or as part of what is the same for its reader. */
static ts_idle *keep(walk *w, const ts_idle *found) {
  ts_idle *same = at_same_place(w, found);
  if (same) {
    same->axes |= found->axes;
    same->bytes += found->bytes;
    same->repeats |= found->repeats;
    return same;
  }
  ts_idle *kept = TS_NEW(w->model->arena, ts_idle, 1);
  *kept = *found;
  if (w->last)
    w->last->next = kept;
  else
    w->first = kept;
  w->last = kept;
  return kept;
}

static void set_root(walk *w, const ts_value *value, ts_idle *root) {
  if (value)
    ts_map_set(&w->roots, w->model->arena, value, root);
}

static ts_idle *root_of(const walk *w, const ts_value *value) {
  return value ? ts_map_get(&w->roots, value) : NULL;
}

/* Why axes idle in the op: the first of its operands that says. Where the op uses them, sharing is
 * taken up again. */
static ts_idle *root_of_operands(const walk *w, const ts_op *op, bool computes) {
  ts_idle *first = NULL;
  for (int i = 0; i < op->num_operands; i++) {
    ts_idle *root = root_of(w, op->operands[i]);
    bool idles = root && root->axes & ~loop_axes(op);
    if (root && !idles && computes)
      root->resumes = true;
    if (idles && !first)
      first = root;
  }
  return first;
}

/* What a loop carries, or a branch or a function gives, is whole because of what it is inside.
 * Functions come behind those that they call. */
static void pass_roots(walk *w, const ts_op *op) {
  for (int i = 0; !op->callee && i < op->num_operands; i++) {
    const ts_value *target = op->targets[i];
    ts_idle *root = root_of(w, op->operands[i]);
    if (root && target && root->axes & ~busy_axes(target->layout) && !root_of(w, target))
      set_root(w, target, root);
  }
  for (int r = 0; op->callee && r < op->num_results; r++) {
    ts_idle *root = op->results[r] ? root_of(w, op->callee->results[r]) : NULL;
    if (root)
      set_root(w, op->results[r], root);
  }
}

static void look_at(walk *w, const ts_op *op) {
  ts_arena_reset(&w->model->scratch);
  if (op->kind == TS_OP_LINK) {
    ts_idle *root = root_of(w, op->operands[0]);
    if (root && root->axes & ~busy_axes(op->results[0]->layout))
      set_root(w, op->results[0], root);
    return;
  }
  if (op->kind == TS_OP_FIXED) {
    pass_roots(w, op);
    ts_idle found = measure_passed(w, op);
    if (found.axes)
      keep(w, &found);
    return;
  }
  if (op->kind != TS_OP_WHOLE && op->kind != TS_OP_RULE)
    return;
  bool computes = computes_tensors(op);
  ts_idle *before = root_of_operands(w, op, computes), *root = before;
  ts_idle own = measure_needs(w, op);
  if (!own.axes)
    own = measure_sent(w, op);
  ts_idle *shared = own.value ? ts_map_get(&w->lost, own.value) : NULL;
  if (own.axes && shared && !is_noted(w, op) && !(own.axes & ~shared->axes))
    root = shared; /* what it needs is there for an op before */
  else if (own.axes)
    root = keep(w, &own);
  if (own.axes && !shared)
    ts_map_set(&w->lost, w->model->arena, own.value, root);
  if (root && root->op != op && computes)
    root->followers++;
  for (int r = 0; root && r < op->num_results; r++)
    set_root(w, op->results[r], root);
}

/* ---- what counts ----------------------------------------------------------------------------- */

/* An element that every device gets is no loss, unless it is another one in each trip of a loop. */
static bool is_in_each_trip(const ts_op *op) {
  MlirBlock block = mlirOperationGetBlock(op->handle);
  MlirOperation around = mlirBlockGetParentOperation(block);
  if (ts_op_is(around, "func.func"))
    return false;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(op->handle); i++)
    if (!ts_known_before(mlirOperationGetOperand(op->handle, i), around))
      return true;
  return false;
}

static bool counts(const walk *w, const ts_idle *found) {
  const ts_op *op = found->op;
  if (is_noted(w, op))
    return true;
  if ((found->repeats ? trips_not_known : 1) * found->bytes <= least_bytes)
    return false;
  if (op->kind != TS_OP_RULE || computes_tensors(op))
    return true;
  return op->results[0] ? found->followers && !found->resumes : is_in_each_trip(op);
}

ts_idle *ts_find_idle(ts_model *model, ts_is_noted is_noted, const void *user) {
  walk w = {.model = model, .is_noted = is_noted, .user = user};
  for (int f = 0; f < model->num_functions; f++) {
    const ts_function *function = model->order[f];
    for (int i = 0; function->is_active && i < function->num_ops; i++)
      look_at(&w, function->ops[i]);
  }
  ts_idle *counted = NULL, **end = &counted;
  for (ts_idle *at = w.first; at; at = at->next)
    if (counts(&w, at)) {
      *end = at;
      end = &at->next;
    }
  *end = NULL;
  return counted;
}
