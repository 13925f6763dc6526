/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Gathers and scatters by coordinates. It knows where an element lies; it must not know what is
 * done with it. */
#include "lowering/prepare/indexed.h"

#include "ir/control_flow.h"
#include "ir/listed.h"
#include "lowering/calls/asserts.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct indexed_walk {
  ts_sites *sites;
  ts_wrappers *wrappers;
} indexed_walk;

static MlirValue extract(const ts_maker *build, MlirValue tensor, intptr_t num,
                         const MlirValue *at) {
  MlirValue operands[1 + TS_MAX_RANK] = {tensor};
  for (intptr_t i = 0; i < num; i++)
    operands[1 + i] = at[i];
  return ts_make_value(build, "tensor.extract", 1 + num, operands,
                       mlirShapedTypeGetElementType(mlirValueGetType(tensor)), 0, NULL);
}

/* Coordinate number `k` of the slice at `at`. */
static MlirValue coordinate(const ts_maker *build, const ts_listed *l, const MlirValue *at,
                            intptr_t k) {
  MlirValue place[TS_MAX_RANK];
  for (intptr_t i = 0; i < l->leading; i++)
    place[i] = at[i];
  place[l->leading] = ts_make_index(build, k);
  return ts_make_coordinate(build, extract(build, l->indices, l->leading + 1, place));
}

/* Fails where `number` is no index of dimension `d` of the whole. */
static void check_coordinate(const indexed_walk *walk, const ts_maker *build, const ts_listed *l,
                             MlirValue whole, intptr_t d, MlirValue number) {
  enum { UNSIGNED_NOT_LESS = 9 }; /* arith's number: what is negative is large */
  char message[TS_LISTED_MESSAGE];
  ts_listed_message(d, message);
  MlirValue fails = ts_make_compare(build, "arith.cmpi", UNSIGNED_NOT_LESS, number,
                                    ts_make_size(build, whole, d));
  ts_asserts_fail_if(walk->sites, walk->wrappers, build, l->op, fails,
                     mlirStringRefCreateFromCString(message));
}

/* Where element `at` of the slices lies in `whole`. */
static void place_in_whole(const indexed_walk *walk, const ts_maker *build, const ts_listed *l,
                           MlirValue whole, const MlirValue *at, MlirValue *place) {
  intptr_t next = l->leading;
  for (intptr_t d = 0; d < l->whole_rank; d++) {
    intptr_t k = ts_listed_coordinate(l, d);
    place[d] = k < 0 ? at[next] : coordinate(build, l, at, k);
    if (k >= 0)
      check_coordinate(walk, build, l, whole, d, place[d]);
    next += k < 0 || l->keeps_ones;
  }
}

/* ---- gather ---------------------------------------------------------------------------------- */

/* The dynamic sizes of the gathered slices: of the list, then of what the slices have in full. */
static intptr_t gathered_sizes(const ts_maker *build, const ts_listed *l, MlirValue whole,
                               MlirType type, MlirValue *sizes) {
  intptr_t num = 0, next = l->leading;
  for (intptr_t i = 0; i < l->leading; i++)
    if (mlirShapedTypeIsDynamicDim(type, i))
      sizes[num++] = ts_make_size(build, l->indices, i);
  for (intptr_t d = 0; d < l->whole_rank; d++) {
    bool listed = ts_listed_coordinate(l, d) >= 0;
    if (listed && !l->keeps_ones)
      continue;
    if (mlirShapedTypeIsDynamicDim(type, next++))
      sizes[num++] = listed ? ts_make_index(build, 1) : ts_make_size(build, whole, d);
  }
  return num;
}

static void lower_gather(const indexed_walk *walk, MlirOperation op) {
  ts_maker build = ts_make_before(op);
  MlirValue whole = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(result), index = mlirIndexTypeGet(build.context);
  ts_listed l = ts_listed_read(op);
  MlirValue sizes[TS_MAX_RANK], at[TS_MAX_RANK], place[TS_MAX_RANK];
  MlirType types[TS_MAX_RANK];
  MlirLocation locations[TS_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  for (intptr_t i = 0; i < rank; i++) {
    types[i] = index;
    locations[i] = build.location;
  }
  MlirBlock block = mlirBlockCreate(rank, types, locations);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  for (intptr_t i = 0; i < rank; i++)
    at[i] = mlirBlockGetArgument(block, i);
  ts_maker inside = ts_make_at_end(block, build.location);
  place_in_whole(walk, &inside, &l, whole, at, place);
  MlirValue element = extract(&inside, whole, l.whole_rank, place);
  ts_make_op(&inside,
             &(ts_new_op){.name = "tensor.yield", .num_operands = 1, .operands = &element});
  intptr_t num = gathered_sizes(&build, &l, whole, type, sizes);
  MlirOperation made = ts_make_op(&build, &(ts_new_op){.name = "tensor.generate",
                                                       .num_operands = num,
                                                       .operands = sizes,
                                                       .num_results = 1,
                                                       .results = &type,
                                                       .region = region});
  mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(made, 0));
  mlirOperationDestroy(op);
}

/* ---- scatter --------------------------------------------------------------------------------- */

typedef struct scatter {
  const indexed_walk *walk;
  ts_listed listed;
  MlirValue slices;
  intptr_t rank;
  MlirValue at[TS_MAX_RANK];
} scatter;

static MlirValue insert(const ts_maker *build, const scatter *s, MlirValue into) {
  MlirValue operands[2 + TS_MAX_RANK] = {extract(build, s->slices, s->rank, s->at), into};
  place_in_whole(s->walk, build, &s->listed, into, s->at, operands + 2);
  return ts_make_value(build, "tensor.insert", 2 + s->listed.whole_rank, operands,
                       mlirValueGetType(into), 0, NULL);
}

/* The loops from dimension `d` of the slices on, which carry the whole. */
static MlirValue insert_all(const ts_maker *build, scatter *s, intptr_t d, MlirValue into) {
  if (d == s->rank)
    return insert(build, s, into);
  MlirValue from = ts_make_index(build, 0);
  MlirValue to = ts_make_size(build, s->slices, d);
  ts_for loop = ts_make_for(build, from, to, ts_make_index(build, 1), 1, &into);
  ts_maker inside = ts_make_at_end(loop.body, build->location);
  s->at[d] = loop.iv;
  MlirValue carried = insert_all(&inside, s, d + 1, mlirBlockGetArgument(loop.body, 1));
  ts_make_yield(&inside, 1, &carried);
  return mlirOperationGetResult(loop.op, 0);
}

static void lower_scatter(const indexed_walk *walk, MlirOperation op) {
  ts_maker build = ts_make_before(op);
  scatter s = {.walk = walk, .listed = ts_listed_read(op)};
  s.slices = s.listed.slices;
  s.rank = mlirShapedTypeGetRank(mlirValueGetType(s.slices));
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                insert_all(&build, &s, 0, s.listed.whole));
  mlirOperationDestroy(op);
}

static void lower(MlirOperation op, void *user) {
  const indexed_walk *walk = user;
  if (ts_op_is(op, "tensor.gather"))
    lower_gather(walk, op);
  else if (ts_op_is(op, "tensor.scatter"))
    lower_scatter(walk, op);
}

void ts_indexed_lower(ts_sites *sites, ts_wrappers *wrappers) {
  indexed_walk walk = {sites, wrappers};
  ts_each_op(sites->records->module, lower, &walk);
}
