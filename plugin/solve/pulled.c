/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that compute, run once for each range that is asked of their result, so that what moves is
 * their operands: of a fused projection its weights, and those once for a loop. It knows ranges and
 * prices; it must not know what ops compute. */
#include "solve/pulled.h"

#include "rules/linalg.h"
#include "solve/asks.h"
#include "solve/price.h"
#include "solve/views.h"

/* Ops that ranges are followed through to where they move fewest bytes, one behind the other and in
 * all: of stencils the ways back are as many as a power of their points. */
enum { MOST_OPS = 6, MOST_VISITS = 256, MOST_TAKEN = 64, MOST_TOGETHER = 128, MOST_ASKS = 32 };

typedef struct piece {
  const ts_value *value;
  const ts_sharding *layout;
} piece;

typedef struct search {
  ts_model *model;
  int left;                /* visits */
  piece taken[MOST_TAKEN]; /* fetched for one of the ranges, or one way there: there for others */
  int num_taken;
  piece together[MOST_TOGETHER]; /* what there is of values once all have what they ask for */
  int num_together;
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

static double bytes_lacking(ts_arena *arena, const ts_value *value, const ts_op *user,
                            const ts_sharding *layout) {
  return ts_bytes_lacking(arena, value, user, value->layout, layout);
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
          least_bytes(s, op->operands[i], op, ts_asked_by(&s->model->scratch, op, loops, i), most);
  return bytes;
}

bool ts_is_fetched_anyway(ts_arena *arena, const ts_value *value, const ts_sharding *layout) {
  for (int i = 0; i < value->num_asks; i++)
    if (ts_sharding_contains(arena, value->asks[i].layout, layout))
      return true;
  return false;
}

static bool is_expected(ts_arena *arena, const ts_value *value, const ts_sharding *layout) {
  for (int i = 0; i < value->num_expected; i++)
    if (ts_sharding_contains(arena, value->expected[i].layout, layout))
      return true;
  return false;
}

/* `piece` and what `ask` has besides, if that is no more to fetch together; else NULL. */
static const ts_sharding *with_ask(ts_arena *arena, const ts_sharding *held,
                                   const ts_sharding *piece, const ts_sharding *ask) {
  const ts_ask a = {.layout = piece}, b = {.layout = ask};
  const ts_sharding *both = ts_union_of_asks(arena, &a, &b).layout;
  double together = both ? ts_sharding_lacking(arena, held, both) : -1;
  return together >= 0 && together <= ts_sharding_lacking(arena, held, piece) +
                                          ts_sharding_lacking(arena, held, ask)
             ? both
             : NULL;
}

/* Adds an ask to the pieces of the value that are known from number `first` on, the first of which
 * is what devices have: to one of those, or as another with what they have. */
static void put_together(search *s, int first, const ts_sharding *ask) {
  ts_arena *arena = &s->model->scratch;
  const ts_value *value = s->together[first].value;
  for (int i = first; i < s->num_together; i++) {
    const ts_sharding *both = with_ask(arena, value->layout, s->together[i].layout, ask);
    if (both) {
      s->together[i].layout = both;
      return;
    }
  }
  const ts_sharding *both = with_ask(arena, value->layout, value->layout, ask);
  if (both && s->num_together < MOST_TOGETHER)
    s->together[s->num_together++] = (piece){value, both};
}

/* What devices have of the value once uses that have asked, or are expected to, have what they ask
 * for: number of the first of the pieces, or -1 if there is no room for them. */
static int find_together(search *s, const ts_value *value) {
  for (int i = 0; i < s->num_together; i++)
    if (s->together[i].value == value)
      return i;
  int first = s->num_together;
  if (first == MOST_TOGETHER)
    return -1;
  s->together[s->num_together++] = (piece){value, value->layout};
  for (int i = 0; i < value->num_asks && i < MOST_ASKS; i++)
    put_together(s, first, value->asks[i].layout);
  for (int i = 0; i < value->num_expected && i < MOST_ASKS; i++)
    put_together(s, first, value->expected[i].layout);
  return first;
}

static bool has_together(search *s, const ts_value *value, const ts_sharding *layout) {
  int first = find_together(s, value);
  for (int i = first; i >= 0 && i < s->num_together && s->together[i].value == value; i++)
    if (ts_sharding_contains(&s->model->scratch, s->together[i].layout, layout))
      return true;
  return false;
}

/* It need not be fetched for this. */
static bool is_there_by_then(search *s, const ts_value *value, const ts_sharding *layout) {
  ts_arena *arena = &s->model->scratch;
  if (ts_is_fetched_anyway(arena, value, layout) || is_expected(arena, value, layout))
    return true;
  return !layout->num_partial && !value->layout->num_partial && ts_sharding_has_ranges(layout) &&
         has_together(s, value, layout);
}

static bool is_taken(const search *s, const ts_value *value, const ts_sharding *layout) {
  for (int i = 0; i < s->num_taken; i++)
    if (s->taken[i].value == value &&
        ts_sharding_contains(&s->model->scratch, s->taken[i].layout, layout))
      return true;
  return false;
}

static void take(search *s, const ts_value *value, const ts_sharding *layout) {
  if (s->num_taken < MOST_TAKEN)
    s->taken[s->num_taken++] = (piece){value, layout};
}

/* As far as ops before it can make their ranges of others'. */
static double least_bytes(search *s, ts_value *value, const ts_op *user, const ts_sharding *layout,
                          int most) {
  if (ts_free_source(value))
    return 0;
  value = ts_value_behind(value);
  if (is_there_by_then(s, value, layout) || is_taken(s, value, layout))
    return 0;
  double bytes = bytes_lacking(&s->model->scratch, value, user, layout);
  const ts_op *op = value->definition;
  if (bytes <= 0)
    return bytes;
  int num_taken = s->num_taken;
  bool goes_on = most && s->left-- > 0 && op && ts_can_be_pulled(op) &&
                 (ts_sharding_has_ranges(layout) || ts_is_light(op));
  const ts_loop_sharding *loops = goes_on ? ts_view_loops(&s->model->scratch, op, layout) : NULL;
  double before = loops ? bytes_of_operands(s, op, loops, most - 1, bytes) : TS_NEVER;
  if (before < bytes || (s->model->hopes && before <= bytes))
    return before;
  s->num_taken = num_taken;
  take(s, value, layout);
  return bytes;
}

/* Where nothing is pulled; what only moves elements holds none of its own. */
static double bytes_fetched(search *s, ts_value *value, const ts_op *user,
                            const ts_sharding *layout, int most) {
  if (ts_free_source(value))
    return 0;
  value = ts_value_behind(value);
  if (is_there_by_then(s, value, layout))
    return 0;
  const ts_op *op = value->definition;
  bool moves = most && s->left-- > 0 && op && ts_can_be_pulled(op) && ts_only_moves(op->handle);
  const ts_loop_sharding *loops = moves ? ts_view_loops(&s->model->scratch, op, layout) : NULL;
  if (!loops)
    return bytes_lacking(&s->model->scratch, value, user, layout);
  double bytes = 0;
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      bytes += bytes_fetched(s, op->operands[i], op, ts_asked_by(&s->model->scratch, op, loops, i),
                             most - 1);
  return bytes;
}

/* Bytes that the op's operands move where it runs for its result as it is. */
static double bytes_now(ts_model *model, const ts_op *op) {
  search search = {.model = model, .left = MOST_VISITS};
  double bytes = 0;
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      bytes += bytes_fetched(&search, op->operands[i], op, op->required[i], MOST_OPS);
  return bytes;
}

/* What the op computes more for the ranges than for its piece, as bytes of its result: nothing if
 * that is hardly more. */
static double bytes_computed_more(ts_model *model, const ts_op *op, int num, const ts_ask *ranges) {
  const double most_work = 1.05;
  double own = ts_sharding_most_elements(&model->scratch, op->natural[0]), work = 0;
  for (int u = 0; u < num; u++)
    work += ts_sharding_most_elements(&model->scratch, ranges[u].layout);
  if (own > 0 && work <= own * most_work)
    return 0;
  return own > 0 && ts_is_elementwise(op)
             ? (work - own) * ts_bytes_of_element(op->results[0]) * op->weight
             : TS_NEVER;
}

/* What a byte that is computed more counts beside one that is received, where pieces come whole or
 * split otherwise: memory is so much faster than what is between devices. */
static const double work_beside_bytes = 0.25;

bool ts_is_cheaper_pulled(ts_model *model, const ts_op *op, int num, const ts_ask *ranges) {
  bool moves = ts_only_moves(op->handle);
  double more = moves ? 0 : bytes_computed_more(model, op, num, ranges);
  if (more >= TS_NEVER)
    return false;
  search search = {.model = model, .left = MOST_VISITS};
  double now = bytes_now(model, op), pulled = 0;
  for (int u = 0; u < num && pulled < TS_NEVER; u++) {
    const ts_loop_sharding *loops = ts_view_loops(&model->scratch, op, ranges[u].layout);
    if (!loops)
      return false;
    now += ts_bytes_lacking(&model->scratch, op->results[0], op, op->natural[0], ranges[u].layout);
    for (int i = 0; i < op->num_operands && pulled < TS_NEVER; i++)
      if (op->operands[i])
        pulled += least_bytes(&search, op->operands[i], op,
                              ts_asked_by(&model->scratch, op, loops, i), MOST_OPS);
  }
  if (now >= TS_NEVER || pulled >= TS_NEVER)
    return false;
  bool in_ranges = ts_is_asked_in_ranges(op->results[0]);
  if (in_ranges && (moves || model->hopes))
    return pulled <= now && more <= now;
  return pulled < now - 0.5 && pulled + (in_ranges ? more : more * work_beside_bytes) <= now;
}
