/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* From the sharding of an op's loops to the layouts of its operands and results. It knows loops and
 * factors; it must not know MLIR. */
#include "loops/loops.h"

#include <stdlib.h>
#include <string.h>

static ts_dim project_dim(ts_arena *arena, const ts_loop_sharding *loops, const ts_dim_loops *dim,
                          int64_t extent) {
  const ts_dim *alone = dim->num_loops == 1 ? &loops->loops[dim->loops[0]] : NULL;
  if (alone && (alone->offsets || ts_dim_has_halo(alone)) && ts_dim_size(alone) == extent)
    return *alone;
  const ts_dim **parts = TS_NEW(arena, const ts_dim *, dim->num_loops);
  bool split = false;
  for (int i = 0; i < dim->num_loops; i++) {
    parts[i] = &loops->loops[dim->loops[i]];
    split |= ts_dim_is_split(parts[i]);
  }
  if (!split)
    return ts_dim_plain(arena, extent, 0, NULL);
  ts_dim joined = ts_dim_join(arena, loops->grid, dim->num_loops, parts);
  return ts_dim_sized(arena, &joined, extent);
}

/* ---- windows --------------------------------------------------------------------------------- */

bool ts_leads_window(const ts_op_loops *op, int loop) {
  for (int i = 0; i < op->num_operands; i++)
    for (int d = 0; d < op->operands[i].rank; d++) {
      const ts_window *window = op->operands[i].dims[d].window;
      if (window && window->leader == loop + 1)
        return true;
    }
  return false;
}

bool ts_window_allows(const ts_op_loops *op, int loop, const ts_grid *grid, const ts_dim *split) {
  if (!ts_leads_window(op, loop))
    return true;
  int64_t shards = ts_dim_shards(grid, split);
  int64_t size = op->loops[loop].size;
  return split->num_factors == 1 && shards != TS_DYNAMIC && (size == TS_DYNAMIC || shards <= size);
}

bool ts_window_is_late(const ts_op_loops *op, const ts_port *port, int d, const int64_t *shape) {
  const ts_window *window = port->dims[d].window;
  return window && window->leader && !window->num_places &&
         (shape[d] == TS_DYNAMIC || op->loops[window->leader - 1].size == TS_DYNAMIC);
}

static int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}

/* From the first to the last of the places of `piece`. */
static ts_range places_of(const ts_window *window, ts_range piece) {
  int64_t first = piece.first < 0 ? 0 : piece.first;
  int64_t end = piece.end > window->num_places ? window->num_places : piece.end;
  if (first >= end)
    return (ts_range){0, 0};
  ts_range a = window->places[first], b = window->places[end - 1];
  return (ts_range){a.first < b.first ? a.first : b.first, a.end > b.end ? a.end : b.end};
}

/* The first and the end of the indices that the window reads while its leader runs over `piece`. */
static ts_range read_by(const ts_op_loops *op, const ts_window *window, ts_range piece) {
  if (window->num_places)
    return places_of(window, piece);
  int64_t first = window->offset, last = window->offset, own = 0;
  int64_t every = window->every ? window->every : 1;
  for (int i = 0; i < window->num_steps; i++) {
    const ts_window_step *step = &window->steps[i];
    bool leads = step->loop + 1 == window->leader;
    int64_t most = leads ? piece.end - 1 : op->loops[step->loop].size - 1;
    int64_t least = leads ? piece.first : 0;
    if (leads)
      own = step->stride * least;
    first += step->stride * (step->stride > 0 ? least : most);
    last += step->stride * (step->stride > 0 ? most : least);
  }
  if (window->from_leader)
    first = own;
  return (ts_range){-floor_div(-first, every), floor_div(last, every) + 1};
}

static ts_range within(ts_range range, int64_t size) {
  range.first = range.first < 0 ? 0 : range.first;
  range.end = range.end > size ? size : range.end;
  return range.first < range.end ? range : (ts_range){0, 0};
}

ts_ranges ts_loops_read(ts_arena *arena, const ts_op_loops *op, const ts_loop_sharding *loops,
                        const ts_port *port, int d, const int64_t *shape) {
  const ts_window *window = port->dims[d].window;
  if (!window || !window->leader || shape[d] == TS_DYNAMIC)
    return (ts_ranges){0};
  ts_ranges pieces = ts_dim_ranges(arena, loops->grid, &loops->loops[window->leader - 1]);
  for (int64_t i = 0; i < pieces.num; i++) {
    bool is_empty = pieces.of[i].first >= pieces.of[i].end;
    pieces.of[i] =
        is_empty ? (ts_range){0, 0} : within(read_by(op, window, pieces.of[i]), shape[d]);
  }
  return pieces;
}

/* ---- ports ----------------------------------------------------------------------------------- */

