/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The rows: how operands, block arguments, what ends blocks, and results are tied, op by op. To add
 * an op: write its ties and add its row. It knows ops; it must not know what is tied for. */
#include "regions/regions.h"

#include "capi/capi.h"
#include "support/blocks.h"
#include "support/ir.h"
#include "support/map.h"

static ts_tie make_tie(ts_arena *arena, int num_values, const MlirValue *values, int num_sources,
                       const ts_tie_source *sources) {
  return (ts_tie){num_values, ts_arena_copy(arena, values, sizeof(*values) * (size_t)num_values),
                  num_sources,
                  ts_arena_copy(arena, sources, sizeof(*sources) * (size_t)num_sources)};
}

static MlirBlock first_block(MlirOperation op, int region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}

static int count_results(MlirOperation op) {
  return (int)mlirOperationGetNumResults(op);
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* What is carried is an operand, an argument of the body, what the body yields, and a result. */
static void tie_for(ts_arena *arena, MlirOperation op, ts_tie *ties) {
  MlirBlock body = first_block(op, 0);
  MlirOperation end = mlirBlockGetTerminator(body);
  int num = count_results(op), first = (int)mlirOperationGetNumOperands(op) - num;
  for (int i = 0; i < num; i++) {
    const MlirValue values[2] = {mlirBlockGetArgument(body, i + 1), mlirOperationGetResult(op, i)};
    const ts_tie_source sources[2] = {{op, first + i}, {end, i}};
    ties[i] = make_tie(arena, 2, values, 2, sources);
  }
}

/* The argument of the first region of a while loop that its condition passes on as result `i`, and
 * as no result before; -1: it passes on something else. */
static int passed_argument(MlirOperation op, int i) {
  MlirBlock before = first_block(op, 0);
  MlirOperation condition = mlirBlockGetTerminator(before);
  MlirValue passed = mlirOperationGetOperand(condition, i + 1);
  bool is_argument = mlirValueIsABlockArgument(passed) &&
                     mlirBlockEqual(mlirBlockArgumentGetOwner(passed), before);
  for (int k = 0; k < i && is_argument; k++)
    is_argument = !mlirValueEqual(mlirOperationGetOperand(condition, k + 1), passed);
  return is_argument ? (int)mlirBlockArgumentGetArgNumber(passed) : -1;
}

static int count_while(MlirOperation op) {
  int num = (int)mlirOperationGetNumOperands(op);
  for (int i = 0; i < count_results(op); i++)
    num += passed_argument(op, i) < 0;
  return num;
}

/* Argument `i` of the first region is an operand, or what the second one yields; the result, and
 * the argument of the second region, that the condition passes it on as are the same. */
static ts_tie tie_passed(ts_arena *arena, MlirOperation op, int i) {
  MlirBlock before = first_block(op, 0), after = first_block(op, 1);
  MlirOperation condition = mlirBlockGetTerminator(before), yield = mlirBlockGetTerminator(after);
  MlirValue values[3] = {mlirBlockGetArgument(before, i)};
  ts_tie_source sources[3] = {{op, i}};
  int num_values = 1, num_sources = 1;
  for (int r = 0; r < count_results(op); r++)
    if (passed_argument(op, r) == i) {
      values[num_values++] = mlirBlockGetArgument(after, r);
      values[num_values++] = mlirOperationGetResult(op, r);
      sources[num_sources++] = (ts_tie_source){condition, r + 1};
    }
  sources[num_sources++] = (ts_tie_source){yield, i};
  return make_tie(arena, num_values, values, num_sources, sources);
}

/* What the condition passes on may be something else than what the loop carries. */
static void tie_while(ts_arena *arena, MlirOperation op, ts_tie *ties) {
  MlirBlock after = first_block(op, 1);
  MlirOperation condition = mlirBlockGetTerminator(first_block(op, 0));
  for (int i = 0; i < mlirOperationGetNumOperands(op); i++)
    *ties++ = tie_passed(arena, op, i);
  for (int i = 0; i < count_results(op); i++) {
    const MlirValue values[2] = {mlirBlockGetArgument(after, i), mlirOperationGetResult(op, i)};
    const ts_tie_source source = {condition, i + 1};
    if (passed_argument(op, i) < 0)
      *ties++ = make_tie(arena, 2, values, 1, &source);
  }
}

/* ---- one of several blocks ------------------------------------------------------------------- */

/* What ends those blocks that can be reached and give the op's results, in order. */
static MlirOperation *yields_of(ts_arena *arena, MlirOperation op, int *num) {
  MlirOperation *yields = NULL;
  int max = 0;
  *num = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
    int num_blocks;
    MlirBlock *blocks = ts_blocks_in_order(arena, mlirOperationGetRegion(op, i), &num_blocks);
    for (int b = 0; b < num_blocks; b++) {
      MlirOperation end = mlirBlockGetTerminator(blocks[b]);
      if (mlirOperationGetNumSuccessors(end) != 0)
        continue;
      yields = ts_arena_grow(arena, yields, *num, &max, sizeof(*yields));
      yields[(*num)++] = end;
    }
  }
  return yields;
}

/* A result is what the block gives that the op ends with. */
static void tie_yields(ts_arena *arena, MlirOperation op, ts_tie *ties) {
  int num;
  const MlirOperation *yields = yields_of(arena, op, &num);
  for (int i = 0; i < count_results(op); i++) {
    const MlirValue value = mlirOperationGetResult(op, i);
    ts_tie_source *sources = TS_NEW(arena, ts_tie_source, num);
    for (int y = 0; y < num; y++)
      sources[y] = (ts_tie_source){yields[y], i};
    ties[i] = make_tie(arena, 1, &value, num, sources);
  }
}

