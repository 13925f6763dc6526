/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Equal collectives once, with the causes of all of them: of ops without effects that have the same
 * operands, attributes and regions, the first that is known where another stands serves for it. It
 * knows what is equal; it must not know what any op does. */
#include "optimize/optimize.h"

#include <stdbool.h>

#include "capi/capi.h"
#include "optimize/communication.h"
#include "support/blocks.h"

typedef struct known {
  MlirOperation op;
  size_t hash;
  struct known *same_slot; /* known longer */
  struct known *before;    /* the one made known before, in any slot */
} known;

/* What is known where the walk is: of this block, and of those around it. */
typedef struct walk {
  ts_arena *arena;
  known **slots;
  size_t num_slots; /* a power of 2 */
  known *last;
} walk;

static void count(MlirOperation op, void *user) {
  (void)op;
  *(size_t *)user += 1;
}

static void start(walk *w, ts_arena *arena, MlirOperation function) {
  size_t num_ops = 0;
  ts_each_op(function, count, &num_ops);
  *w = (walk){.arena = arena, .num_slots = 64};
  while (w->num_slots < num_ops)
    w->num_slots *= 2;
  w->slots = TS_NEW(arena, known *, w->num_slots);
}

static known **slot_of(walk *w, size_t hash) {
  return &w->slots[(hash * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (w->num_slots - 1)];
}

static MlirOperation find_equal(walk *w, MlirOperation op, size_t hash) {
  for (known *k = *slot_of(w, hash); k; k = k->same_slot)
    if (k->hash == hash && ts_ops_are_equal(k->op, op))
      return k->op;
  return (MlirOperation){NULL};
}

static void make_known(walk *w, MlirOperation op, size_t hash) {
  known **slot = slot_of(w, hash), *made = TS_NEW(w->arena, known, 1);
  *made = (known){op, hash, *slot, w->last};
  *slot = w->last = made;
}

/* What became known after `last` is so no more. */
static void forget_since(walk *w, known *last) {
  for (; w->last != last; w->last = w->last->before)
    *slot_of(w, w->last->hash) = w->last->same_slot;
}

static void replace(walk *w, MlirOperation op, MlirOperation by) {
  if (ts_collective_of(op))
    ts_causes_join(w->arena, by, op);
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, r), mlirOperationGetResult(by, r));
  mlirOperationDestroy(op);
}

/* Is `op` one that need not be done twice? */
static bool may_merge(MlirOperation op) {
  return mlirOperationGetNumResults(op) > 0 && !ts_op_is_terminator(op) &&
         ts_is_free_of_effects(op);
}

static void visit_block(walk *w, MlirBlock block);

/* Blocks that follow each other do not know what is known in the others. */
static void visit_regions(walk *w, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i)); block.ptr;
         block = mlirBlockGetNextInRegion(block)) {
      known *before = w->last;
      visit_block(w, block);
      forget_since(w, before);
    }
}

static void visit_block(walk *w, MlirBlock block) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (!ts_op_is_linalg(op)) /* whose regions are single elements */
      visit_regions(w, op);
    if (!may_merge(op))
      continue;
    size_t hash = ts_op_content_hash(op);
    MlirOperation equal = find_equal(w, op, hash);
    if (equal.ptr)
      replace(w, op, equal);
    else
      make_known(w, op, hash);
  }
}

void ts_merge_equal(ts_optimizer *optimizer, MlirOperation function) {
  walk w;
  start(&w, optimizer->arena, function);
  visit_regions(&w, function);
}
