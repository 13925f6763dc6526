/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Structured ops, named or generic: loops from indexing maps and iterator types. It knows affine
 * maps; the scalar code is linalg_body.c's, its indices linalg_index.c's. */
#include "rules/linalg.h"

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"

#include "capi/capi.h"
#include "rules/build_loops.h"
#include "rules/late_windows.h"
#include "rules/rows.h"

typedef struct reading {
  ts_arena *arena;
  MlirOperation op;
  ts_op_loops *out;
  const char **remark; /* the first reason to keep each loop whole, a line each */
} reading;

static void keep_whole(reading *r, int loop, const char *why) {
  r->out->loops[loop].kind = TS_LOOP_WHOLE;
  ts_add_remark(r->arena, r->remark, "loop", loop, r->op, why);
}

/* ---- indexing maps --------------------------------------------------------------------------- */

static bool is_single_loop(MlirAffineMap map, intptr_t d, intptr_t *loop) {
  MlirAffineExpr expr = mlirAffineMapGetResult(map, d);
  if (!mlirAffineExprIsADim(expr))
    return false;
  *loop = mlirAffineDimExprGetPosition(expr);
  return true;
}

static bool is_repeated(MlirAffineMap map, intptr_t d, intptr_t loop) {
  intptr_t other;
  for (intptr_t e = 0; e < mlirAffineMapGetNumResults(map); e++)
    if (e != d && is_single_loop(map, e, &other) && other == loop)
      return true;
  return false;
}

/* Dimension `d` of `port` is indexed by more than a loop. What is no window stays whole. */
static void read_expression(reading *r, ts_port *port, MlirAffineMap map, intptr_t d) {
  MlirAffineExpr expr = mlirAffineMapGetResult(map, d);
  const ts_window *window = ts_linalg_window(r->arena, r->out->num_loops, expr);
  if (window) {
    ts_ports_window(r->arena, port, (int)d, window);
    return;
  }
  for (int l = 0; l < r->out->num_loops; l++)
    if (mlirAffineExprIsFunctionOfDim(expr, l))
      keep_whole(r, l,
                 "a dimension is indexed by an expression of it (a window, a stride or a "
                 "shift)");
}

static void read_map(reading *r, ts_port *port, MlirType type, MlirAffineMap map) {
  const int64_t *shape = ts_shape_of(r->arena, type);
  for (intptr_t d = 0; d < port->rank; d++) {
    intptr_t loop;
    if (!is_single_loop(map, d, &loop)) {
      read_expression(r, port, map, d);
      continue;
    }
    if (is_repeated(map, d, loop)) {
      keep_whole(r, (int)loop, "one operand uses it for two dimensions");
      if (r->out->loops[loop].size == TS_DYNAMIC)
        r->out->loops[loop].size = shape[d];
      continue;
    }
    ts_ports_follow(r->arena, r->out, port, (int)d, (int)loop, shape[d]);
  }
}

/* ---- windows --------------------------------------------------------------------------------- */

/* Where extents are not known, that of the dimension `extent`: the one loop whose extent is not, as
 * a step, or the longest of `op`; -1 if there are several, or it is shorter than another, or some
 * do not go forwards, and so none is split. */
static int late_step(const ts_op_loops *op, const ts_window *window, int64_t extent, int longest) {
  int64_t most = 0;
  int unknown = -1;
  if (window->every > 1 || window->offset > TS_MOST_LATE)
    return -1;
  for (int i = 0; i < window->num_steps; i++) {
    bool is_known = op->loops[window->steps[i].loop].size != TS_DYNAMIC;
    if (window->steps[i].stride < 0 || window->steps[i].stride > TS_MOST_LATE ||
        (!is_known && unknown >= 0))
      return -1;
    unknown = is_known ? unknown : i;
    if (is_known && op->loops[window->steps[i].loop].size > most)
      most = op->loops[window->steps[i].loop].size;
  }
  bool may_be_longest =
      extent == TS_DYNAMIC ||
      (unknown >= 0 && extent - ts_window_extent(op, window, window->steps[unknown].loop) >= most);
  return unknown < 0 ? longest : may_be_longest ? unknown : -1;
}

/* The window follows the loop forwards, and no place reads as far as it goes. */
static bool may_lead(const ts_op_loops *op, const ts_window *window, const ts_window_step *step) {
  int64_t goes = step->stride * op->loops[step->loop].size;
  return goes > 0 && (ts_window_extent(op, window, step->loop) < goes || goes == 1);
}

/* The longest of the loops that the window follows forwards, as a step; where each place reads as
 * far as that goes (a kernel longer than the results), the longest other one along which results
 * lie. -1: there is none, or its extents are not known, and so none is split. */
