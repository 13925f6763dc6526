/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Collectives that are the same in each trip of a loop, before it, with what makes their operands,
 * as long as what the loop keeps is not too large. All devices go through a loop as often, so that
 * all of them do what is moved, though a loop without trips would not have: that costs time alone,
 * but for reads at places of the run, which stay in such loops. What stands in a branch, or behind
 * a message between two devices, stays there. It must not know what collectives do. */
#include "capi/capi.h"
#include "emit/emit.h"
#include "optimize/communication.h"
#include "optimize/loop_runs.h"
#include "optimize/optimize.h"
#include "support/blocks.h"
#include "support/ir.h"
#include "support/map.h"

/* An op of a loop that could stand before it. */
typedef struct candidate {
  MlirOperation op;
  bool moves;
} candidate;

typedef struct hoisting {
  ts_arena *arena;
  ts_plain *plain;
  MlirOperation loop;
  int num, max;
  candidate *candidates; /* in the order of the program */
  ts_map numbers;        /* op -> its number, from 1 */
  double room;           /* bytes */
  bool surely_runs;      /* the block that is looked at, at least once */
  bool is_after_message; /* what is looked at now */
} hoisting;

typedef struct check {
  const hoisting *h;
  MlirOperation op;
} check;

/* Is `value` there before the loop, or would it be, with candidates? An op may use its own. */
static bool is_invariant(MlirValue value, void *user) {
  const check *c = user;
  MlirOperation owner = ts_owner_of(value);
  return !ts_is_inside(owner, c->h->loop) || ts_map_get(&c->h->numbers, owner.ptr) ||
         ts_is_inside(owner, c->op);
}

/* Reads or writes a tensor at a place that only the run knows, which may lie outside of it where
 * the loop would not have run. */
static MlirWalkResult find_place(MlirOperation op, void *user) {
  static const char *const always[] = {"tensor.gather", "tensor.scatter"};
  static const struct {
    const char *op;
    intptr_t tensors; /* operands behind them say where */
  } names[] = {{"tensor.extract", 1},
               {"tensor.insert", 2},
               {"tensor.extract_slice", 1},
               {"tensor.insert_slice", 2},
               {"tensor.parallel_insert_slice", 2}};
  bool *found = user;
  for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
    *found |= ts_op_is(op, always[i]);
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    for (intptr_t k = names[i].tensors;
         ts_op_is(op, names[i].op) && k < mlirOperationGetNumOperands(op); k++)
      *found |= ts_index_value(mlirOperationGetOperand(op, k)) == TS_DYNAMIC;
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static bool has_place_of_the_run(MlirOperation op) {
  bool found = false;
  mlirOperationWalk(op, find_place, &found, MlirWalkPreOrder);
  return found;
}

/* Structured ops are small enough to be looked into. */
static bool could_move(const hoisting *h, MlirOperation op) {
  if (mlirOperationGetNumRegions(op) > 0 && !ts_op_is_linalg(op))
    return false;
  if (ts_op_is_terminator(op) || !ts_op_is_pure(op) || ts_communicates_memory(op))
    return false;
  if (ts_collective_of(op) && h->is_after_message)
    return false;
  if (!h->surely_runs && has_place_of_the_run(op))
    return false;
  return ts_all_operands(op, is_invariant, &(check){h, op});
}

static void add_candidate(hoisting *h, MlirOperation op) {
  ts_communication c;
  h->candidates = ts_arena_grow(h->arena, h->candidates, h->num, &h->max, sizeof(candidate));
  candidate *added = &h->candidates[h->num++];
  *added = (candidate){op, false};
  ts_map_set(&h->numbers, h->arena, op.ptr, (void *)(intptr_t)h->num);
  if (!ts_communication_read(op, &c))
    return;
  double bytes = ts_tensor_bytes(mlirValueGetType(ts_communication_result(&c)));
  added->moves = bytes <= h->room;
  h->room -= added->moves ? bytes : 0;
}

static void find_candidates(hoisting *h, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (could_move(h, op))
      add_candidate(h, op);
    h->is_after_message |= ts_may_be_message(h->plain, op);
  }
}

static MlirWalkResult need_operands(MlirOperation op, void *user) {
  hoisting *h = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirOperation owner = ts_owner_of(mlirOperationGetOperand(op, i));
    intptr_t number = (intptr_t)ts_map_get(&h->numbers, owner.ptr);
    if (number > 0)
      h->candidates[number - 1].moves = true;
  }
  return MlirWalkResultAdvance;
}

static void move_out(hoisting *h) {
  for (int i = h->num; i-- > 0;)
    if (h->candidates[i].moves)
      mlirOperationWalk(h->candidates[i].op, need_operands, h, MlirWalkPreOrder);
  for (int i = 0; i < h->num; i++)
    if (h->candidates[i].moves)
      mlirOperationMoveBefore(h->candidates[i].op, h->loop);
}

static void visit_loop(MlirOperation op, void *user) {
  ts_optimizer *optimizer = user;
  if (!ts_op_is(op, "scf.for") && !ts_op_is(op, "scf.while"))
    return;
  ts_arena arena = {0};
  hoisting h = {.arena = &arena,
                .plain = optimizer->plain,
                .loop = op,
                .room = (double)optimizer->hoisted_bytes};
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
    h.surely_runs = ts_surely_runs(op, i);
    find_candidates(&h, mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i)));
  }
  move_out(&h);
  ts_arena_free(&arena);
}

void ts_hoist_invariant(ts_optimizer *optimizer, MlirOperation function) {
  ts_each_op(function, visit_loop, optimizer);
}
