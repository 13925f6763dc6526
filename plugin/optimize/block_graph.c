/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Edges from values and effects, and the first of all orders that keep them. It knows values and
 * effects; it must not know which ops these are, or why. */
#include "optimize/block_graph.h"

#include <stdint.h>

#include "capi/capi.h"
#include "support/ir.h"
#include "support/map.h"

/* ---- edges ----------------------------------------------------------------------------------- */

enum { NONE = -1 };

typedef struct reader {
  ts_block_graph *graph;
  ts_arena *arena;
  ts_plain *plain;
  ts_map numbers; /* op -> its number, from 1 */
  int num_edges, max_edges;
  int last_effect;  /* op with effects; NONE */
  int last_barrier; /* op that none passes; NONE */
} reader;

static void add_edge(reader *r, int before) {
  if (before == NONE)
    return;
  r->graph->before =
      ts_arena_grow(r->arena, r->graph->before, r->num_edges, &r->max_edges, sizeof(int));
  r->graph->before[r->num_edges++] = before;
}

/* What an op inside another takes of the block, that other waits for. */
static MlirWalkResult add_values(MlirOperation op, void *user) {
  reader *r = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation owner = ts_defining_op(mlirOperationGetOperand(op, i));
    if (owner.ptr)
      add_edge(r, (int)(intptr_t)ts_map_get(&r->numbers, owner.ptr) - 1);
  }
  return MlirWalkResultAdvance;
}

static void add_effects(reader *r, int number) {
  MlirOperation op = r->graph->ops[number];
  add_edge(r, r->last_barrier);
  if (ts_is_free_of_effects(op) || ts_is_plain_call(r->plain, op))
    return;
  add_edge(r, r->last_effect);
  r->last_effect = number;
  if (!ts_may_be_message(r->plain, op))
    return;
  for (int i = r->last_barrier + 1; i < number; i++)
    add_edge(r, i);
  r->last_barrier = number;
}

void ts_block_graph_read(ts_block_graph *graph, ts_arena *arena, ts_plain *plain, MlirBlock block) {
  *graph = (ts_block_graph){0};
  reader r = {
      .graph = graph, .arena = arena, .plain = plain, .last_effect = NONE, .last_barrier = NONE};
  MlirOperation terminator = mlirBlockGetTerminator(block);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       op.ptr && !mlirOperationEqual(op, terminator); op = mlirOperationGetNextInBlock(op))
    graph->num++;
  graph->ops = TS_NEW(arena, MlirOperation, graph->num);
  graph->first = TS_NEW(arena, int, graph->num + 1);
  MlirOperation op = mlirBlockGetFirstOperation(block);
  for (int i = 0; i < graph->num; i++, op = mlirOperationGetNextInBlock(op)) {
    graph->ops[i] = op;
    graph->first[i] = r.num_edges;
    mlirOperationWalk(op, add_values, &r, MlirWalkPreOrder);
    add_effects(&r, i);
    ts_map_set(&r.numbers, arena, op.ptr, (void *)(intptr_t)(i + 1));
  }
  graph->first[graph->num] = r.num_edges;
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Groups that wait for nothing more, the one that stands first on top: a binary heap. */
typedef struct ready {
  int num;
  int *groups;
  const int *place; /* of each group */
} ready;

static void swap(int *a, int *b) {
  int kept = *a;
  *a = *b;
  *b = kept;
}

static bool is_sooner(const ready *r, int a, int b) {
  return r->place[r->groups[a]] < r->place[r->groups[b]];
}

static void push(ready *r, int group) {
  int at = r->num++;
  r->groups[at] = group;
  for (; at > 0 && is_sooner(r, at, (at - 1) / 2); at = (at - 1) / 2)
    swap(&r->groups[at], &r->groups[(at - 1) / 2]);
}

static int pop(ready *r) {
  int first = r->groups[0];
  r->groups[0] = r->groups[--r->num];
  for (int at = 0, child; (child = 2 * at + 1) < r->num; at = child) {
    child += child + 1 < r->num && is_sooner(r, child + 1, child);
    if (!is_sooner(r, child, at))
      break;
    swap(&r->groups[at], &r->groups[child]);
  }
  return first;
}

/* The groups that come after each: `after[first[g]]` to `after[first[g + 1] - 1]`. */
typedef struct followers {
  int *first, *after;
  int *waiting; /* for how many edges each group waits */
} followers;

static void turn_around(const ts_block_graph *graph, ts_arena *arena, const int *group,
                        followers *f) {
  f->first = TS_NEW(arena, int, graph->num + 2);
  f->waiting = TS_NEW(arena, int, graph->num);
  f->after = TS_NEW(arena, int, graph->first[graph->num]);
  for (int i = 0; i < graph->num; i++)
    for (int e = graph->first[i]; e < graph->first[i + 1]; e++)
      f->first[group[graph->before[e]] + 2]++;
  for (int i = 0; i < graph->num; i++)
    f->first[i + 2] += f->first[i + 1];
  for (int i = 0; i < graph->num; i++)
    for (int e = graph->first[i]; e < graph->first[i + 1]; e++) {
      f->after[f->first[group[graph->before[e]] + 1]++] = group[i];
      f->waiting[group[i]]++;
    }
}

bool ts_block_graph_order(const ts_block_graph *graph, ts_arena *arena, const int *group, int *num,
                          int *order) {
  followers f;
  turn_around(graph, arena, group, &f);
  int *place = TS_NEW(arena, int, graph->num), num_groups = 0;
  for (int i = 0; i < graph->num; i++) {
    place[group[i]] = i;
    num_groups += group[i] == i;
  }
  ready r = {.groups = TS_NEW(arena, int, graph->num), .place = place};
  for (int i = 0; i < graph->num; i++)
    if (group[i] == i && f.waiting[i] == 0)
      push(&r, i);
  for (*num = 0; r.num > 0;) {
    int done = pop(&r);
    order[(*num)++] = done;
    for (int e = f.first[done]; e < f.first[done + 1]; e++)
      if (--f.waiting[f.after[e]] == 0)
        push(&r, f.after[e]);
  }
  return *num == num_groups;
}
