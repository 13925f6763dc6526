/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What an op reads for a piece of its result. It knows loops, windows and layouts; it must not know
 * who asks for that piece, nor whether that is worth it. */
#include "solve/views.h"

#include <string.h>

#include "rules/linalg.h"
#include "support/ir.h"

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_static(const ts_value *value) {
  for (int d = 0; d < value->rank; d++)
    if (value->shape[d] == TS_DYNAMIC)
      return false;
  return true;
}

/* The source is laid out as the value, or whole: then each device has what it is asked for. */
static bool holds_all(const ts_value *source, const ts_value *value) {
  return ts_sharding_equal(source->layout, value->layout) ||
         (!ts_sharding_split_axes(source->layout) && !value->layout->num_partial);
}

ts_value *ts_value_behind(ts_value *value) {
  while (value->definition && value->definition->kind == TS_OP_LINK) {
    ts_value *source = value->definition->operands[0];
    if (value->is_asked_through) {
      value = source;
      continue;
    }
    if (source->is_free || !is_static(source) || source->layout->num_partial ||
        ts_sharding_run_time(source->layout, NULL) || !holds_all(source, value))
      return value;
    value = source;
  }
  return value;
}

/* ---- what ops ask for ------------------------------------------------------------------------ */

const ts_window *ts_led_window(const ts_op *op, int i, int d) {
  const ts_window *window = op->loops->operands[i].dims[d].window;
  return window && window->leader ? window : NULL;
}

bool ts_is_read_late(const ts_op *op, int i, int d) {
  const ts_window *window = ts_led_window(op, i, d);
  return ts_window_is_late(op->loops, &op->loops->operands[i], d, op->operands[i]->shape) &&
         (ts_dim_is_split(&op->sharding->loops[window->leader - 1]) ||
          ts_dim_is_split(&op->required[i]->dims[d]));
}

const ts_sharding *ts_held_for_late(ts_arena *arena, const ts_op *op, int i) {
  for (int d = 0; d < op->operands[i]->rank; d++)
    if (ts_is_read_late(op, i, d) && ts_dim_is_split(&op->required[i]->dims[d]))
      return ts_sharding_balanced(arena, ts_completed(arena, op->operands[i]->layout));
  return NULL;
}

/* Some dimension is: what a slice reads of it is fetched then, and only that need be. */
static bool is_split_otherwise(const ts_sharding *asked, const ts_sharding *held) {
  for (int d = 0; d < asked->rank; d++)
    if (asked->dims[d].offsets || !ts_dim_equal(&asked->dims[d], &held->dims[d]))
      return true;
  return false;
}

const ts_sharding *ts_cut_to_reads(ts_arena *arena, const ts_op *op, const ts_loop_sharding *loops,
                                   int i, int d, const ts_sharding *layout) {
  const int64_t *shape = op->operands[i]->shape;
  ts_ranges read = ts_loops_read(arena, op->loops, loops, &op->loops->operands[i], d, shape);
  ts_dim dim;
  return ts_dim_of_ranges(arena, loops->grid, &layout->dims[d], shape[d], read, &dim)
             ? ts_sharding_with_dim(arena, layout, d, dim)
             : layout;
}

bool ts_may_be_asked_through(const ts_value *value) {
  const int most = 4;
  const ts_op *link = value->definition;
  if (!link || link->kind != TS_OP_LINK || link->operands[0]->is_free)
    return false;
  const ts_value *source = link->operands[0];
  int alike = 0;
  for (int u = 0; u < source->num_users && alike <= most; u++)
    alike += source->users[u]->kind == TS_OP_LINK &&
             ts_sharding_equal(source->users[u]->results[0]->layout, value->layout);
  return alike <= most;
}

/* What there is of `value` before a use asks for it. */
static const ts_sharding *held_before(const ts_value *value) {
  return ts_may_be_asked_through(value) ? value->definition->operands[0]->layout : value->layout;
}

/* The layout of dimension `d` of operand `i`, read through a late window, before what is read of it
 * is fetched: split as `led`, which the leader is, or as it is; or whole where it is so anyway. */
static ts_dim held_of_late(ts_arena *arena, const ts_op *op, int i, int d,
                           const ts_sharding *asked) {
  const ts_value *value = op->operands[i];
  const ts_dim *led = &asked->dims[d], *own = &value->layout->dims[d];
  if (value->is_free || !ts_dim_is_split(own))
    return ts_dim_plain(arena, value->shape[d], 0, NULL);
  bool stays = !ts_dim_is_split(led) && op->rule->does == TS_MOVES_DATA && own->num_factors == 1 &&
               !own->offsets && !ts_dim_has_halo(own) &&
               !(ts_dim_axes(own) & ts_sharding_split_axes(asked));
  return stays ? *own : *led;
}

