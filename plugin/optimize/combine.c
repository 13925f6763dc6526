/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Small collectives of one kind, group and element type that do not wait for each other, in one
 * message. As many of a block as there are on the longest way through it stay. It knows which may
 * share one and where it stands; it must not know how tensors are packed. */
#include "capi/capi.h"
#include "mlir-c/BuiltinTypes.h"
#include "optimize/block_graph.h"
#include "optimize/communication.h"
#include "optimize/optimize.h"
#include "optimize/pack.h"

/* A block is looked at once for each kind that it has two of. */
enum { MOST_KINDS = 16, NONE = -1 };

/* One that may share a message. */
typedef struct member {
  int number;   /* in the block */
  int level;    /* how many of its kind are on the longest way to it, with itself */
  bool is_done; /* its kind has been looked at */
  double bytes;
} member;

typedef struct combining {
  ts_arena *arena;
  ts_block_graph graph;
  int num_members, max_members;
  member *members;
  int *member_of; /* op -> its member, or NONE */
  /* Ops that are done as one: for each op the first of them, and the next one, or NONE. */
  int *group, *next;
  int num_groups, *order; /* the groups, in an order in which they can be done */
  bool has_shared;
} combining;

/* ---- kinds ----------------------------------------------------------------------------------- */

/* What it takes or gives, whichever is more. */
static double bytes_of(MlirOperation op) {
  double input = ts_tensor_bytes(mlirValueGetType(mlirOperationGetOperand(op, 0)));
  double result = ts_tensor_bytes(mlirValueGetType(mlirOperationGetResult(op, 0)));
  return input > result ? input : result;
}

static bool may_combine(MlirOperation op, int64_t small_bytes) {
  ts_communication c;
  if (!ts_communication_read(op, &c) || c.row->combines == TS_COMBINES_NOTHING ||
      mlirOperationGetNumOperands(op) != 1)
    return false;
  MlirType input = mlirValueGetType(ts_communication_input(&c));
  MlirType result = mlirValueGetType(ts_communication_result(&c));
  bool fits = c.row->combines == TS_COMBINES_ELEMENTS || c.joined == 0 || c.cut == 0;
  return fits && mlirShapedTypeHasStaticShape(input) && mlirShapedTypeHasStaticShape(result) &&
         mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(result)) &&
         bytes_of(op) <= (double)small_bytes && ts_tensor_bytes(result) > 0;
}

static MlirType element_of(MlirValue value) {
  return mlirShapedTypeGetElementType(mlirValueGetType(value));
}

/* The same but for tensors: of one row, with equal attributes and element types. */
static bool is_one_kind(MlirOperation a, MlirOperation b) {
  return ts_collective_of(a) == ts_collective_of(b) &&
         mlirTypeEqual(element_of(mlirOperationGetOperand(a, 0)),
                       element_of(mlirOperationGetOperand(b, 0))) &&
         mlirTypeEqual(element_of(mlirOperationGetResult(a, 0)),
                       element_of(mlirOperationGetResult(b, 0))) &&
         ts_same_attributes(a, b);
}

static MlirOperation op_of(const combining *c, const member *m) {
  return c->graph.ops[m->number];
}