static int longest_step(const ts_op_loops *op, const ts_window *window) {
  int longest = -1, other = -1;
  for (int i = 0; i < window->num_steps; i++) {
    const ts_window_step *step = &window->steps[i];
    const ts_loop *loop = &op->loops[step->loop];
    if (loop->size == TS_DYNAMIC)
      return -1;
    if (step->stride > 0 &&
        (longest < 0 || loop->size > op->loops[window->steps[longest].loop].size))
      longest = i;
    if (loop->kind == TS_LOOP_PARALLEL && may_lead(op, window, step) &&
        (other < 0 || loop->size > op->loops[window->steps[other].loop].size))
      other = i;
  }
  return longest >= 0 && may_lead(op, window, &window->steps[longest]) ? longest : other;
}

/* Named ops print no region, so what is put into it would be lost in text. */
static bool prints_body(MlirOperation op) {
  return ts_op_is(op, "linalg.generic") || ts_op_is(op, "linalg.map") ||
         ts_op_is(op, "linalg.reduce");
}

/* Operand `i` is read backwards along `window`, and nothing is reduced: the body can then read
 * pieces from their ends. */
static bool is_turned(const reading *r, int i, const ts_window *window) {
  for (intptr_t l = 0; l < r->out->num_loops; l++)
    if (ts_linalg_iterator(r->op, l) != 0)
      return false;
  return ts_op_is(r->op, "linalg.generic") && ts_window_is_backwards(window) &&
         r->out->loops[window->steps[0].loop].size != TS_DYNAMIC &&
         ts_can_be_read_in_body(ts_linalg_map(r->op, i));
}

/* The step that leads the window; -1: none. */
static int leading_step(const reading *r, const ts_window *window, int64_t extent, bool turned) {
  int longest = turned ? 0 : longest_step(r->out, window);
  bool is_late = extent == TS_DYNAMIC;
  for (int s = 0; s < window->num_steps; s++)
    is_late |= r->out->loops[window->steps[s].loop].size == TS_DYNAMIC;
  return is_late ? late_step(r->out, window, extent, longest) : longest;
}

/* Lets dimension `d` of operand `i` be split along with the longest loop of its window, and keeps
 * the others whole; all of them, if none can be split, or it is a destination's. */
static void lead_window(reading *r, int i, int d, int64_t extent, bool is_read) {
  ts_port *port = &r->out->operands[i];
  ts_window led = *port->dims[d].window;
  bool turned = is_read && extent != TS_DYNAMIC && is_turned(r, i, &led);
  int longest = is_read ? leading_step(r, &led, extent, turned) : -1;
  for (int s = 0; s < led.num_steps; s++) {
    if (longest < 0)
      keep_whole(
          r, led.steps[s].loop,
          "a dimension that is read backwards or nearly whole at every place, or whose window's "
          "extent is not known, is indexed by an expression of it");
    else if (s != longest)
      r->out->loops[led.steps[s].loop].kind = TS_LOOP_WHOLE;
  }
  if (longest < 0)
    return;
  if (ts_port_is_along(port, led.steps[longest].loop)) {
    keep_whole(r, led.steps[longest].loop, "one operand uses it for two dimensions");
    return;
  }
  led.leader = led.steps[longest].loop + 1;
  led.from_leader = !turned;
  ts_ports_window(r->arena, port, d, ts_arena_copy(r->arena, &led, sizeof(led)));
}

/* What a destination is indexed by stays whole: its pieces would overlap. */
static void read_windows(reading *r) {
  intptr_t num_inputs = ts_linalg_num_inputs(r->op);
  for (int i = 0; i < (int)mlirOperationGetNumOperands(r->op); i++) {
    ts_port *port = &r->out->operands[i];
    const int64_t *shape =
        port->is_tensor ? ts_shape_of(r->arena, mlirValueGetType(mlirOperationGetOperand(r->op, i)))
                        : NULL;
    for (int d = 0; d < port->rank; d++)
      if (port->dims[d].window)
        lead_window(r, i, d, shape[d], i < num_inputs);
  }
}

static void read_ports(reading *r) {
  for (int i = 0; i < (int)mlirOperationGetNumOperands(r->op); i++)
    if (r->out->operands[i].is_tensor)
      read_map(r, &r->out->operands[i], mlirValueGetType(mlirOperationGetOperand(r->op, i)),
               ts_linalg_map(r->op, i));
  read_windows(r);
  intptr_t num_inputs = ts_linalg_num_inputs(r->op);
  for (int i = 0; i < r->out->num_results; i++)
    r->out->results[i].dims = r->out->operands[num_inputs + i].dims;
}