const ts_sharding *ts_asked_by(ts_arena *arena, const ts_op *op, const ts_loop_sharding *loops,
                               int i) {
  const ts_value *value = op->operands[i];
  const ts_port *port = &op->loops->operands[i];
  const ts_sharding *asked = ts_loops_project(arena, op->loops, loops, port, value->shape);
  const ts_sharding *required = op->required[i];
  if (required->num_partial)
    return ts_sharding_with_partial(arena, asked, required->num_partial, required->partial);
  bool cuts = op->rule->does == TS_MOVES_DATA && !value->is_free && is_static(value) &&
              is_split_otherwise(asked, held_before(value));
  for (int d = 0; d < port->rank; d++) {
    const ts_window *window = ts_led_window(op, i, d);
    if (ts_window_is_late(op->loops, port, d, value->shape))
      asked = ts_sharding_with_dim(arena, asked, d, held_of_late(arena, op, i, d, asked));
    if (!window || ts_dim_is_cut(&loops->loops[window->leader - 1]) || value->is_free ||
        !(cuts || ts_dim_is_split(&value->layout->dims[d])))
      continue;
    asked = ts_cut_to_reads(arena, op, loops, i, d, asked);
  }
  return asked;
}

ts_ranges ts_read_by(ts_model *model, const ts_op *op, const ts_loop_sharding *loops, int i, int d,
                     const ts_sharding *asked) {
  const ts_window *window = ts_led_window(op, i, d);
  if (!window || (!ts_dim_is_cut(&loops->loops[window->leader - 1]) && !asked->dims[d].offsets))
    return (ts_ranges){0};
  return ts_loops_read(model->arena, op->loops, loops, &op->loops->operands[i], d,
                       op->operands[i]->shape);
}

bool ts_reads_windows(const ts_op *op) {
  for (int i = 0; i < op->num_operands; i++)
    for (int d = 0; op->operands[i] && d < op->operands[i]->rank; d++)
      if (ts_led_window(op, i, d))
        return true;
  return false;
}

bool ts_is_bare_destination(const ts_op *op, int operand) {
  for (int r = 0; r < op->num_results; r++)
    if (op->loops->result_init[r] == operand)
      return !op->loops->init_is_read[r];
  return false;
}

/* ---- views ----------------------------------------------------------------------------------- */

bool ts_reads_ranges(const ts_op *op) {
  for (int i = 0; i < op->num_operands; i++)
    for (int d = 0; op->operands[i] && d < op->operands[i]->rank; d++) {
      const ts_window *window = ts_led_window(op, i, d);
      if (window &&
          (ts_dim_is_split(&op->sharding->loops[window->leader - 1]) ||
           (!op->operands[i]->is_free && ts_dim_is_split(&op->operands[i]->layout->dims[d]))))
        return true;
    }
  return false;
}

bool ts_is_asked_in_ranges(const ts_value *value) {
  for (int i = 0; i < value->num_asks; i++)
    if (ts_sharding_has_ranges(value->asks[i].layout))
      return true;
  return false;
}

/* Pieces along the loop are those that its messages are for. */
static bool goes_its_own_way(ts_loop_kind kind) {
  return kind == TS_LOOP_LOOKUP || kind == TS_LOOP_SCAN;
}

bool ts_loops_take_any_pieces(const ts_op *op) {
  if (ts_grid_devices(op->sharding->grid) == TS_DYNAMIC)
    return false;
  for (int l = 0; l < op->sharding->num_loops; l++)
    if (op->sharding->loops[l].num_factors != 1 ||
        (goes_its_own_way(op->loops->loops[l].kind) && ts_dim_is_split(&op->sharding->loops[l])))
      return false;
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i] && (!is_static(op->operands[i]) || op->required[i]->num_partial))
      return false;
  return true;
}

static bool may_come_in_pieces(const ts_op *op, int r) {
  const ts_value *result = op->results[r];
  return result && !result->is_free && !result->is_captured && is_static(result) &&
         !op->natural[r]->num_partial && !result->layout->num_partial;
}

/* All choose together, whatever each makes. */
static bool chooses_together(const ts_op *op) {
  for (int l = 0; l < op->sharding->num_loops; l++)
    if (op->loops->loops[l].kind == TS_LOOP_CHOICE && ts_dim_is_split(&op->sharding->loops[l]))
      return true;
  return false;
}

bool ts_runs_for_pieces(const ts_op *op) {
  for (int r = 0; r < op->num_results; r++)
    if (!may_come_in_pieces(op, r))
      return false;
  return op->num_results > 0 && ts_op_results_are_alike(op->loops) && !chooses_together(op) &&
         ts_loops_take_any_pieces(op);
}

/* No number of the op is one that only the run knows. */
static bool all_tensors(const ts_op *op) {
  for (int i = 0; i < op->num_operands; i++)
    if (!op->operands[i])
      return false;
  return true;
}