/* ---- branches between blocks ----------------------------------------------------------------- */

/* A block that others branch to. */
typedef struct target {
  int num_branches, num_added;
  ts_tie *ties; /* of its arguments */
  ts_tie_source **sources;
} target;

typedef struct branches {
  int num_blocks;
  MlirBlock *blocks; /* of a region, those that can be reached */
  ts_map targets;    /* MlirBlock -> target */
} branches;

static void count_branches(ts_arena *arena, branches *b, MlirRegion region) {
  b->blocks = ts_blocks_in_order(arena, region, &b->num_blocks);
  for (int i = 1; i < b->num_blocks; i++)
    ts_map_set(&b->targets, arena, b->blocks[i].ptr, TS_NEW(arena, target, 1));
  for (int i = 0; i < b->num_blocks && b->num_blocks > 1; i++)
    for (intptr_t s = 0; s < mlirBlockGetNumSuccessors(b->blocks[i]); s++) {
      target *to = ts_map_get(&b->targets, mlirBlockGetSuccessor(b->blocks[i], s).ptr);
      to->num_branches++;
    }
}

/* What the branch that ends `block` passes to its successor `s`. */
static void add_branch(target *to, MlirBlock block, intptr_t s) {
  MlirBlock successor = mlirBlockGetSuccessor(block, s);
  MlirOperation end = mlirBlockGetTerminator(block);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(successor); i++) {
    intptr_t operand = ts_successor_operand(end, s, i);
    to->sources[i][to->num_added] = (ts_tie_source){end, (int)operand};
    /* An argument that some branch makes itself is tied to nothing. */
    if (operand < 0)
      to->ties[i].num_sources = 0;
  }
  to->num_added++;
}

/* An argument of a block is what one of the branches to the block passes. */
static void tie_blocks(ts_arena *arena, branches *b, ts_tie *ties) {
  for (int i = 1; i < b->num_blocks; i++) {
    target *to = ts_map_get(&b->targets, b->blocks[i].ptr);
    intptr_t num = mlirBlockGetNumArguments(b->blocks[i]);
    to->ties = ties;
    to->sources = TS_NEW(arena, ts_tie_source *, num);
    for (intptr_t k = 0; k < num; k++) {
      const MlirValue value = mlirBlockGetArgument(b->blocks[i], k);
      to->sources[k] = TS_NEW(arena, ts_tie_source, to->num_branches);
      *ties++ = (ts_tie){1, ts_arena_copy(arena, &value, sizeof(value)), to->num_branches,
                         to->sources[k]};
    }
  }
  for (int i = 0; i < b->num_blocks && b->num_blocks > 1; i++)
    for (intptr_t s = 0; s < mlirBlockGetNumSuccessors(b->blocks[i]); s++)
      add_branch(ts_map_get(&b->targets, mlirBlockGetSuccessor(b->blocks[i], s).ptr), b->blocks[i],
                 s);
}

static int count_arguments(const branches *b) {
  int num = 0;
  for (int i = 1; i < b->num_blocks; i++)
    num += (int)mlirBlockGetNumArguments(b->blocks[i]);
  return num;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* `tie` makes the ties that `count` counts; those of blocks inside that others branch to come
 * behind them, for every op. */
typedef struct region_row {
  const char *op;
  int (*count)(MlirOperation op);
  void (*tie)(ts_arena *arena, MlirOperation op, ts_tie *ties);
} region_row;

static const region_row rows[] = {
    {"scf.for", count_results, tie_for},
    {"scf.while", count_while, tie_while},
    {"scf.if", count_results, tie_yields},
    {"scf.index_switch", count_results, tie_yields},
    {"scf.execute_region", count_results, tie_yields},
    {"func.func", NULL, NULL},
};

static const region_row *find_row(MlirOperation op) {
  for (size_t i = 0; mlirOperationGetNumRegions(op) != 0 && i < sizeof(rows) / sizeof(rows[0]); i++)
    if (ts_op_is(op, rows[i].op))
      return &rows[i];
  return NULL;
}

const ts_ties *ts_region_ties(ts_arena *arena, MlirOperation op) {
  const region_row *row = find_row(op);
  if (!row)
    return NULL;
  int num = row->count ? row->count(op) : 0, num_regions = (int)mlirOperationGetNumRegions(op);
  int num_own = num;
  branches *inside = TS_NEW(arena, branches, num_regions);
  for (int i = 0; i < num_regions; i++) {
    count_branches(arena, &inside[i], mlirOperationGetRegion(op, i));
    num += count_arguments(&inside[i]);
  }
  ts_tie *ties = TS_NEW(arena, ts_tie, num), *next = ties + num_own;
  if (row->tie)
    row->tie(arena, op, ties);
  for (int i = 0; i < num_regions; i++) {
    tie_blocks(arena, &inside[i], next);
    next += count_arguments(&inside[i]);
  }
  const ts_ties all = {num, ties};
  return ts_arena_copy(arena, &all, sizeof(all));
}

bool ts_tie_of(ts_arena *arena, MlirValue value, ts_tie *tie) {
  MlirOperation op = mlirValueIsAOpResult(value)
                         ? mlirOpResultGetOwner(value)
                         : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  const region_row *row = op.ptr ? find_row(op) : NULL;
  int num = row && row->count ? row->count(op) : 0;
  ts_tie *ties = TS_NEW(arena, ts_tie, num);
  if (num)
    row->tie(arena, op, ties);
  for (int t = 0; t < num; t++)
    for (int i = 0; i < ties[t].num_values; i++)
      if (mlirValueEqual(ties[t].values[i], value)) {
        *tie = ties[t];
        return tie->num_sources > 0;
      }
  return false;
}
