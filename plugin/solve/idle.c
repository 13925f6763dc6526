/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Grid axes that idle because of an op that runs whole, wholly or along a dimension. It knows what
 * the solver found; it must not know how. */
#include "solve/idle.h"

#include "capi/capi.h"
#include "reshard/reshard.h"
#include "support/captured.h"

/* An op behind which axes idle. */
typedef struct idle {
  ts_axes axes;
  const ts_grid *grid;
  double bytes;  /* that a device receives because it runs whole */
  int followers; /* ops after it that use axes no more because of it */
} idle;

typedef struct walk {
  ts_model *model;
  idle **roots; /* by position of the op that defines a value: why axes of it idle; NULL: they do
                   not */
  ts_map found; /* MlirOperation -> idle */
} walk;

/* ---- one op ---------------------------------------------------------------------------------- */

static idle *root_of(const walk *w, const ts_value *value) {
  return value && value->definition ? w->roots[value->definition->position] : NULL;
}

static idle *root_of_operands(const walk *w, const ts_op *op) {
  for (int i = 0; i < op->num_operands; i++) {
    idle *root = root_of(w, op->operands[i]);
    if (root)
      return root;
  }
  return NULL;
}

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

/* The layout in which the value is made: where it has no other use it may be gathered at once. */
static const ts_sharding *made_in(const ts_value *value) {
  const ts_op *op = value->definition;
  if (op && op->kind == TS_OP_RULE)
    for (int r = 0; r < op->num_results; r++)
      if (op->results[r] == value && op->natural[r])
        return op->natural[r];
  return value->layout;
}

/* The axes that operand `i` is split over where the op may not be, and nowhere in the op. */
static ts_axes lost_axes(const ts_op *op, int i) {
  const ts_sharding *layout = made_in(op->operands[i]);
  ts_axes lost = 0;
  for (int d = 0; d < layout->rank; d++)
    if (ts_dim_is_split(&layout->dims[d]) && keeps_whole(op, i, d))
      lost |= ts_dim_axes(&layout->dims[d]);
  return lost & busy_axes(layout) & ~loop_axes(op);
}

static bool comes_again(const ts_op *op, int i) {
  for (int before = 0; before < i; before++)
    if (op->operands[before] == op->operands[i])
      return true;
  return false;
}

/* Counts the axes `lost` of a value that comes laid out as `required`. */
static void lose(const walk *w, const ts_value *value, ts_axes lost, const ts_sharding *required,
                 idle *found) {
  const ts_sharding *made = made_in(value);
  double elements = 1;
  for (int d = 0; d < value->rank; d++)
    elements *= value->shape[d] == TS_DYNAMIC ? 1024 : (double)value->shape[d];
  double cost = ts_reshard_cost(&w->model->scratch, made, required);
  found->axes |= lost;
  found->grid = made->grid;
  found->bytes += elements > 0 ? cost * value->bytes / elements : 0;
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
static void measure_captured(const walk *w, const ts_op *op, idle *found) {
  ts_arena *arena = &w->model->scratch;
  if (op->kind != TS_OP_WHOLE || !mlirOperationGetNumRegions(op->handle))
    return;
  ts_captured captured = ts_captured_tensors(arena, op->handle);
  for (int k = 0; k < captured.num; k++) {
    const ts_value *value = ts_model_value(w->model, captured.values[k]);
    if (!value || value->is_free || is_operand(op, value) || !needs_data(&captured, k) ||
        !busy_axes(made_in(value)))
      continue;
    const ts_sharding *whole =
        ts_sharding_replicated(arena, made_in(value)->grid, value->rank, value->shape);
    lose(w, value, busy_axes(made_in(value)), whole, found);
  }
}

/* What of the op idles by itself. */
static idle measure(const walk *w, const ts_op *op) {
  idle found = {0};
  for (int i = 0; i < op->num_operands; i++) {
    const ts_value *value = op->operands[i];
    if (!value || value->is_free || !op->required[i] || comes_again(op, i) ||
        value->layout->grid != op->required[i]->grid)
      continue;
    ts_axes lost = lost_axes(op, i);
    if (lost)
      lose(w, value, lost, op->required[i], &found);
  }
  measure_captured(w, op, &found);
  return found;
}

static void look_at(walk *w, const ts_op *op) {
  idle *root = root_of_operands(w, op);
  if (op->kind == TS_OP_LINK) {
    bool busy = root && (busy_axes(op->results[0]->layout) & root->axes) == root->axes;
    w->roots[op->position] = busy ? NULL : root;
    return;
  }
  if (op->kind != TS_OP_WHOLE && op->kind != TS_OP_RULE)
    return;
  ts_arena_reset(&w->model->scratch);
  idle own = measure(w, op);
  if (own.axes) {
    root = TS_NEW(w->model->arena, idle, 1);
    *root = own;
    ts_map_set(&w->found, w->model->arena, op->handle.ptr, root);
  } else if (root && root->axes & ~loop_axes(op)) {
    root->followers++;
  } else {
    root = NULL;
  }
  w->roots[op->position] = root;
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *axes_text(ts_arena *arena, ts_axes axes, const char *grid) {
  const char *text = "";
  int num = 0;
  for (int a = 0; axes >> a; a++)
    if (axes >> a & 1)
      text = ts_arena_format(arena, "%s%s%d", text, num++ ? ", " : "", a);
  return ts_arena_format(arena, "grid ax%s %s%s%s idle%s", num > 1 ? "es" : "is", text,
                         grid ? " of @" : "", grid ? grid : "", num > 1 ? "" : "s");
}

static const char *followers_text(ts_arena *arena, int num) {
  return num ? ts_arena_format(arena, " and in %d op%s after it", num, num > 1 ? "s" : "") : "";
}

static void tell(ts_model *model, const ts_note *note, const idle *found) {
  MlirLocation location = mlirOperationGetLocation(note->op);
  const char *text = note->text;
  if (found)
    text = ts_arena_format(
        model->arena,
        "%s; %s in it%s, and each time it runs a device receives "
        "%.0f bytes for it",
        text, axes_text(model->arena, found->axes, model->grids.num > 1 ? found->grid->name : NULL),
        followers_text(model->arena, found->followers), found->bytes);
  bool warns = found || note->kind == TS_NOTE_MISTAKE;
  ts_diagnose(location, warns ? TS_WARNING : TS_REMARK, text, location, NULL);
}

void ts_tell_notes(ts_model *model) {
  walk w = {.model = model};
  for (int f = 0; f < model->num_functions; f++) {
    const ts_function *function = model->order[f];
    w.roots = TS_NEW(model->arena, idle *, function->num_ops);
    for (int i = 0; function->is_active && i < function->num_ops; i++)
      look_at(&w, function->ops[i]);
  }
  for (int i = 0; i < model->num_notes; i++) {
    const ts_note *note = &model->notes[i];
    const idle *found = note->kind == TS_NOTE_MISTAKE ? NULL : ts_map_get(&w.found, note->op.ptr);
    if (found || note->kind != TS_NOTE_IF_IDLE)
      tell(model, note, found);
  }
}