bool ts_moves_ranges(const ts_op *op) {
  if (op->num_results != 1 || !ts_runs_for_pieces(op))
    return false;
  if (op->rule->does == TS_MOVES_DATA)
    return all_tensors(op) && (ts_reads_ranges(op) || ts_is_asked_in_ranges(op->results[0]));
  return ts_is_asked_in_ranges(op->results[0]) && ts_linalg_is_copy(op->handle);
}

/* Gives the loops that dimension `d` of the result follows together the split of `dim`, which is
 * one of balanced shards. False if they cannot have it. */
static bool split_loops(ts_arena *arena, const ts_op *op, int d, const ts_dim *dim,
                        ts_loop_sharding *loops) {
  const ts_dim_loops *follows = &op->loops->results[0].dims[d];
  int64_t *sizes = TS_NEW(arena, int64_t, follows->num_loops);
  ts_dim *parts = TS_NEW(arena, ts_dim, follows->num_loops);
  for (int i = 0; i < follows->num_loops; i++)
    sizes[i] = op->loops->loops[follows->loops[i]].size;
  if (dim->offsets || ts_dim_has_halo(dim) ||
      ts_dim_split(arena, loops->grid, dim, follows->num_loops, sizes, parts))
    return false;
  for (int i = 0; i < follows->num_loops; i++) {
    if (ts_dim_is_split(&parts[i]) && op->loops->loops[follows->loops[i]].kind != TS_LOOP_PARALLEL)
      return false;
    loops->loops[follows->loops[i]] = parts[i];
  }
  return true;
}

/* Dimensions that follow several loops have balanced shards. */
static bool fits_operands(const ts_op *op, const ts_loop_sharding *loops) {
  for (int i = 0; i < op->num_operands; i++)
    for (int d = 0; op->operands[i] && d < op->operands[i]->rank; d++) {
      const ts_dim_loops *dim = &op->loops->operands[i].dims[d];
      for (int l = 0; dim->num_loops > 1 && l < dim->num_loops; l++)
        if (loops->loops[dim->loops[l]].offsets || ts_dim_has_halo(&loops->loops[dim->loops[l]]))
          return false;
    }
  return true;
}

const ts_loop_sharding *ts_view_loops(ts_arena *arena, const ts_op *op, const ts_sharding *layout) {
  const ts_port *result = &op->loops->results[0];
  if (layout->num_partial)
    return NULL;
  ts_loop_sharding *loops = ts_arena_copy(arena, op->sharding, sizeof(*loops));
  loops->loops = TS_NEW(arena, ts_dim, loops->num_loops);
  for (int l = 0; l < loops->num_loops; l++)
    loops->loops[l] = ts_dim_plain(arena, op->loops->loops[l].size, 0, NULL);
  for (int d = 0; d < result->rank; d++) {
    const ts_dim *dim = &layout->dims[d];
    if (result->dims[d].num_loops > 1) {
      if (!split_loops(arena, op, d, dim, loops))
        return NULL;
      continue;
    }
    ts_ranges held = ts_dim_ranges(arena, layout->grid, dim);
    int64_t size = ts_dim_size(dim);
    bool fits = held.of != NULL;
    for (int64_t i = 0; fits && i < held.num; i++)
      fits = held.of[i].first >= 0 && held.of[i].end <= size;
    int l = result->dims[d].num_loops ? result->dims[d].loops[0] : -1;
    bool splits = l >= 0 && op->loops->loops[l].kind == TS_LOOP_PARALLEL;
    if (!fits || (!splits && ts_dim_is_cut(dim)))
      return NULL;
    if (splits)
      loops->loops[l] = *dim;
  }
  for (int l = 0; l < loops->num_loops; l++)
    if (op->loops->loops[l].kind == TS_LOOP_REDUCTION)
      loops->loops[l] = op->sharding->loops[l];
  return fits_operands(op, loops) ? loops : NULL;
}

bool ts_can_be_made_in_pieces(const ts_op *op) {
  return op->kind == TS_OP_RULE && (op->rule->does == TS_COMPUTES || ts_only_moves(op->handle)) &&
         all_tensors(op) && ts_runs_for_pieces(op);
}

bool ts_is_elementwise(const ts_op *op) {
  for (int l = 0; l < op->loops->num_loops; l++)
    if (op->loops->loops[l].kind != TS_LOOP_PARALLEL)
      return false;
  return true;
}

bool ts_is_made_by_element(const ts_op *op) {
  return op->rule->does == TS_COMPUTES && ts_is_elementwise(op) && !ts_reads_windows(op);
}

static void note_function(MlirOperation op, void *user) {
  const char *prefix = "math.";
  bool *found = user;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  *found |= name.length > strlen(prefix) && strncmp(name.data, prefix, strlen(prefix)) == 0;
}

bool ts_is_light(const ts_op *op) {
  bool calls = false;
  if (ts_is_made_by_element(op))
    ts_each_op(op->handle, note_function, &calls);
  return ts_is_made_by_element(op) && !calls;
}

bool ts_can_be_pulled(const ts_op *op) {
  return op->num_results == 1 && ts_can_be_made_in_pieces(op);
}