static bool is_of_kind(const combining *c, const member *m, const member *kind) {
  return is_one_kind(op_of(c, m), op_of(c, kind));
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void find_members(combining *c, int64_t small_bytes) {
  c->member_of = TS_NEW(c->arena, int, c->graph.num);
  for (int i = 0; i < c->graph.num; i++) {
    MlirOperation op = c->graph.ops[i];
    c->member_of[i] = NONE;
    if (!may_combine(op, small_bytes))
      continue;
    c->members =
        ts_arena_grow(c->arena, c->members, c->num_members, &c->max_members, sizeof(member));
    c->member_of[i] = c->num_members;
    c->members[c->num_members++] = (member){.number = i, .bytes = bytes_of(op)};
  }
}

/* The highest level that a group waits for. */
static int level_before(const combining *c, int group, const int *levels) {
  int level = 0;
  for (int i = group; i != NONE; i = c->next[i])
    for (int e = c->graph.first[i]; e < c->graph.first[i + 1]; e++) {
      int before = levels[c->group[c->graph.before[e]]];
      level = before > level ? before : level;
    }
  return level;
}

/* Gives the members of a kind their levels. Of one level, none waits for another. */
static void find_levels(combining *c, const member *kind) {
  int *levels = TS_NEW(c->arena, int, c->graph.num);
  for (int g = 0; g < c->num_groups; g++) {
    int op = c->order[g];
    member *own = c->member_of[op] == NONE ? NULL : &c->members[c->member_of[op]];
    levels[op] = level_before(c, op, levels);
    if (own && !own->is_done && is_of_kind(c, own, kind))
      own->level = ++levels[op];
  }
}

/* The message that a level has begun: the first and last op of it. */
typedef struct bucket {
  int first, last;
  double bytes;
} bucket;

/* Fills buckets in the order of the program; true if there is one with more than one member. */
static bool fill_buckets(combining *c, const member *kind, double most_bytes) {
  bucket *buckets = TS_NEW(c->arena, bucket, c->num_members + 1);
  bool has_any = false;
  for (member *one = &c->members[kind - c->members]; one < c->members + c->num_members; one++) {
    bucket *into = &buckets[one->level];
    if (one->is_done || !is_of_kind(c, one, kind))
      continue;
    if (into->bytes > 0 && into->bytes + one->bytes <= most_bytes) {
      c->group[one->number] = into->first;
      c->next[into->last] = one->number;
      into->last = one->number;
      into->bytes += one->bytes;
      has_any = true;
    } else {
      *into = (bucket){one->number, one->number, one->bytes};
    }
  }
  return has_any;
}

static void take_apart(combining *c, const member *kind) {
  for (const member *one = kind; one < c->members + c->num_members; one++)
    if (!one->is_done && is_of_kind(c, one, kind)) {
      c->group[one->number] = one->number;
      c->next[one->number] = NONE;
    }
}

static void combine_kind(combining *c, member *kind, double most_bytes) {
  int num, *order = TS_NEW(c->arena, int, c->graph.num);
  find_levels(c, kind);
  if (fill_buckets(c, kind, most_bytes)) {
    if (ts_block_graph_order(&c->graph, c->arena, c->group, &num, order)) {
      c->order = order;
      c->num_groups = num;
      c->has_shared = true;
    } else {
      take_apart(c, kind);
    }
  }
  MlirOperation like = op_of(c, kind);
  for (member *one = kind; one < c->members + c->num_members; one++)
    one->is_done |= is_one_kind(op_of(c, one), like);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void rewrite(combining *c, MlirOperation terminator) {
  MlirOperation *ops = TS_NEW(c->arena, MlirOperation, c->num_members);
  for (int g = 0; g < c->num_groups; g++) {
    int first = c->order[g], num = 0;
    if (c->next[first] == NONE) {
      mlirOperationMoveBefore(c->graph.ops[first], terminator);
      continue;
    }
    for (int i = first; i != NONE; i = c->next[i])
      ops[num++] = c->graph.ops[i];
    ts_pack(c->arena, terminator, num, ops);
  }
}

static void combine_block(const ts_optimizer *optimizer, MlirBlock block) {
  double most_bytes = (double)optimizer->bucket_bytes;
  ts_arena arena = {0};
  combining c = {.arena = &arena};
  ts_block_graph_read(&c.graph, &arena, optimizer->plain, block);
  find_members(&c, optimizer->small_bytes);
  c.group = TS_NEW(&arena, int, c.graph.num);
  c.next = TS_NEW(&arena, int, c.graph.num);
  c.order = TS_NEW(&arena, int, c.graph.num);
  c.num_groups = c.graph.num;
  for (int i = 0; i < c.graph.num; i++) {
    c.group[i] = c.order[i] = i;
    c.next[i] = NONE;
  }
  int kinds = 0;
  for (int m = 0; m + 1 < c.num_members && kinds < MOST_KINDS; m++)
    if (!c.members[m].is_done) {
      combine_kind(&c, &c.members[m], most_bytes);
      kinds++;
    }
  if (c.has_shared)
    rewrite(&c, mlirBlockGetTerminator(block));
  ts_arena_free(&arena);
}

/* Most blocks have no two: only those are looked at closely. */
static bool has_two(MlirBlock block, int64_t small_bytes) {
  int num = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr && num < 2;
       op = mlirOperationGetNextInBlock(op))
    num += may_combine(op, small_bytes);
  return num == 2;
}

static void visit_op(MlirOperation op, void *user) {
  const ts_optimizer *optimizer = user;
  for (intptr_t i = 0; !ts_op_is_linalg(op) && i < mlirOperationGetNumRegions(op); i++)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i)); block.ptr;
         block = mlirBlockGetNextInRegion(block))
      if (has_two(block, optimizer->small_bytes))
        combine_block(optimizer, block);
}

void ts_combine_small(ts_optimizer *optimizer, MlirOperation function) {
  ts_each_op(function, visit_op, optimizer);
}