/* ---- loops ----------------------------------------------------------------------------------- */

static bool indexes(MlirAffineMap map, int loop) {
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, d), loop))
      return true;
  return false;
}

/* A loop is a reduction if no result sees it, and parallel if every result does. */
static void check_iterators(reading *r) {
  intptr_t num_inputs = ts_linalg_num_inputs(r->op);
  for (int i = 0; i < r->out->num_results; i++) {
    MlirAffineMap map = ts_linalg_map(r->op, num_inputs + i);
    for (int l = 0; l < r->out->num_loops; l++) {
      if (r->out->loops[l].kind == TS_LOOP_WHOLE)
        continue;
      bool reduces = r->out->loops[l].kind == TS_LOOP_REDUCTION, seen = indexes(map, l);
      if (reduces && seen)
        keep_whole(r, l, "a result is indexed by it although it is a reduction");
      else if (!reduces && !seen)
        keep_whole(r, l, "a result is not indexed by it although it is parallel");
    }
  }
}

static void read_body(reading *r, ts_body_kind kind) {
  int unknown = ts_linalg_read_body(r->arena, r->op, kind, r->out);
  ts_loop choice = {0};
  bool chooses = unknown >= 0 && ts_linalg_chooses(r->arena, r->op, &choice);
  for (int l = 0; l < r->out->num_loops && chooses; l++)
    if (r->out->loops[l].kind == TS_LOOP_REDUCTION) {
      r->out->loops[l].kind = TS_LOOP_CHOICE;
      r->out->loops[l].any_order = choice.any_order;
      r->out->loops[l].number_of = choice.number_of;
    }
  for (int l = 0; l < r->out->num_loops && unknown >= 0; l++)
    if (r->out->loops[l].kind == TS_LOOP_REDUCTION)
      keep_whole(
          r, l,
          ts_arena_format(r->arena,
                          "the body does not combine result %d by a known reduction of its type",
                          unknown));
}

/* ---- the rule -------------------------------------------------------------------------------- */

bool ts_linalg_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                     const char **remark) {
  intptr_t num_loops = ts_linalg_num_loops(op);
  ts_captured captured = ts_captured_tensors(arena, op);
  if (!ts_ports_init(arena, op, (int)num_loops, out, reason) ||
      !ts_ports_add_captured(arena, &captured, (int)num_loops, out, reason))
    return false;
  if (out->num_results != ts_linalg_num_inits(op)) {
    *reason = "it does not return each of its destinations";
    return false;
  }
  if (!ts_lookups_extract(&captured)) {
    *reason = "its body reads a tensor from outside by another op than tensor.extract";
    return false;
  }
  if (!prints_body(op) && ts_linalg_uses_index(op)) {
    *reason = "its body depends on loop indices";
    return false;
  }
  reading r = {.arena = arena, .op = op, .out = out, .remark = remark};
  ts_body_kind body = TS_BODY_ELEMENTWISE;
  for (intptr_t l = 0; l < num_loops; l++) {
    bool is_parallel = ts_linalg_iterator(op, l) == 0;
    if (!is_parallel)
      body = TS_BODY_REDUCES;
    ts_ports_add_loop(out, is_parallel ? TS_LOOP_PARALLEL : TS_LOOP_REDUCTION, TS_DYNAMIC);
  }
  read_ports(&r);
  check_iterators(&r);
  read_body(&r, body);
  if (body == TS_BODY_REDUCES && ts_linalg_scatters(op))
    for (intptr_t l = 0; l < num_loops; l++)
      out->loops[l].scatters = out->loops[l].kind == TS_LOOP_REDUCTION;
  ts_late_need_complete(arena, op, out);
  ts_scans_read(arena, op, out);
  ts_lookups_read(arena, op, &captured, out, remark);
  return true;
}

/* The loop of this kind that is split, or -1. */
static int split_loop(const ts_localize *context, ts_loop_kind kind) {
  for (int l = 0; l < context->loops->num_loops; l++)
    if (context->loops->loops[l].kind == kind && ts_dim_is_split(&context->loop_sharding->loops[l]))
      return l;
  return -1;
}

bool ts_linalg_localize(const ts_localize *context, MlirValue *results) {
  int choice = split_loop(context, TS_LOOP_CHOICE), scan = split_loop(context, TS_LOOP_SCAN);
  if (choice >= 0)
    return ts_choice_localize(context, choice, results);
  if (scan >= 0)
    return ts_scan_localize(context, scan, results);
  return ts_linalg_localize_plain(context, results);
}
