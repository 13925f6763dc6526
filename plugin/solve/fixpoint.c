/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Propagation: layouts flow through ops, links and calls until nothing changes. Axes are only
 * ever added to a value, each at most once, so the work is linear in ops and uses. It knows who
 * sees a value; it must not know costs. */
#include "solve/fixpoint.h"

#include <stdlib.h>

#include "model/signature.h"
#include "model/sums.h"
#include "solve/growth.h"
#include "solve/loop_choice.h"
#include "solve/summary.h"

typedef struct queue {
  ts_model *model;
  const ts_grid *grid;
  bool is_propagated; /* annotations say how each op takes its operands */
  ts_op **ring;       /* every op is in it at most once */
  int capacity, first, num;
  bool *is_in;    /* the ring, by position */
  char *again;    /* how often an op has looked again because another one chose, by position */
  ts_op *current; /* need not look again at what it changed itself */
} queue;

static void push(queue *q, ts_op *op) {
  if (q->is_in[op->position] || op->is_inert || op == q->current || op->kind == TS_OP_WHOLE ||
      op->kind == TS_OP_SHAPE || op->kind == TS_OP_IGNORE)
    return;
  q->is_in[op->position] = true;
  q->ring[(q->first + q->num++) % q->capacity] = op;
}

static ts_op *pop(queue *q) {
  ts_op *op = q->ring[q->first];
  q->first = (q->first + 1) % q->capacity;
  q->num--;
  q->is_in[op->position] = false;
  return op;
}

/* All who see the value look again. */
static void push_all(queue *q, const ts_value *value) {
  if (value->definition)
    push(q, value->definition);
  for (int i = 0; i < value->num_users; i++)
    push(q, value->users[i]);
}

/* What ops behind a loop may wish for a sum of the loop's. */
static const ts_sharding *without_held(queue *q, const ts_value *value, const ts_sharding *wish) {
  for (int d = 0; d < value->rank; d++)
    if (ts_dim_axes(&wish->dims[d]) & value->held)
      wish = ts_sharding_with_dim(&q->model->scratch, wish, d,
                                  ts_dim_plain(&q->model->scratch, value->shape[d], 0, NULL));
  return wish;
}

/* The current op wishes `wish` for the value; looks again at all who see it if it grows. What is in
 * one group grows by the same. */
static void extend(queue *q, ts_value *value, const ts_sharding *wish) {
  if (wish && value->held && q->current && ts_is_behind(q->current, value->definition))
    wish = without_held(q, value, wish);
  if (!ts_grow(q->model, value, wish, q->current))
    return;
  push_all(q, value);
  for (ts_value *other = value->next_in_group; other && other != value;
       other = other->next_in_group)
    if (ts_grow(q->model, other, value->layout, q->current))
      push_all(q, other);
}

/* Where data says what an op needs, it takes what others ask for anyway: it looks again when one of
 * them chooses otherwise, a few times, for they may do the same. */
static void push_those_who_share(queue *q, const ts_op *op) {
  const int most = 2, most_users = 12;
  for (int i = 0; i < op->num_operands; i++)
    for (int u = 0; op->operands[i] && u < op->operands[i]->num_users && u < most_users; u++) {
      ts_op *user = op->operands[i]->users[u];
      if (user->kind != TS_OP_RULE || !ts_goes_by_data(user) || q->again[user->position] == most)
        continue;
      q->again[user->position]++;
      push(q, user);
    }
}

static void flow_rule(queue *q, ts_op *op) {
  const ts_loop_sharding *before = op->sharding;
  ts_loop_sharding chosen = ts_choose_loops(q->model, q->grid, op, q->is_propagated);
  op->sharding = ts_intern_loops(&q->model->interned, op->sharding, &chosen);
  if (before && op->sharding != before)
    push_those_who_share(q, op);
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i] && !op->operands[i]->is_free && !op->operands[i]->is_fixed)
      extend(q, op->operands[i],
             ts_loops_project(&q->model->scratch, op->loops, op->sharding, &op->loops->operands[i],
                              op->operands[i]->shape));
  for (int r = 0; r < op->num_results; r++)
    if (op->results[r] && !op->results[r]->is_fixed)
      extend(q, op->results[r], ts_wish_for_result(q->model, q->grid, op, r));
}

static void flow_link(queue *q, ts_op *op) {
  ts_value *source = op->operands[0], *result = op->results[0];
  if (!op->waits && (op->flow == TS_FLOW_BOTH || op->flow == TS_FLOW_BACKWARD))
    extend(q, source, result->layout);
  if (!source->is_free && (op->flow == TS_FLOW_BOTH || op->flow == TS_FLOW_FORWARD))
    extend(q, result, source->layout);
}

/* `layout`, which may be a callee's on another grid, on the function's grid, or NULL. */
static const ts_sharding *here(const queue *q, const ts_sharding *layout) {
  return layout->grid == q->grid ? layout : ts_sharding_refined(q->model->arena, layout, q->grid);
}

/* A sum of trips that are dealt out, and its parts. */
static void flow_sums(queue *q, ts_op *op) {
  for (int r = 0; r < op->num_results; r++) {
    ts_value *part = op->targets[op->num_operands - op->num_results + r];
    if (!op->deals->sums[r])
      continue;
    extend(q, op->results[r], part->layout);
    extend(q, part, op->results[r]->layout);
  }
}

static void flow_fixed(queue *q, ts_op *op) {
  for (int i = 0; i < op->num_operands; i++) {
    if (!op->operands[i] || !op->targets[i])
      continue;
    extend(q, op->operands[i], here(q, op->targets[i]->layout));
    if (!op->operands[i]->is_free)
      extend(q, op->targets[i], op->operands[i]->layout);
  }
  for (int r = 0; op->callee && r < op->num_results; r++)
    if (op->results[r])
      extend(q, op->results[r], here(q, op->callee->results[r]->layout));
  if (op->deals)
    flow_sums(q, op);
}