static ts_dim project_window(ts_arena *arena, const ts_op_loops *op, const ts_loop_sharding *loops,
                             const ts_port *port, int d, const int64_t *shape) {
  const ts_dim *leader =
      port->dims[d].window->leader ? &loops->loops[port->dims[d].window->leader - 1] : NULL;
  ts_dim dim;
  if (!leader || (!ts_dim_is_split(leader) && !leader->offsets))
    return ts_dim_plain(arena, shape[d], 0, NULL);
  if (ts_window_is_late(op, port, d, shape))
    return ts_dim_plain(arena, shape[d], leader->factors[0].num_axes, leader->factors[0].axes);
  ts_ranges ranges = ts_loops_read(arena, op, loops, port, d, shape);
  if (!ts_dim_of_ranges(arena, loops->grid, leader, shape[d], ranges, &dim))
    return ts_dim_plain(arena, shape[d], 0, NULL);
  return dim;
}

const ts_sharding *ts_loops_project(ts_arena *arena, const ts_op_loops *op,
                                    const ts_loop_sharding *loops, const ts_port *port,
                                    const int64_t *shape) {
  ts_sharding *sharding = TS_NEW(arena, ts_sharding, 1);
  ts_dim *dims = TS_NEW(arena, ts_dim, port->rank);
  for (int d = 0; d < port->rank; d++)
    dims[d] = port->dims[d].window ? project_window(arena, op, loops, port, d, shape)
                                   : project_dim(arena, loops, &port->dims[d], shape[d]);
  *sharding = (ts_sharding){.grid = loops->grid, .rank = port->rank, .dims = dims};
  return sharding;
}

bool ts_loop_may_be_given_up(const ts_loop *loop) {
  return loop->kind == TS_LOOP_LOOKUP || (loop->kind == TS_LOOP_REDUCTION && loop->scatters);
}

bool ts_loop_allows(const ts_loop *loop, const ts_grid *grid, const ts_dim *dim) {
  return (loop->kind != TS_LOOP_CHOICE && loop->kind != TS_LOOP_SCAN) ||
         ((dim->num_factors == 1 || loop->any_order) && ts_dim_shards(grid, dim) != TS_DYNAMIC);
}

ts_axes ts_loops_partial_axes(const ts_op_loops *op, const ts_loop_sharding *loops) {
  ts_axes axes = 0;
  for (int l = 0; l < op->num_loops; l++)
    if (op->loops[l].kind == TS_LOOP_REDUCTION || op->loops[l].kind == TS_LOOP_LOOKUP)
      axes |= ts_dim_axes(&loops->loops[l]);
  return axes;
}

/* ---- descriptions ---------------------------------------------------------------------------- */

const ts_port *ts_op_port(const ts_op_loops *op, int port) {
  return port < op->num_operands ? &op->operands[port] : &op->results[port - op->num_operands];
}

int64_t ts_window_extent(const ts_op_loops *op, const ts_window *window, int loop) {
  int64_t extent = 1;
  for (int i = 0; i < window->num_steps; i++) {
    const ts_window_step *step = &window->steps[i];
    if (step->loop == loop)
      continue;
    if (op->loops[step->loop].size == TS_DYNAMIC)
      return TS_DYNAMIC;
    extent += llabs(step->stride) * (op->loops[step->loop].size - 1);
  }
  return extent;
}

static bool same_window(const ts_window *a, const ts_window *b) {
  if (!a || !b)
    return a == b;
  if (a->num_steps != b->num_steps || a->offset != b->offset || a->every != b->every ||
      a->leader != b->leader || a->from_leader != b->from_leader || a->adds_up != b->adds_up ||
      a->added != b->added || a->num_places != b->num_places)
    return false;
  for (int64_t i = 0; i < a->num_places; i++)
    if (a->places[i].first != b->places[i].first || a->places[i].end != b->places[i].end)
      return false;
  for (int i = 0; i < a->num_steps; i++)
    if (a->steps[i].loop != b->steps[i].loop || a->steps[i].stride != b->steps[i].stride)
      return false;
  return true;
}

static bool same_ports(int num, const ts_port *a, const ts_port *b) {
  for (int p = 0; p < num; p++) {
    if (a[p].is_tensor != b[p].is_tensor || a[p].rank != b[p].rank)
      return false;
    for (int d = 0; d < a[p].rank; d++) {
      const ts_dim_loops *x = &a[p].dims[d], *y = &b[p].dims[d];
      if (x->num_loops != y->num_loops ||
          (x->num_loops && memcmp(x->loops, y->loops, sizeof(int) * (size_t)x->num_loops) != 0))
        return false;
      if (!same_window(x->window, y->window))
        return false;
    }
  }
  return true;
}

bool ts_op_results_are_alike(const ts_op_loops *op) {
  for (int r = 1; r < op->num_results; r++)
    if (!same_ports(1, &op->results[0], &op->results[r]))
      return false;
  return true;
}

static bool same_terms(const ts_terms *a, const ts_terms *b) {
  return a->kind == b->kind && a->num_terms == b->num_terms &&
         a->must_be_complete == b->must_be_complete &&
         memcmp(a->sets, b->sets, sizeof(a->sets[0]) * (size_t)a->num_terms) == 0;
}

