/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that compute, run once for each range that is asked of their result, so that what moves is
 * their operands: of a fused projection its weights, and those once for a loop. It knows ranges and
 * prices; it must not know what ops compute. */
#include "solve/pulled.h"

#include "rules/linalg.h"
#include "solve/price.h"
#include "solve/views.h"

/* Ops that ranges are followed through to where they move fewest bytes, one behind the other and in
 * all: of stencils the ways back are as many as a power of their points. */
enum { MOST_OPS = 6, MOST_VISITS = 256 };

typedef struct search {
  ts_model *model;
  int left; /* visits */
} search;

double ts_weight_at(const ts_value *value, const ts_op *user) {
  if (!value->definition)
    return 1;
  return value->definition->kind == TS_OP_RULE ? value->definition->weight : user->weight;
}

double ts_bytes_lacking(ts_arena *arena, const ts_value *value, const ts_op *user,
                        const ts_sharding *held, const ts_sharding *layout) {
  if (layout->num_partial || value->layout->num_partial)
    return TS_NEVER;
  double elements = ts_sharding_lacking(arena, held, layout);
  return elements < 0 ? TS_NEVER
                      : elements * ts_bytes_of_element(value) * ts_weight_at(value, user);
}

/* Of what lies as it is made. */
static double bytes_lacking(ts_arena *arena, const ts_value *value, const ts_op *user,
                            const ts_sharding *layout) {
  return ts_bytes_lacking(arena, value, user, ts_sharding_balanced(arena, value->layout), layout);
}

static double least_bytes(search *s, ts_value *value, const ts_op *user, const ts_sharding *layout,
                          int most);

/* For all operands of an op that runs under `loops`; no more are looked at once they come to
 * `enough`. */
static double bytes_of_operands(search *s, const ts_op *op, const ts_loop_sharding *loops, int most,
                                double enough) {
  double bytes = 0;
  for (int i = 0; i < op->num_operands && bytes < enough; i++)
    if (op->operands[i])
      bytes +=
          least_bytes(s, op->operands[i], op, ts_asked_by(s->model->arena, op, loops, i), most);
  return bytes;
}

bool ts_is_fetched_anyway(ts_arena *arena, const ts_value *value, const ts_sharding *layout) {
  for (int i = 0; i < value->num_asks; i++)
    if (ts_sharding_contains(arena, value->asks[i].layout, layout))
      return true;
  return false;
}

/* As far as ops before it can make their ranges of others'. */
static double least_bytes(search *s, ts_value *value, const ts_op *user, const ts_sharding *layout,
                          int most) {
  if (ts_free_source(value))
    return 0;
  value = ts_value_behind(value);
  if (ts_is_fetched_anyway(s->model->arena, value, layout))
    return 0;
  double bytes = bytes_lacking(s->model->arena, value, user, layout);
  const ts_op *op = value->definition;
  if (bytes <= 0 || !most || s->left-- <= 0 || !op || !ts_can_be_pulled(op))
    return bytes;
  const ts_loop_sharding *loops = ts_view_loops(s->model->arena, op, layout);
  double before = loops ? bytes_of_operands(s, op, loops, most - 1, bytes) : TS_NEVER;
  return before < bytes ? before : bytes;
}

/* Operand `i` is asked for the same as under the loops before: one piece serves both. */
static bool is_asked_again(ts_model *model, const ts_op *op, int i, const ts_loop_sharding *before,
                           const ts_loop_sharding *loops) {
  return before && ts_sharding_equal(ts_asked_by(model->arena, op, before, i),
                                     ts_asked_by(model->arena, op, loops, i));
}

/* Where nothing is pulled; what only moves elements holds none of its own. */
static double bytes_fetched(search *s, ts_value *value, const ts_op *user,
                            const ts_sharding *layout, int most) {
  if (ts_free_source(value))
    return 0;
  value = ts_value_behind(value);
  if (ts_is_fetched_anyway(s->model->arena, value, layout))
    return 0;
  const ts_op *op = value->definition;
  bool moves = most && s->left-- > 0 && op && ts_can_be_pulled(op) && ts_only_moves(op->handle);
  const ts_loop_sharding *loops = moves ? ts_view_loops(s->model->arena, op, layout) : NULL;
  if (!loops)
    return bytes_lacking(s->model->arena, value, user, layout);
  double bytes = 0;
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      bytes += bytes_fetched(s, op->operands[i], op, ts_asked_by(s->model->arena, op, loops, i),
                             most - 1);
  return bytes;
}

/* Bytes that the op's operands move where it runs for its result as it is. */
static double bytes_now(ts_model *model, const ts_op *op) {
  search search = {model, MOST_VISITS};
  double bytes = 0;
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      bytes += bytes_fetched(&search, op->operands[i], op, op->required[i], MOST_OPS);
  return bytes;
}

/* Each element of the result is made of one of each operand: no more work than moving one is. */
static bool is_light(const ts_op *op) {
  for (int l = 0; l < op->loops->num_loops; l++)
    if (op->loops->loops[l].kind != TS_LOOP_PARALLEL)
      return false;
  return true;
}

/* What the op computes more for the ranges than for its piece, as bytes of its result: nothing if
 * that is hardly more. */
static double bytes_computed_more(ts_model *model, const ts_op *op, int num, const ts_ask *ranges) {
  const double most_work = 1.05;
  double own = ts_sharding_most_elements(model->arena, op->natural[0]), work = 0;
  for (int u = 0; u < num; u++)
    work += ts_sharding_most_elements(model->arena, ranges[u].layout);
  if (own > 0 && work <= own * most_work)
    return 0;
  return own > 0 && is_light(op) ? (work - own) * ts_bytes_of_element(op->results[0]) * op->weight
                                 : TS_NEVER;
}

bool ts_is_cheaper_pulled(ts_model *model, const ts_op *op, int num, const ts_ask *ranges) {
  bool moves = ts_only_moves(op->handle);
  double more = moves ? 0 : bytes_computed_more(model, op, num, ranges);
  if (more >= TS_NEVER)
    return false;
  search search = {model, MOST_VISITS};
  const ts_loop_sharding *before = NULL;
  double now = bytes_now(model, op), pulled = 0;
  for (int u = 0; u < num && pulled < TS_NEVER; u++) {
    const ts_loop_sharding *loops = ts_view_loops(model->arena, op, ranges[u].layout);
    if (!loops)
      return false;
    now += bytes_lacking(model->arena, op->results[0], op, ranges[u].layout);
    for (int i = 0; i < op->num_operands && pulled < TS_NEVER; i++)
      if (op->operands[i] && !is_asked_again(model, op, i, before, loops))
        pulled += least_bytes(&search, op->operands[i], op, ts_asked_by(model->arena, op, loops, i),
                              MOST_OPS);
    before = loops;
  }
  if (now >= TS_NEVER || pulled >= TS_NEVER)
    return false;
  return moves ? pulled <= now : pulled < now - 0.5 && pulled + more <= now;
}
