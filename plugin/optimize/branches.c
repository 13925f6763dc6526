/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Collectives that one branch alone needs, in that branch, with what is made of them: where the
 * other is taken they are saved. Their whole group has to take the same branch, so that what
 * decides is surely the same on all of its devices. It must not know what collectives do. */
#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "optimize/communication.h"
#include "optimize/optimize.h"
#include "optimize/same.h"
#include "support/blocks.h"

/* A region of an op that runs no more than one of them; null op: none. */
typedef struct branch {
  MlirOperation op;
  MlirRegion region;
} branch;

/* An op of the block that is looked at. */
typedef struct node {
  MlirOperation op;
  branch only; /* all uses are in it */
  bool moves;
} node;

typedef struct sinking {
  ts_optimizer *optimizer;
  ts_sameness same;
  MlirBlock block;
  int num;
  node *nodes;
  ts_map numbers; /* op -> its number, from 1 */
  int message;    /* the nearest op behind that may be one between two devices; num: none */
} sinking;

static int number_of(const sinking *s, MlirOperation op) {
  return (int)(intptr_t)ts_map_get(&s->numbers, op.ptr) - 1;
}

/* ---- where all uses are ---------------------------------------------------------------------- */

static bool has_branches(MlirOperation op) {
  return ts_op_is(op, "scf.if") || ts_op_is(op, "scf.index_switch");
}

/* The region of `around` that `inside` is in. */
static MlirRegion region_around(MlirOperation around, MlirOperation inside) {
  for (;;) {
    MlirOperation parent = mlirOperationGetParentOperation(inside);
    if (mlirOperationEqual(parent, around))
      return mlirBlockGetParentRegion(mlirOperationGetBlock(inside));
    inside = parent;
  }
}

/* A user that moves has its branch already: ops are looked at from the last to the first. */
static branch branch_of_use(const sinking *s, MlirOperation user) {
  MlirOperation here = ts_ancestor_in(s->block, user);
  int number = here.ptr ? number_of(s, here) : -1;
  if (number < 0)
    return (branch){0};
  if (has_branches(here) && !mlirOperationEqual(here, user))
    return (branch){here, region_around(here, user)};
  return s->nodes[number].only;
}

static branch branch_of_uses(const sinking *s, MlirOperation op) {
  branch only = {0};
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++)
    for (MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, r));
         !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
      branch of_use = branch_of_use(s, mlirOpOperandGetOwner(use));
      if (!of_use.op.ptr || (only.op.ptr && !mlirRegionEqual(only.region, of_use.region)))
        return (branch){0};
      only = of_use;
    }
  return only;
}

/* Structured ops are small enough to move with what is inside. */
static bool could_move(MlirOperation op) {
  return (mlirOperationGetNumRegions(op) == 0 || ts_op_is_linalg(op)) && !ts_op_is_terminator(op) &&
         ts_op_is_pure(op) && !ts_communicates_memory(op);
}

/* ---- who decides ----------------------------------------------------------------------------- */

/* All devices that the collective is between take the same branch. */
static bool is_decided_alike(const sinking *s, MlirOperation collective, MlirOperation branches) {
  ts_communication c;
  MlirValue decides = mlirOperationGetOperand(branches, 0);
  if (ts_communication_read(collective, &c))
    return ts_is_same_along(&s->same, decides, mlirFlatSymbolRefAttrGetValue(c.grid), c.set);
  MlirStringRef grid = ts_op_symbol(collective, "grid");
  if (ts_collective_of(collective)->group == TS_GROUP_OF_LAYOUTS)
    grid = mlirFlatSymbolRefAttrGetValue(mlirDictionaryAttrGetElementByName(
        ts_attribute(collective, "from"), mlirStringRefCreateFromCString("grid")));
  return ts_is_same_along(&s->same, decides, grid, TS_ALL_AXES);
}

/* No collective passes a message between two devices. */
static bool is_wanted(const sinking *s, const node *n) {
  return n->only.op.ptr && ts_collective_of(n->op) && number_of(s, n->only.op) <= s->message &&
         is_decided_alike(s, n->op, n->only.op);
}

/* ---- moving ---------------------------------------------------------------------------------- */

typedef struct look {
  const sinking *s;
  bool found;
} look;

/* Uses what moves. */
static MlirWalkResult find_moving(MlirOperation op, void *user) {
  look *l = user;
  for (intptr_t i = 0; !l->found && i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    int number =
        mlirValueIsAOpResult(operand) ? number_of(l->s, mlirOpResultGetOwner(operand)) : -1;
    l->found = number >= 0 && l->s->nodes[number].moves;
  }
  return l->found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

static void move(sinking *s) {
  ts_map firsts = {0}; /* region -> the op that it began with */
  for (int i = 0; i < s->num; i++) {
    node *n = &s->nodes[i];
    look l = {s, n->moves};
    if (n->only.op.ptr && !l.found)
      mlirOperationWalk(n->op, find_moving, &l, MlirWalkPreOrder);
    n->moves = l.found;
    if (!n->moves)
      continue;
    MlirOperation first = {ts_map_get(&firsts, n->only.region.ptr)};
    if (!first.ptr) {
      first = mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(n->only.region));
      ts_map_set(&firsts, s->optimizer->arena, n->only.region.ptr, first.ptr);
    }
    mlirOperationMoveBefore(n->op, first);
  }
}

static void visit_block(sinking *s, MlirBlock block);

static void visit_regions(sinking *s, MlirOperation op) {
  for (intptr_t i = 0; !ts_op_is_linalg(op) && i < mlirOperationGetNumRegions(op); i++)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i)); block.ptr;
         block = mlirBlockGetNextInRegion(block))
      visit_block(s, block);
}

static void sink(sinking *s, MlirBlock block, int num, const MlirOperation *ops) {
  ts_arena *arena = s->optimizer->arena;
  s->block = block;
  s->num = s->message = num;
  s->nodes = TS_NEW(arena, node, num);
  s->numbers = (ts_map){0};
  for (int i = 0; i < num; i++) {
    s->nodes[i].op = ops[i];
    ts_map_set(&s->numbers, arena, ops[i].ptr, (void *)(intptr_t)(i + 1));
  }
  for (int i = num; i-- > 0;) {
    node *n = &s->nodes[i];
    if (could_move(n->op))
      n->only = branch_of_uses(s, n->op);
    n->moves = is_wanted(s, n);
    if (ts_may_be_message(s->optimizer->plain, n->op))
      s->message = i;
  }
  move(s);
}

/* Outer blocks first: what moved into a branch may go on into one of its own. */
static void visit_block(sinking *s, MlirBlock block) {
  int num;
  MlirOperation *ops = ts_ops_of(s->optimizer->arena, block, &num);
  bool any = false;
  for (int i = 0; i < num; i++)
    any = any || has_branches(ops[i]);
  if (any)
    sink(s, block, num, ops);
  for (int i = 0; i < num; i++)
    visit_regions(s, ops[i]);
}

static MlirWalkResult find_branches(MlirOperation op, void *user) {
  bool *found = user;
  *found = has_branches(op);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

void ts_sink_into_branches(ts_optimizer *optimizer, MlirOperation function) {
  sinking s = {.optimizer = optimizer};
  bool any = false;
  mlirOperationWalk(function, find_branches, &any, MlirWalkPreOrder);
  if (!any)
    return;
  ts_sameness_find(&s.same, optimizer, function);
  visit_regions(&s, function);
}