bool ts_op_loops_equal(const ts_op_loops *a, const ts_op_loops *b) {
  if (a->num_loops != b->num_loops || a->num_operands != b->num_operands ||
      a->num_results != b->num_results || a->picks != b->picks)
    return false;
  for (int l = 0; l < a->num_loops; l++)
    if (a->loops[l].kind != b->loops[l].kind || a->loops[l].size != b->loops[l].size ||
        a->loops[l].scatters != b->loops[l].scatters ||
        a->loops[l].any_order != b->loops[l].any_order ||
        a->loops[l].number_of != b->loops[l].number_of)
      return false;
  for (int r = 0; r < a->num_results; r++)
    if (a->result_reduction[r] != b->result_reduction[r] ||
        a->result_init[r] != b->result_init[r] || a->init_is_read[r] != b->init_is_read[r] ||
        !same_terms(&a->terms[r], &b->terms[r]))
      return false;
  return same_ports(a->num_operands, a->operands, b->operands) &&
         same_ports(a->num_results, a->results, b->results);
}

static const ts_window *copy_window(ts_arena *arena, const ts_window *window) {
  ts_window *copy = ts_arena_copy(arena, window, sizeof(*window));
  copy->steps =
      ts_arena_copy(arena, window->steps, sizeof(ts_window_step) * (size_t)window->num_steps);
  if (window->num_places)
    copy->places =
        ts_arena_copy(arena, window->places, sizeof(ts_range) * (size_t)window->num_places);
  return copy;
}

static ts_port *copy_ports(ts_arena *arena, int num, const ts_port *ports) {
  ts_port *copies = ts_arena_copy(arena, ports, sizeof(*ports) * (size_t)num);
  for (int p = 0; p < num; p++) {
    ts_dim_loops *dims = ts_arena_copy(arena, ports[p].dims, sizeof(*dims) * (size_t)ports[p].rank);
    for (int d = 0; d < ports[p].rank; d++) {
      if (dims[d].window)
        dims[d].window = copy_window(arena, dims[d].window);
      dims[d].loops = ts_arena_copy(arena, dims[d].loops, sizeof(int) * (size_t)dims[d].num_loops);
    }
    copies[p].dims = dims;
  }
  return copies;
}

ts_op_loops *ts_op_loops_copy(ts_arena *arena, const ts_op_loops *op) {
  const size_t num = (size_t)op->num_results;
  ts_op_loops *copy = ts_arena_copy(arena, op, sizeof(*op));
  copy->loops = ts_arena_copy(arena, op->loops, sizeof(ts_loop) * (size_t)op->num_loops);
  copy->operands = copy_ports(arena, op->num_operands, op->operands);
  copy->results = copy_ports(arena, op->num_results, op->results);
  copy->result_reduction = ts_arena_copy(arena, op->result_reduction, sizeof(ts_reduction) * num);
  copy->result_init = ts_arena_copy(arena, op->result_init, sizeof(int) * num);
  copy->init_is_read = ts_arena_copy(arena, op->init_is_read, sizeof(bool) * num);
  copy->terms = ts_arena_copy(arena, op->terms, sizeof(ts_terms) * num);
  return copy;
}

/* ---- wishes ---------------------------------------------------------------------------------- */

/* The outermost loop is not to be split, and there is another. */
static bool keeps_outermost(const ts_op_loops *op, const ts_dim_loops *follows) {
  return follows->num_loops > 1 && op->loops[follows->loops[0]].kind == TS_LOOP_WHOLE &&
         op->loops[follows->loops[1]].kind != TS_LOOP_WHOLE;
}

ts_axes ts_loops_wished(ts_arena *arena, const ts_op_loops *op, const ts_grid *grid,
                        const ts_dim_loops *follows, const ts_dim *dim, bool moves_borders,
                        ts_dim *wishes) {
  int num = follows->num_loops;
  int64_t *sizes = TS_NEW(arena, int64_t, num);
  for (int i = 0; i < num; i++)
    sizes[i] = op->loops[follows->loops[i]].size;
  bool is_plain = dim->num_factors == 1 && !dim->offsets;
  bool keeps = is_plain && keeps_outermost(op, follows);
  ts_axes dropped = keeps ? ts_dim_axes(dim) : ts_dim_split(arena, grid, dim, num, sizes, wishes);
  bool moves = moves_borders && dropped && !keeps && is_plain && num > 1 &&
               ts_fills_shards(sizes[0], ts_factor_shards(grid, &dim->factors[0]));
  if (!keeps && !moves)
    return dropped;
  for (int i = 0; i < num; i++)
    wishes[i] = ts_dim_plain(arena, sizes[i], i == keeps ? dim->factors[0].num_axes : 0,
                             i == keeps ? dim->factors[0].axes : NULL);
  return keeps ? dropped : 0;
}