/* As the callee has them if it is solved for what the values have now. */
static void flow_call(queue *q, ts_op *op) {
  const ts_summary *summary = ts_summary_of_call(q->model, q->grid, op);
  for (int i = 0; summary && i < op->num_operands; i++)
    if (op->operands[i])
      extend(q, op->operands[i], summary->grown[i]);
  for (int r = 0; summary && r < op->num_results; r++)
    if (op->results[r])
      extend(q, op->results[r], summary->results[r]);
}

/* Until nothing changes. */
static void drain(queue *q) {
  while (q->num) {
    ts_op *op = pop(q);
    ts_arena_reset(&q->model->scratch);
    q->current = op;
    if (op->kind == TS_OP_RULE)
      flow_rule(q, op);
    else if (op->kind == TS_OP_LINK)
      flow_link(q, op);
    else if (op->kind == TS_OP_CALL)
      flow_call(q, op);
    else
      flow_fixed(q, op);
  }
  q->current = NULL;
}

/* ---- sums of loops --------------------------------------------------------------------------- */

/* Ops that what a sum is made of is followed through: one behind the other, and in all. */
enum { MOST_BEHIND = 8, MOST_LOOKED_AT = 256 };

/* The axes that the value is made partial over, by its op or by ones before that pass that on. */
static ts_axes made_partial(const ts_value *value, int most, int *left) {
  const ts_op *op = value ? value->definition : NULL;
  if (!op || op->kind != TS_OP_RULE || !op->sharding || !most || (*left)-- <= 0)
    return 0;
  ts_axes axes = ts_loops_partial_axes(op->loops, op->sharding);
  uint32_t terms = 0;
  for (int r = 0; r < op->num_results; r++)
    for (int t = 0; t < op->loops->terms[r].num_terms; t++)
      terms |= op->loops->terms[r].sets[t] & ~op->loops->terms[r].must_be_complete;
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
    if (terms >> i & 1)
      axes |= made_partial(op->operands[i], most - 1, left);
  return axes;
}

/* What ends the loop gives the value partial over: it can be carried so, and reduced and cut once.
 */
static ts_axes added_up_partial(const ts_value *tied) {
  ts_axes axes = 0;
  int left = MOST_LOOKED_AT;
  for (int u = 0; u < tied->num_users; u++) {
    const ts_op *end = tied->users[u];
    for (int i = 0; end->kind == TS_OP_FIXED && end != tied->definition && i < end->num_operands;
         i++)
      if (end->targets[i] == tied)
        axes |= made_partial(end->operands[i], MOST_BEHIND, &left);
  }
  return axes;
}

/* Lets annotations that have waited pass back, where nothing is lost by that. */
static void release_annotations(queue *q, ts_function *function) {
  for (int i = 0; i < function->num_ops; i++) {
    ts_op *op = function->ops[i];
    if (op->kind != TS_OP_LINK || !op->waits ||
        added_up_partial(op->operands[0]) & ts_sharding_split_axes(op->results[0]->layout))
      continue;
    op->waits = false;
    push(q, op);
    drain(q);
  }
}

static bool runs_again(const ts_value *tied) {
  for (int u = 0; u < tied->num_users; u++)
    if (ts_ends_loop(tied->users[u], tied) && tied->users[u]->weight > tied->definition->weight)
      return true;
  return false;
}

static void each_sum(ts_function *function, queue *q, void (*change)(queue *q, ts_value *tied)) {
  for (int i = 0; i < function->num_ops; i++) {
    const ts_op *op = function->ops[i];
    for (int r = 0; op->kind == TS_OP_FIXED && op->ties && r < op->num_results; r++)
      if (op->results[r] && !op->results[r]->is_fixed && ts_is_added_up(op->results[r]) &&
          runs_again(op->results[r]))
        change(q, op->results[r]);
  }
}

static void hold(queue *q, ts_value *tied) {
  (void)q;
  tied->held = ~(ts_axes)0;
}

static void release(queue *q, ts_value *tied) {
  tied->held = added_up_partial(tied);
  push_all(q, tied);
  drain(q);
}

static int by_priority(const void *a, const void *b) {
  const ts_late_dim *left = a, *right = b;
  if (left->priority != right->priority)
    return left->priority < right->priority ? -1 : 1;
  return left->order < right->order ? -1 : 1;
}

void ts_fixpoint(ts_model *model, ts_function *function) {
  queue q = {.model = model, .grid = function->grid, .capacity = function->num_ops + 1};
  q.is_propagated = ts_is_propagated(function->handle);
  q.ring = TS_NEW(model->arena, ts_op *, q.capacity);
  q.is_in = TS_NEW(model->arena, bool, q.capacity);
  q.again = TS_NEW(model->arena, char, q.capacity);
  each_sum(function, &q, hold);
  for (int i = 0; i < function->num_late; i++)
    ts_hide_late(model, function->late[i].value);
  for (int i = 0; i < function->num_ops; i++)
    push(&q, function->ops[i]);
  drain(&q);
  ts_late_dim *late = function->late;
  if (function->num_late)
    qsort(late, (size_t)function->num_late, sizeof(*late), by_priority);
  for (int i = 0; i < function->num_late; i++) {
    ts_show_late(model, &late[i]);
    push_all(&q, late[i].value);
    if (i + 1 == function->num_late || late[i + 1].priority != late[i].priority)
      drain(&q);
  }
  release_annotations(&q, function);
  each_sum(function, &q, release);
}
